/** Plays a plan against a tenant of its own, and reads the verdict. */
import { startSim } from '../../support/open-sim.ts';
import type { Sim } from '../../../src/simulator/sim.ts';
import type { PolicyInput } from '../../../src/scenario/policy-schema.ts';
import type { ScenarioInput } from '../../../src/scenario/scenario-schema.ts';
import type { Verdict } from '../../../src/verdict/verdict.ts';
import type { Defect } from './defects.ts';
import { faultOf } from './plan.ts';
import type { Plan } from './plan.ts';
import type { Sign } from './signs.ts';
import { Stagehand } from './stagehand.ts';
import { Till } from './till.ts';
import { openTransport } from './transport.ts';

export const openTheatre = (): Promise<Sim> => startSim();

interface PlayOptions {
  readonly sim: Sim;
  readonly way: 'in process' | 'over HTTP';
  readonly defect?: Defect | undefined;
}

export interface Played {
  readonly verdict: Verdict;
  /** How often the planted defect has shown, and has had an effect in the end. */
  readonly exercised: number;
}

export async function play(plan: Plan, { sim, way, defect }: PlayOptions): Promise<Played> {
  const tenant = sim.tenant();
  try {
    await tenant.clock.freeze('2026-03-01T12:00:00Z');
    await tenant.applyScenario({ rules: rulesOf(plan), policy: policyOf(plan) });
    const stagehand = new Stagehand(tenant);
    const random = randomFrom(plan.seed);
    const signs: Sign[] = [];
    const exercise = (sign: Sign = () => true): void => void signs.push(sign);
    const tills = Array.from({ length: plan.tills }, (_, index) => {
      const connections = way === 'over HTTP' ? plan.connections : undefined;
      const connect = () => openTransport({ tenant, stagehand, connections, headers: headersOf(plan, index) });
      const till = new Till({ index, plan, stagehand, random, connect, defect, exercise });
      return () => till.run(plan.works.filter((work) => work.till === index));
    });
    await stagehand.run(tills);
    // Nothing that waits longer than its client has ever waited is still to come.
    await tenant.clock.advance('2h');
    const requests = tenant.requests();
    return { verdict: await tenant.verdict(), exercised: signs.filter((sign) => sign(requests)).length };
  } finally {
    tenant.close();
  }
}

const rulesOf = ({ rules }: Plan): ScenarioInput['rules'] =>
  rules.map(({ endpoint, skip, faults }) => ({
    match: { endpoint },
    skip,
    optional: true,
    fault: faults.map(faultOf),
  })) as ScenarioInput['rules'];

const policyOf = ({ pauses, fallback, declares }: Plan): PolicyInput => ({
  ...(declares.attempts && { maxAttempts: pauses.length + 1 }),
  ...(declares.pauses && { minBackoff: [...pauses] }),
  ...(declares.fallback && { storeAndForward: { after: fallback } }),
});

const headersOf = ({ identity }: Plan, index: number): Readonly<Record<string, string>> => ({
  'user-agent': identity === 'agents' ? `till-${index + 1}/1.0` : 'till/1.0',
  ...(identity === 'declared' && { 'x-sim-client': `till-${index + 1}` }),
});

/** Draws numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The requests in time with what became of them, and what the verdict says. */
export function timelineOf({ operations, verdict, reason }: Verdict): string {
  const attempts = operations.flatMap((operation, i) =>
    operation.attempts.map((attempt) => ({
      number: Number(attempt.request.split('-').at(-1)),
      line: `${attempt.at.slice(11, 23)} #${i + 1} ${operation.requestLine} (${operation.key.value ?? operation.key.by}): ${attempt.end}`,
    })),
  );
  const found = operations.flatMap(({ findings }, i) =>
    findings.map(({ rule, level, message }) => `#${i + 1} ${rule} ${level}: ${message}`),
  );
  const lines = attempts.toSorted((a, b) => a.number - b.number).map(({ line }) => line);
  return [`${verdict}: ${reason}`, ...lines, ...found].join('\n');
}
