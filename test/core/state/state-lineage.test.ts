import { describe, expect, it } from 'vitest';
import { StateLineage } from '../../../src/core/tenant/state-lineage.ts';

const lineageOf = (...setBacks: readonly (readonly [at: number, to: number])[]): StateLineage => {
  const lineage = new StateLineage();
  for (const [at, to] of setBacks) lineage.setBack(at, to);
  return lineage;
};

describe('a state with its lineage', () => {
  it.each<[string, StateLineage, [earlier: number, later: number], boolean]>([
    ['all that was done, when nothing was set back', lineageOf(), [1, 3], true],
    ['what was done before the snapshot', lineageOf([4, 2]), [2, 5], true],
    ['nothing of what was done after it', lineageOf([4, 2]), [3, 5], false],
    ['what was done after it, until it is restored', lineageOf([4, 2]), [2, 3], true],
    ['what was done since it was restored', lineageOf([4, 2]), [4, 6], true],
    ['nothing after a reset to the start', lineageOf([4, -1]), [0, 4], false],
    ['what a restored snapshot brings back', lineageOf([4, 1], [6, 3]), [3, 7], true],
    ['nothing of a side branch', lineageOf([4, 1], [6, 3]), [5, 7], false],
    ['nothing of before two restores of one snapshot', lineageOf([4, 1], [6, 1]), [3, 7], false],
  ])('holds %s', (_, lineage, [earlier, later], expected) => {
    expect(lineage.holds(earlier, later)).toBe(expected);
  });

  it('answers the same of later states once it has forgotten the earlier ones', () => {
    const setBacks = [
      [4, 1],
      [6, 3],
      [8, 2],
      [9, 7],
    ] as const;
    const states = [6, 7, 8, 9, 10];
    const answersOf = (lineage: StateLineage) => states.map((one) => states.map((other) => lineage.holds(one, other)));
    const whole = lineageOf(...setBacks);
    const forgetful = lineageOf(...setBacks);
    const captured = forgetful.capture();
    forgetful.forgetBefore(6);
    expect(answersOf(forgetful)).toEqual(answersOf(whole));
    expect(forgetful.holds(3, 5)).toBe(true);
    expect(captured.holds(3, 5)).toBe(false);
  });
});
