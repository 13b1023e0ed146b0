/** Shows balances on a customer's screen. */
import { advance, astrid, behaviour, elin, get, johan, paths, retry } from './kit.mjs';

const read = (who) => get(paths.accounts(who));

const ways = {
  right: async () => {
    for (const who of [astrid, johan, elin]) await retry(() => read(who));
  },
  drops: async () => {
    for (const who of [astrid, johan, elin]) await read(who);
  },
  'four-times': async () => {
    // Pauses that grow so much keep their pattern on a machine that adds a second to one of them.
    await retry(() => read(astrid), [400, 800, 1600]);
    await retry(() => read(johan));
  },
  'much-later': async () => {
    await read(astrid);
    await retry(() => read(johan));
    await advance('5m');
    await retry(() => read(elin));
    await advance('5m');
    await read(astrid);
  },
};

await ways[behaviour]();
