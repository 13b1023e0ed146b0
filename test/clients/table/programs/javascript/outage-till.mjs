/** Sells on during an outage, and keeps what it could not deliver in memory. */
import { Agent, request } from 'node:http';
import {
  advance,
  astrid,
  base,
  behaviour,
  elin,
  get,
  isFailed,
  johan,
  pause,
  paths,
  post,
  receipt,
  retry,
} from './kit.mjs';

const kept = [];
const receiptBy = (who, number) => ({ path: paths.receipts, body: receipt(who, `outage-${number}`) });

async function deliver({ path, body }) {
  if (kept.length > 0) return kept.push({ path, body });
  const response = await retry(() => post(path, body), [50, 60, 70]);
  return isFailed(response) ? kept.push({ path, body }) : response;
}

async function forward(list) {
  for (const { path, body } of list) await retry(() => post(path, body));
}

/** Sends on a connection of its own. */
const sendAnew = ({ path, body }) =>
  new Promise((resolve) => {
    const sent = request(`${base}${path}`, {
      method: 'POST',
      agent: new Agent(),
      headers: { 'content-type': 'application/json', 'user-agent': 'outage-till' },
    });
    sent.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)));
    sent.on('error', () => resolve(0)).end(JSON.stringify(body));
  });

const ways = {
  async right() {
    for (const [i, who] of [astrid, johan, elin].entries()) await deliver(receiptBy(who, i));
    await advance('10m');
    await forward(kept);
  },
  async 'newest-first'() {
    for (const [i, who] of [astrid, johan, elin].entries()) {
      const one = receiptBy(who, i);
      if (isFailed(await retry(() => post(one.path, one.body), [50]))) kept.push(one);
    }
    await advance('10m');
    await forward(kept.toReversed());
  },
  async twice() {
    await deliver(receiptBy(astrid, 1));
    await advance('10m');
    await forward(kept);
    await advance('10m');
    await forward(kept);
  },
  async never() {
    await deliver(receiptBy(astrid, 1));
    kept.length = 0;
    await advance('10m');
    await deliver(receiptBy(johan, 2));
  },
  async 'new-keys'() {
    await deliver(receiptBy(astrid, 1));
    await advance('10m');
    for (const { path, body } of kept) await retry(() => post(path, { ...body, uniqueReceiptId: 'late-1' }));
  },
  async 'new-customer'() {
    await deliver(receiptBy(astrid, 1));
    const nils = { email: 'nils.ny@example.com', firstName: 'Nils', contactType: 'Member' };
    const isKnown = async () => (await retry(() => get(paths.lookup(nils.email))))?.status === 200;
    if (!(await isKnown())) await deliver({ path: paths.contacts, body: nils });
    if (!(await isKnown())) {
      const sale = receiptBy(astrid, 2);
      const contact = { matchKey: nils.email, matchKeyType: 'email', contactType: 'Member' };
      await deliver({ ...sale, body: { ...sale.body, contact } });
    }
    await advance('10m');
    await forward(kept);
  },
  async storm() {
    const all = Array.from({ length: 30 }, (_, i) => receiptBy([astrid, johan, elin][i % 3], i));
    for (const one of all) await sendAnew(one);
    await advance('20m');
    await Promise.all(all.map((one) => sendAnew(one)));
  },
  async 'in-turn'() {
    const all = Array.from({ length: 30 }, (_, i) => receiptBy([astrid, johan, elin][i % 3], i));
    for (const one of all) await sendAnew(one);
    await advance('20m');
    for (const one of all) await sendAnew(one);
  },
  async 'cut-short'() {
    for (const length of ['30s', '60s']) {
      if (!isFailed(await post(paths.receipts, receipt(astrid, 'cut-1')))) return;
      await advance(length);
    }
    await post(paths.receipts, receipt(astrid, 'cut-1'));
    await pause(50);
  },
};

await ways[behaviour]();
