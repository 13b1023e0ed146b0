/** The same clients with one planted defect: whenever it shows, the verdict must fail the client, by the rule that is meant. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sim } from '../../../src/simulator/sim.ts';
import { defects } from './defects.ts';
import type { Defect } from './defects.ts';
import { openTheatre } from './play.ts';
import { tallyOf } from './tally.ts';

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

it.each(played)('the verdict fails a client that %s', { timeout: 3_600_000 }, async (defect) => {
  const { shown, failed, passed, example, ...others } = await tallyOf(sim, defect, { seed, wanted });
  expect({ shown: shown > 0, passed, example }).toEqual({ shown: true, passed: 0, example: '' });
  expect(failed / shown, JSON.stringify({ shown, failed, ...others })).toBeGreaterThanOrEqual(0.95);
});
