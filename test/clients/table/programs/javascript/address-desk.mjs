/** Changes addresses, some of them twice. */
import { advance, astrid, behaviour, isFailed, johan, patch, paths, pause, retry } from './kit.mjs';

const change = (who, street) => patch(paths.contact(who), { street });

const ways = {
  async right() {
    await retry(() => change(astrid, 'Storgatan 1'));
    await retry(() => change(johan, 'Nygatan 2'));
  },
  async drops() {
    await change(astrid, 'Storgatan 1');
    await change(johan, 'Nygatan 2');
  },
  async superseded() {
    await change(astrid, 'Storgatan 1');
    await pause(100);
    await retry(() => change(astrid, 'Storgatan 11 B'));
    await retry(() => change(johan, 'Nygatan 2'));
  },
  async 'newest-first'() {
    const kept = [];
    for (const [who, street] of [
      [astrid, 'Storgatan 1'],
      [astrid, 'Storgatan 11 B'],
    ]) {
      const response = await retry(() => change(who, street), [60]);
      if (isFailed(response)) kept.push([who, street]);
    }
    await advance('10m');
    for (const [who, street] of kept.toReversed()) await retry(() => change(who, street));
  },
};

await ways[behaviour]();
