/** Clients that do everything correctly, drawn at random: none of them may be failed. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sim } from '../../../src/simulator/sim.ts';
import type { Verdict } from '../../../src/verdict/verdict.ts';
import { openTheatre, play, timelineOf } from './play.ts';
import { planOf } from './plan.ts';

let sim: Sim;

beforeAll(async () => {
  sim = await openTheatre();
  await sim.listen();
});
afterAll(() => sim.close());

/**
 * `RIGHT_CLIENTS=10000 npx vitest run test/verdict/generated` plays more of them;
 * `RIGHT_CLIENTS_SEED=7` draws others.
 */
const runs = Number(process.env['RIGHT_CLIENTS'] ?? 100);
const seed = Number(process.env['RIGHT_CLIENTS_SEED'] ?? 20260301);

const failedBy = ({ operations }: Verdict): string[] =>
  operations.flatMap(({ findings }) => findings.filter(({ level }) => level === 'fail').map(({ rule }) => rule));

it.each([
  ['in process', runs],
  ['over HTTP', Math.ceil(runs / 10)],
] as const)('the verdict fails none of the right clients %s', { timeout: 3_600_000 }, async (way, numRuns) => {
  let judged = 0;
  const property = fc.asyncProperty(planOf(), async (plan) => {
    const { verdict } = await play(plan, { sim, way });
    judged += 1;
    if (failedBy(verdict).length > 0) throw new Error(timelineOf(verdict));
  });
  await fc.assert(property, { seed, numRuns, interruptAfterTimeLimit: 3_000_000 });
  expect(judged).toBe(numRuns);
});
