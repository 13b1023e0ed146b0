/** `node verdict-run.mjs <day> <requests>`: judges so many requests of a day in a process of its own, and prints what it took. */
import { createSim } from '../dist/index.js';
import { requestsOf, scenarioOf } from './days.mjs';

async function liveThrough(requests, sim) {
  for (const { method, path, body } of requests) {
    const init = { method, headers: { 'user-agent': 'bench', 'content-type': 'application/json' } };
    const request = new Request(`http://127.0.0.1${path}`, { ...init, ...(body && { body: JSON.stringify(body) }) });
    // What is lost is lost.
    await sim
      .fetch(request)
      .then((response) => response.text())
      .catch(() => {});
  }
}

const timed = async (work) => {
  const start = performance.now();
  const result = await work();
  return { result, milliseconds: performance.now() - start };
};

/** Holds one expectation for each of so many receipts; on a failing day, most of them never came. */
const expectations = Array.from({ length: 10_000 }, (_, n) => ({
  request: { endpoint: 'createReceipt', body: { storeExternalId: '100', uniqueReceiptId: `till-${n}` } },
}));

const [day, count] = process.argv.slice(2);
const sim = await createSim({ scenario: scenarioOf(day), journalBytes: 2 ** 32 });
await liveThrough(requestsOf(day, Number(count)), sim);
const { result, milliseconds } = await timed(() => sim.verdict());
const expected = await timed(() => sim.verdict({ expectations }));
process.stdout.write(
  JSON.stringify({ milliseconds, operations: result.operations.length, expected: expected.milliseconds }),
);
process.exit(0);
