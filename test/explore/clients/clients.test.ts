/** The client programs that explorations are tried on: none fails without faults, and each defect shows with the faults named beside it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSim } from '../../../src/simulator/create-sim.ts';
import type { Sim } from '../../../src/simulator/sim.ts';
import type { Verdict } from '../../../src/verdict/verdict.ts';
import type { ExploredClient, WrongTill } from './tills.ts';
import { wrongTills } from './tills.ts';

let sim: Sim;
let tenants = 0;

beforeAll(async () => {
  sim = await createSim();
});
afterAll(() => sim.close());

type TillFunction = (fetch: typeof globalThis.fetch, baseUrl: string, key: string) => Promise<void>;

/** Plays a function in a tenant of its own, and returns the tenant's name. */
async function play(client: ExploredClient, rules: WrongTill['shownBy'] = []): Promise<string> {
  const tenant = sim.tenant(`${client.name}-${(tenants += 1)}`);
  await tenant.applyScenario({ rules: [...rules], policy: client.policy });
  const module: Readonly<Record<string, TillFunction>> = await import(new URL(client.file, import.meta.url).href);
  await module[client.function ?? '']?.(tenant.fetch as typeof globalThis.fetch, '', 'till-key');
  return tenant.name;
}

const requestsOf = ({ operations }: Verdict): number =>
  operations.reduce((sum, { attempts }) => sum + attempts.length, 0);

const failuresOf = ({ operations, checks }: Verdict): string[] => [
  ...new Set(
    operations.flatMap(({ findings }) => findings.filter(({ level }) => level === 'fail').map((one) => one.rule)),
  ),
  ...(checks.some(({ verdict }) => verdict === 'FAIL') ? ['state'] : []),
];

// A busy machine may let a client wait for longer than it does.
const again = { retry: 3 };

it('names each client once', () => {
  expect(new Set(wrongTills.map(({ name }) => name)).size).toBe(wrongTills.length);
});

describe('a till that is a function', () => {
  const tills = wrongTills.filter((till) => till.function !== undefined);

  it.concurrent.each(tills)('$name passes without faults', again, async (till) => {
    const verdict = await sim.verdict({ tenant: await play(till), clientEnded: true });
    expect([verdict.verdict, verdict.reason, requestsOf(verdict)]).toEqual(['PASS', expect.anything(), till.calls]);
  });

  it.concurrent.each(tills)('$name $defect', again, async (till) => {
    const reference = await play(till);
    const tenant = await play(till, till.shownBy);
    // What would be forwarded by now is lost.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const failed = failuresOf(await sim.verdict({ tenant, reference, clientEnded: true }));
    const { rules, also = [], why } = till;
    expect(
      failed.some((rule) => rules.includes(rule)),
      `${why} Failed: ${failed.join(' ')}`,
    ).toBe(true);
    expect(failed.filter((rule) => ![...rules, ...also, 'state'].includes(rule))).toEqual([]);
  });
});
