/**
 * `node bench/deliveries.mjs [count] [virtual|real]`: adjustments in the service, a point master with faults by chance,
 * two processes. Both ledgers must agree at the end, and every delivery be accounted for; ends with 1 when not.
 */
import { simServer, startServer, unpackPackage } from './servers.mjs';

const count = Number(process.argv[2] ?? 100_000);
const setup = process.argv[3] === 'real' ? {} : { now: '2026-03-01T12:00:00Z' };
const contacts = 40;
const callers = 8;
const agreed = { key: '0123456789abcdef0123456789abcdef', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };
const faults = [
  { fault: 'error', status: 503, probability: 0.1 },
  { fault: 'down', probability: 0.05 },
  { fault: 'lost-response', probability: 0.1 },
  { fault: 'slow', delay: '5ms', probability: 0.02 },
  { fault: 'repeated-sync', probability: 0.2 },
  { fault: 'stale-sync', probability: 0.2 },
  { fault: 'partial-sync', probability: 0.2 },
  { fault: 'late-sync', delay: '20ms', probability: 0.2 },
];

const contactOf = (n) => `5a0e7c1e-0001-4000-8000-${String((n % contacts) + 1).padStart(12, '0')}`;
const amountOf = (n) => (n % 7) - 2;

async function call(url, body, method = body === undefined ? 'GET' : 'POST') {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method, ...(body !== undefined && { headers, body: JSON.stringify(body) }) });
  const answer = await response.json();
  if (response.status >= 300) throw new Error(`${method} ${url}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

async function each(items, work) {
  const queue = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}

const masterServer = ([cli], serviceUrl) => {
  const quiet = ['--port', '0', '--json', '--log', 'silent'];
  const keys = ['--key', agreed.key, '--secret', agreed.secret];
  return [cli, 'point-master', ...quiet, ...keys, '--service-url', serviceUrl, '--sync-every', '1s'];
};

const folder = unpackPackage();
const began = performance.now();
const seconds = () => Math.round((performance.now() - began) / 1000);
const service = await startServer(simServer(folder, '--journal-bytes', '1000000'));
const serviceUrl = `http://127.0.0.1:${service.port}`;
const master = await startServer(masterServer(simServer(folder), serviceUrl));
const masterUrl = `http://127.0.0.1:${master.port}`;
const control = (path) => `${serviceUrl}/__admin/${path}${path.includes('?') ? '&' : '?'}tenant=follower`;
const totals = () => call(control('webhooks?limit=1&status=failed'));

try {
  const webhook = { webhookUrl: masterUrl, webhookKey: agreed.key, webhookSecret: agreed.secret };
  await call(`${serviceUrl}/__admin/tenants`, { name: 'follower', mode: 'point-follower', ...webhook, ...setup });
  await call(`${masterUrl}/__master/faults`, { faults }, 'PUT');

  const expected = new Map();
  await each(Array(count).keys(), async (n) => {
    const [contactId, amount] = [contactOf(n), amountOf(n)];
    expected.set(contactId, (expected.get(contactId) ?? 0) + amount);
    await call(control('trigger'), { event: 'adjustPoints', contactId, definitionId: 1, amount });
  });
  console.log(`${count} adjustments after ${seconds()} s`);

  let state = await totals();
  while (state.pending > 0) {
    await call(control('clock'), { advance: '10h' });
    state = await totals();
  }
  // What was given up after eight attempts is asked for once more.
  while (state.failed > 0) {
    const [{ id }] = state.items;
    await call(control(`webhooks/${id}/redeliver`), undefined, 'POST');
    await call(control('clock'), { advance: '2d' });
    state = await totals();
  }
  const { sent, delivered, failed, pending, missed } = state;
  console.log(`all delivered after ${seconds()} s: ${JSON.stringify({ sent, delivered, failed, pending, missed })}`);

  await call(`${masterUrl}/__master/faults`, { faults: [] }, 'PUT');
  await call(`${masterUrl}/sync`, { full: true });
  const { accounts } = await call(`${masterUrl}/ledger`);
  const held = new Map(accounts.map(({ contactId, balance }) => [contactId, balance]));
  const wrong = [];
  for (const [contactId, sum] of expected) {
    const { items } = await call(`${serviceUrl}/t/follower/api/v3/point-accounts?contactId=${contactId}`);
    const shown = items.find(({ definitionId }) => definitionId === 1)?.balance;
    if (held.get(contactId) !== sum || shown !== sum) wrong.push({ contactId, sum, held: held.get(contactId), shown });
  }
  const isWhole = sent === count && delivered === count && missed === 0;
  console.log(wrong.length === 0 && isWhole ? `the ledgers of ${expected.size} accounts agree` : wrong);
  process.exitCode = wrong.length === 0 && isWhole ? 0 : 1;
} finally {
  await Promise.all([service.stop(), master.stop()]);
}
