/** Sells in a web shop over a pool of kept connections of node:http, several customers at a time. */
import { Agent, request } from 'node:http';
import { astrid, base, behaviour, elin, isFailed, johan, pause, paths, receipt, retry } from './kit.mjs';

const agent = new Agent({ keepAlive: true, maxSockets: 3 });

function send(method, path, body) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve) => {
    const sent = request(`${base}${path}`, {
      method,
      agent,
      timeout: 30_000,
      headers: {
        'user-agent': 'web-shop/3.2',
        ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      },
    });
    sent.on('response', (response) => {
      let received = '';
      response.on('data', (part) => (received += part));
      response.on('end', () => resolve({ status: response.statusCode }));
      response.on('error', () => resolve(undefined));
      response.on('aborted', () => resolve(undefined));
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(undefined));
    sent.end(text);
  });
}

let numbers = 0;

/** Sells one basket: who, coupons, address, receipt, and the purchases for the page of thanks. */
async function sell({ who, total }, tries) {
  const found = await retry(() => send('GET', paths.lookup(who.email)), tries);
  if (found?.status !== 200) return false;
  await retry(() => send('GET', paths.promotions(who)), tries);
  await retry(() => send('PATCH', paths.contact(who), { city: 'Umeå' }), tries);
  numbers += 1;
  const body = receipt(who, `web-${numbers}`, { total, storeExternalId: '900' });
  if (isFailed(await retry(() => send('POST', paths.receipts, body), tries))) return false;
  return !isFailed(await retry(() => send('GET', paths.purchases(who)), tries));
}

const baskets = [
  { who: astrid, total: 249 },
  { who: johan, total: 499 },
  { who: elin, total: 99 },
];

/** Does the whole sale again until all of it got through. */
async function sellAnew(basket) {
  for (let i = 0; i < 3; i++) {
    if (await sell(basket, [])) return;
    await pause(80);
  }
}

if (behaviour === 'whole-sale') {
  for (const basket of baskets) await sellAnew(basket);
} else if (behaviour === 'one-by-one') {
  for (const basket of baskets) await sell(basket);
} else {
  await Promise.all(baskets.map((basket) => sell(basket)));
}
agent.destroy();
