import { describe, expect, it } from 'vitest';
import { functionOf } from './clients/function-of.ts';
import { wrongTills } from './clients/tills.ts';
import type { WrongTill } from './clients/tills.ts';
import { startSim } from '../support/open-sim.ts';

/** A few of them, one for each level; EXPLORE_TILLS=all tries all that can be called in process, without a limit of runs. */
const few: readonly string[] = ['split-bill', 'fresh-time', 'next-coupon', 'retry-after', 'counts-too-late'];
const isFull = process.env['EXPLORE_TILLS'] === 'all';
const tried = wrongTills.filter(({ name, function: own }) => own !== undefined && (isFull || few.includes(name)));

/** Explores a till, and returns the rules of all that is found, the state among them. */
async function rulesFoundAt(till: WrongTill): Promise<string[]> {
  const sim = await startSim({ policy: till.policy });
  try {
    const client = await functionOf(till);
    const { findings, reason } = await sim.explore((tenant) => client(tenant.fetch, 'http://127.0.0.1', 'till-key'), {
      jobs: 8,
      ...(!isFull && { maxRuns: 24 }),
    });
    expect(findings.length, reason).toBeGreaterThan(0);
    return findings.flatMap(({ rule, also }) => [rule, ...also]);
  } finally {
    await sim.close();
  }
}

describe('exploring a till that', () => {
  it.each(tried.map((till) => [till.defect, till] as const))(
    '%s',
    async (_, till) => {
      const rules = await rulesFoundAt(till);
      expect(
        rules.some((rule) => till.rules.includes(rule)),
        rules.join(),
      ).toBe(true);
    },
    isFull ? 900_000 : 120_000,
  );
});
