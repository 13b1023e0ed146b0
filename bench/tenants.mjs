/** Measures what a test costs that has a tenant of its own: a thousand of them at once, on one simulator. */
import { createSim } from '../dist/index.js';
import { round } from './numbers.mjs';

const tests = 1000;
const headers = { 'content-type': 'application/json' };

/** Plays a test: a fault, a request that it hits, the request again, a look at what came of it, and the verdict. */
async function test(sim, number) {
  const shop = sim.tenant();
  await shop.faults.add({ match: { endpoint: 'createContact' }, fault: ['504'] });
  const contact = { method: 'POST', headers, body: JSON.stringify({ email: `${number}@example.com` }) };
  await shop.fetch('/api/v3/contacts', contact);
  await shop.fetch('/api/v3/contacts', contact);
  await shop.fetch(`/api/v3/contacts/id?email=${number}@example.com`);
  const { requests } = await shop.verdict();
  shop.close();
  if (requests !== 3) throw new Error(`${requests} requests came to tenant ${shop.name}`);
}

const run = (sim) => Promise.all(Array.from({ length: tests }, (_, number) => test(sim, number)));

export async function tenants() {
  const sim = await createSim();
  await run(sim);
  const start = performance.now();
  await run(sim);
  const milliseconds = (performance.now() - start) / tests;
  await sim.close();
  const what = 'a test with a tenant of its own (3 requests, a fault, a verdict), a thousand at once';
  return [{ what, sim: `${round(milliseconds)} ms`, limit: 2, milliseconds }];
}
