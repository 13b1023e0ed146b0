/**
 * A till's day, as a process of its own: `node day.mjs <json>`. Some purchases, and then what was left over; time
 * passes on the simulator's clock where it is frozen.
 */
import { setTimeout as sleep } from 'node:timers/promises';

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
} = JSON.parse(process.argv[2]);
const { Till } = await import(till);

const customers = [
  'astrid.lindqvist@example.com',
  'johan.bergstrom@example.com',
  'elin.sandberg@example.com',
  'oskar.nystrom@example.com',
  'maja.holm@example.com',
];

const purchase = (i) => ({
  email: email ?? customers[i % customers.length],
  firstName: 'Astrid',
  lines: [{ sku: 'A-1', price: 400 }],
  definitionId: 1,
  challengeId: '9b1d0c00-cccc-4000-8000-000000000001',
});

async function elapse() {
  if (advance === undefined) return;
  const body = JSON.stringify({ advance });
  await fetch(`${url}/__admin/clock`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

async function shop(one) {
  for (let i = 0; i < checkouts; i++) {
    if (i > 0) await elapse();
    await one.checkout(purchase(i));
  }
}

const one = new Till({ url, pauses, rounds, timeout, elapse, fallbackPause: 600 });
if (isMaster) {
  await one.setBalances([{ contactId: '5a0e7c1e-0001-4000-8000-000000000001', definitionId: 1, amount: 100 }]);
} else {
  await shop(one);
}
await one.deliverQueue();
await sleep(linger);
