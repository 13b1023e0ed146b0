/**
 * A till's day, as a process of its own: `node day.mjs <json>`. Some purchases, and then what was left over. The till
 * moves the simulator's clock instead of waiting, unless time is to be real.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { purchase } from './purchases.mjs';
import { fetch } from './quick-fetch.mjs';

const {
  till,
  url,
  email,
  checkouts = 1,
  pauses,
  advance,
  isMaster,
  linger = 0,
  rounds,
  timeout,
  fallbackPause,
  isReal,
} = JSON.parse(process.argv[2]);
const { Till } = await import(till);

async function move(length) {
  const body = JSON.stringify({ advance: length });
  await fetch(`${url}/__admin/clock`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

async function elapse() {
  if (advance !== undefined) await move(advance);
}

/** What is repeated sooner than this may be an HTTP library's own doing, in ms. */
const shortestPause = 40;

async function pass(milliseconds) {
  await sleep(shortestPause);
  await move(`${Math.ceil(milliseconds)}ms`);
}

const wait = isReal ? sleep : pass;

async function shop(one) {
  for (let i = 0; i < checkouts; i++) {
    if (i > 0) await elapse();
    await one.checkout(purchase(i, email));
  }
}

const one = new Till({ url, pauses, rounds, timeout, elapse, wait, fallbackPause });
if (isMaster) {
  await one.setBalances([{ contactId: '5a0e7c1e-0001-4000-8000-000000000001', definitionId: 1, amount: 100 }]);
} else {
  await shop(one);
}
await one.deliverQueue();
if (linger > 0) await wait(linger);
