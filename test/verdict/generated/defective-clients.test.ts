/** The same clients with one planted defect: whenever it shows, the verdict must fail the client, by the rule that is meant. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sim } from '../../../src/simulator/sim.ts';
import { defects } from './defects.ts';
import type { Defect } from './defects.ts';
import { openTheatre, play, timelineOf } from './play.ts';
import { defectivePlanOf } from './plan.ts';
import type { Plan } from './plan.ts';

let sim: Sim;

beforeAll(async () => {
  sim = await openTheatre();
});
afterAll(() => sim.close());

/** How many runs in which the defect shows: `DEFECTIVE_CLIENTS=200 npx vitest run test/verdict/generated` plays all defects. */
const wanted = Number(process.env['DEFECTIVE_CLIENTS'] ?? 3);

/** Defects that show often enough to be tried in each run of the tests. */
const frequent: readonly Defect[] = [
  'changes the content of each attempt',
  'dates each attempt anew',
  'books the repeat on another customer',
  'repeats a 400 unchanged',
  'repeats a 404',
  'repeats what succeeded',
  'pauses too briefly',
];
const played = process.env['DEFECTIVE_CLIENTS'] ? (Object.keys(defects) as Defect[]) : frequent;
const seed = Number(process.env['DEFECTIVE_CLIENTS_SEED'] ?? 20260301);

interface Tally {
  shown: number;
  failed: number;
  inconclusive: number;
  passed: number;
  /** Failed by another rule. */
  otherwise: number;
  /** What went wrong with the verdict, at most the first. */
  example: string;
}

async function tallyOf(defect: Defect): Promise<Tally> {
  const tally: Tally = { shown: 0, failed: 0, inconclusive: 0, passed: 0, otherwise: 0, example: '' };
  const plans = fc.sample(defectivePlanOf(defect), { seed, numRuns: wanted * 60 });
  for (const plan of plans) {
    if (tally.shown === wanted) break;
    await count(plan, defect, tally);
  }
  return tally;
}

async function count(plan: Plan, defect: Defect, tally: Tally): Promise<void> {
  const { verdict, exercised } = await play(plan, { sim, way: 'in process', defect });
  if (exercised === 0) return;
  tally.shown += 1;
  const meant = defects[defect].rules;
  const failing = verdict.operations.flatMap(({ findings }) => findings.filter(({ level }) => level === 'fail'));
  if (failing.some(({ rule }) => meant.includes(rule))) tally.failed += 1;
  else if (verdict.verdict === 'INCONCLUSIVE') tally.inconclusive += 1;
  else if (verdict.verdict === 'PASS') tally.passed += 1;
  else tally.otherwise += 1;
  if (verdict.verdict === 'PASS') tally.example ||= `${timelineOf(verdict)}\n${JSON.stringify(plan)}`;
}

it.each(played)('the verdict fails a client that %s', { timeout: 3_600_000 }, async (defect) => {
  const { shown, failed, passed, example, ...others } = await tallyOf(defect);
  expect({ shown: shown > 0, passed, example }).toEqual({ shown: true, passed: 0, example: '' });
  expect(failed / shown, JSON.stringify({ shown, failed, ...others })).toBeGreaterThanOrEqual(0.95);
});
