import { afterEach, describe, expect, it } from 'vitest';
import type { Sim } from '../../src/simulator/sim.ts';
import { cpuTimeOf } from '../support/cpu-time.ts';
import { startSim } from '../support/open-sim.ts';

let sim: Sim;
afterEach(() => sim.close());

const count = async (): Promise<void> => void (await (await sim.fetch('/api/v3/contacts/count')).text());

/** Judges by an expectation that nothing meets, and the operations of the whole journal. */
async function verify(query: string): Promise<string> {
  const body = { expectations: [{ request: { endpoint: 'createReceipt' }, exactly: 1 }], everyRuleFired: true };
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  return (await sim.fetch(`/__admin/verify?operations=notable&${query}`, init)).text();
}

/** Limits the calls of a fast machine, so that the journal drops none by its size; to wait takes no processor time. */
const mostServed = 30_000;

const atOnce = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the control API', () => {
  it('serves others while somebody waits for a verdict on a large journal, which is not judged for each request', async () => {
    sim = await startSim();
    for (let i = 0; i < 8000; i++) await count();
    await verify('');
    const once = await cpuTimeOf(() => verify(''));
    const over = new AbortController();
    let served = 0;
    const spent = await cpuTimeOf(async () => {
      const waiting = verify('wait=2s').finally(() => over.abort());
      while (!over.signal.aborted && served < mostServed) {
        await count();
        served++;
        await atOnce();
      }
      expect(await waiting).toContain('"verdict":"FAIL"');
    });
    // With a judgement for each request there would be about as many as fit into the time.
    expect(served).toBeGreaterThan((5 * spent) / once);
  });
});
