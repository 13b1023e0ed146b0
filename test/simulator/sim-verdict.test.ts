import { expect, it } from 'vitest';
import { openEmptySim } from '../support/open-sim.ts';

it('a verdict lets others have their turn before it judges and before its caller goes on', async () => {
  const { sim } = await openEmptySim();
  await sim.verdict();
  let turns = 0;
  const judged = sim.verdict();
  const count = (): void => {
    turns++;
    if (turns < 10) setImmediate(count);
  };
  setImmediate(count);
  await judged;
  expect(turns).toBeGreaterThanOrEqual(2);
});
