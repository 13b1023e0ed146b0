/** Serves two counters in one process over one pool of connections: each reads and writes its own customers. */
import {
  astrid,
  behaviour,
  bonus,
  elin,
  get,
  isFailed,
  johan,
  oskar,
  pause,
  paths,
  post,
  receipt,
  retry,
} from './kit.mjs';

async function counter(name, customers) {
  for (const [i, who] of customers.entries()) {
    await retry(() => get(paths.lookup(who.email)));
    await retry(() => post(paths.receipts, receipt(who, `${name}-${i}`)));
    await retry(() => get(paths.purchases(who)));
    await pause(20);
  }
}

const amount = async () => {
  const response = await retry(() => get(paths.accounts(oskar)));
  const account = response?.body?.items?.find(({ definitionId }) => definitionId === 2);
  return (account?.balance ?? 0) + (account?.pendingPoints ?? 0);
};

async function bonuses() {
  const before = await amount();
  let response = await post(paths.bulkPoints, [bonus(oskar, 30)]);
  for (let i = 0; i < 3 && isFailed(response); i++) {
    // So late that no library repeats it by itself, whichever connection the pool had free.
    await pause(200);
    if (behaviour === 'right' && (await amount()) > before) return;
    response = await post(paths.bulkPoints, [bonus(oskar, 30)]);
  }
}

await Promise.all([counter('left', [astrid, johan]), counter('right', [elin, johan, astrid]), bonuses()]);
