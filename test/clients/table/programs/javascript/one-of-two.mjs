/** Plays one of two tills of the same make, each a process of its own. */
import { astrid, behaviour, elin, get, johan, paths, pause, post, receipt, rest, retry } from './kit.mjs';

const [name] = rest;
const customers = name === 'a' ? [astrid, johan] : [elin, astrid];
const definitionId = '9b1d0c00-cccc-4000-8000-000000000001';

const ways = {
  async receipts() {
    for (const [i, who] of customers.entries()) {
      await retry(() => get(paths.lookup(who.email)));
      await retry(() => post(paths.receipts, receipt(who, `${name}-${i}`)));
      await pause(30);
    }
  },
  async checkpoints() {
    await retry(() => get(paths.lookup(astrid.email)));
    await post(paths.checkpoints, [{ contactId: astrid.id, definitionId, checkpointAmount: 1 }]);
  },
  async coupon() {
    const coupon = '9b1d0c00-aaaa-4000-8000-000000000001';
    await retry(() => post(paths.redeem(coupon), { redemptionChannel: 'POS' }));
  },
};

await ways[behaviour]();
