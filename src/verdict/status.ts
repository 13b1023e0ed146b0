import type { FindingLevel } from '../core/validation/finding.ts';
import * as z from '../core/validation/deferred-zod.ts';

export const verdictStatuses = ['PASS', 'FAIL', 'INCONCLUSIVE'] as const;

/** INCONCLUSIVE: the journal does not prove it either way. */
export const verdictStatusSchema = z.enum(verdictStatuses);

export type VerdictStatus = z.infer<typeof verdictStatusSchema>;

/** Returns the worst status: FAIL outweighs INCONCLUSIVE, which outweighs PASS. */
export function worstStatus(statuses: readonly VerdictStatus[]): VerdictStatus {
  if (statuses.includes('FAIL')) return 'FAIL';
  return statuses.includes('INCONCLUSIVE') ? 'INCONCLUSIVE' : 'PASS';
}

/** Says which verdict a finding of each level leads to. */
export const statusOfLevel = {
  fail: 'FAIL',
  inconclusive: 'INCONCLUSIVE',
  note: 'PASS',
} as const satisfies Readonly<Record<FindingLevel, VerdictStatus>>;
