/** Measures what rules that are in force cost the requests that they don't hit. */
import { load, requestText } from './load.mjs';
import { median, round } from './numbers.mjs';
import { simServer, startServer } from './servers.mjs';
import { receipt } from './throughput.mjs';

const connections = 50;
const seconds = 2;
const rounds = 8;
const contact = '5a0e7c1e-0001-4000-8000-000000000001';

const kinds = [
  { what: 'GET contact', status: 200, path: `/api/v3/contacts/${contact}` },
  { what: 'POST receipt', status: 202, path: '/api/v3/receipts', body: receipt },
];

const other = (n) => `5a0e7c1e-0001-4000-8000-${String(1000 + n).padStart(12, '0')}`;

/** Returns rules as a scenario would have them, for all sorts of calls. */
const mixed = (n) =>
  [
    { match: { endpoint: 'createReceipt', body: { storeExternalId: `6${n}` } }, fault: 504 },
    { match: { method: 'GET', path: `/api/v3/contacts/${other(n)}` }, fault: [500, 500] },
    { match: { path: '/api/v3/contacts/{id}', headers: { 'x-till': `${n}` } }, fault: 503, times: 2 },
    { match: { endpoint: ['redeemPromotion', 'addPointTransaction'] }, fault: 'EMPTY_RESPONSE', probability: 0.05 },
    { match: { method: 'POST', path: '/api/v3/contacts*', body: { email: { contains: `${n}@` } } }, fault: 500 },
  ][n % 5];

/** Returns rules that each have to look at every one of the calls. */
const close = (n) => ({
  match: { path: '/api/v3/*', headers: { 'x-till': `${n}` }, body: { storeExternalId: `6${n}` } },
  fault: 504,
});

const rulesOf = (make, count) => Array.from({ length: count }, (_, n) => make(n));

async function putRules(port, rules, tenant = 'default') {
  const response = await fetch(`http://127.0.0.1:${port}/__admin/scenario?tenant=${tenant}`, {
    method: 'PUT',
    body: JSON.stringify({ rules }),
  });
  if (!response.ok) throw new Error(await response.text());
  await response.body?.cancel();
}

let sent = 0;

const rate = (port, { path, body, status }, prefix = () => '') =>
  load({
    port,
    connections,
    seconds,
    status,
    message: () =>
      body ? requestText('POST', prefix(sent) + path, body(sent++)) : requestText('GET', prefix(sent++) + path),
  });

const row = (what, [without, withRules]) => ({
  what,
  bare: `${round(median(without))}/s`,
  sim: `${round(median(withRules))}/s`,
  // In turns, so that each pair had the same machine.
  ratio: median(withRules.map((one, i) => one / without[i])),
  target: 0.9,
  better: 'higher',
});

async function oneTenant(folder, kind, { named, make }) {
  const server = await startServer(simServer(folder));
  const rates = [[], []];
  await rate(server.port, kind);
  for (let n = 0; n < rounds; n++) {
    // By turns in the first place: the state grows with each receipt, and later requests take a little longer.
    for (const i of n % 2 === 0 ? [0, 1] : [1, 0]) {
      await putRules(server.port, i === 0 ? [] : rulesOf(make, 100));
      rates[i].push(await rate(server.port, kind));
    }
  }
  await server.stop();
  return row(`${kind.what}, no rules and 100 ${named}`, rates);
}

/** Measures two servers at once, since making the tenants takes longer than calling them. */
async function manyTenants(folder, tenants) {
  const [kind] = kinds;
  const prefix = (n) => `/t/tenant-${n % tenants}`;
  const servers = [await startServer(simServer(folder)), await startServer(simServer(folder))];
  for (let n = 0; n < tenants; n++) {
    for (const [i, { port }] of servers.entries()) {
      await putRules(port, i === 0 ? [] : rulesOf((k) => mixed(n * 10 + k), 10), `tenant-${n}`);
    }
  }
  const rates = [[], []];
  for (let n = 0; n <= rounds; n++) {
    for (const [i, { port }] of servers.entries()) rates[i].push(await rate(port, kind, prefix));
  }
  for (const server of servers) await server.stop();
  const warm = rates.map((all) => all.slice(1));
  return row(`${kind.what} of ${tenants} tenants, without and with 10 rules each`, warm);
}

export async function faults(folder) {
  const rows = [];
  for (const kind of kinds) {
    rows.push(await oneTenant(folder, kind, { named: 'of all sorts', make: mixed }));
    rows.push(await oneTenant(folder, kind, { named: 'that look at each request', make: close }));
  }
  rows.push(await manyTenants(folder, 2000));
  return rows;
}
