/** Shows balances on a customer's screen. */
import { astrid, behaviour, elin, get, johan, paths, pause, retry } from './kit.mjs';

const read = (who) => get(paths.accounts(who));

const ways = {
  right: async () => {
    for (const who of [astrid, johan, elin]) await retry(() => read(who));
  },
  drops: async () => {
    for (const who of [astrid, johan, elin]) await read(who);
  },
  'four-times': async () => {
    await retry(() => read(astrid), [60, 80, 100]);
    await retry(() => read(johan));
  },
  'much-later': async () => {
    await read(astrid);
    await retry(() => read(johan));
    await pause(300);
    await retry(() => read(elin));
    await pause(300);
    await read(astrid);
  },
};

await ways[behaviour]();
