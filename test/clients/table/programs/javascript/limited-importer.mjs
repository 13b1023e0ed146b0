/** Imports receipts, and is told to slow down. */
import { advance, astrid, behaviour, elin, johan, paths, pause, post, receipt } from './kit.mjs';

for (const [i, who] of [astrid, johan, elin].entries()) {
  for (let attempt = 0; attempt < 4; attempt++) {
    const response = await post(paths.receipts, receipt(who, `limited-${i}`));
    if (response?.status === 202) break;
    if (behaviour === 'waits') await advance(`${Number(response?.headers.get('retry-after')) + 1}s`);
    else if (behaviour === 'drops') break;
    else await pause(60);
  }
}
if (behaviour === 'drops') await advance('10m');
