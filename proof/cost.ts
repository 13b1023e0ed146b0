import { createSim } from '../src/simulator/create-sim.ts';
import type { ClientFunction } from '../test/explore/clients/function-of.ts';
import { functionOf } from '../test/explore/clients/function-of.ts';
import { rightClients } from '../test/explore/clients/right.ts';
import { exploreInProcess } from './explored.ts';
import type { ProofRow } from './row.ts';

/** So many runs without an exploration show what the client and the responses to it cost. */
const plainRuns = 100;

/** Shows how long a client of some thirty requests takes: one that is right, so that every point is tried. */
export const cost: ProofRow = {
  name: 'cost',
  what: 'a client of 29 requests in process, levels 1 to 3',
  asked: '≤ 200 runs, ≤ 30 s, ≤ 10 ms CPU a run besides the client and the responses to it',
  run: async (settings) => {
    const [sale, desk] = rightClients;
    if (!sale || !desk) throw new Error('the list of right clients is empty');
    const [sell, serve] = [await functionOf(sale), await functionOf(desk)];
    let requests = 0;
    const client: ClientFunction = async (fetch, ...rest) => {
      const counted: typeof fetch = (...request) => {
        requests++;
        return fetch(...request);
      };
      await sell(counted, ...rest);
      await serve(counted, ...rest);
    };
    const { runs, ms, cpu, calls } = await exploreInProcess(sale.policy, client, { level: 3 });
    const explored = requests;
    // Each request costs what it does without an exploration: the client's part and that of the service.
    const perRequest = await cpuOfPlainRuns(client).then((plain) => plain / (requests - explored));
    const [whole, own] = [cpu / runs, (cpu - perRequest * explored) / runs];
    const seconds = ms / 1000;
    const figure =
      `${runs} runs, ${seconds.toFixed(0)} s, ${whole.toFixed(0)} ms CPU a run, ` +
      `${own.toFixed(1)} ms of it besides ${(explored / runs).toFixed(0)} requests`;
    settings.print(`${calls} requests, ${figure} of ${perRequest.toFixed(2)} ms`);
    return { figure, isReached: runs <= 200 && seconds <= 30 && own <= 10 };
  },
};

/** Returns the processor time, in ms, of runs that nobody explores or judges. */
async function cpuOfPlainRuns(client: ClientFunction): Promise<number> {
  const sim = await createSim();
  const before = process.cpuUsage();
  for (let run = 0; run < plainRuns; run++) {
    const tenant = sim.tenant();
    await client(tenant.fetch as typeof fetch, 'http://127.0.0.1', 'till-key');
    await tenant.close();
  }
  const { user, system } = process.cpuUsage(before);
  await sim.close();
  return (user + system) / 1000;
}
