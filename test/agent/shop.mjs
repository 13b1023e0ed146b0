/** A day of the till in this folder, against the simulator that it is told: it moves its tenant's clock instead of waiting. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { purchase } from './purchases.mjs';
import { fetch } from './quick-fetch.mjs';
import { Till } from './till.mjs';

const {
  email,
  checkouts = 1,
  linger = 0,
  ...options
} = JSON.parse(readFileSync(new URL('day.json', import.meta.url), 'utf8'));
const url = process.env.LOYALTY_SIM_URL;
const [, tenant = 'default'] = /\/t\/([^/]+)$/.exec(url) ?? [];

/** What is repeated sooner than this may be an HTTP library's own doing, in ms. */
const shortestPause = 40;

async function wait(milliseconds) {
  await sleep(shortestPause);
  await fetch(`${new URL(url).origin}/__admin/clock?tenant=${tenant}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: `${Math.ceil(milliseconds)}ms` }),
  });
}

const till = new Till({ url, wait, ...options });
for (let i = 0; i < checkouts; i++) await till.checkout(purchase(i, email));
await till.deliverQueue();
if (linger > 0) await wait(linger);
