/** A baseline: failures of clients that are known, and accepted until they are fixed. */
import * as z from 'zod';
import { didYouMean } from '../../core/lib/suggest.ts';
import type { CaseResult } from './case-result.ts';
import type { ConformanceCase } from './cases.ts';

export const baselineSchema = z.strictObject({
  knownFailures: z.record(z.string(), z.array(z.string(), { error: 'must be a list of cases' }).readonly(), {
    error: 'must name clients, each with a list of cases',
  }),
});

export type Baseline = z.infer<typeof baselineSchema>;

/** Compares a result with the client's known failures. */
export const applyBaseline = (known: readonly string[], result: CaseResult): CaseResult =>
  known.includes(result.id) ? compareWithFailure(result) : result;

/** Returns a result for each known failure that names no case of the suite. */
export function unknownCases(known: readonly string[], suite: readonly ConformanceCase[]): CaseResult[] {
  const names = suite.map(({ id }) => id);
  return known
    .filter((id) => !names.includes(id))
    .map((id) => unknownCase(id, `the baseline names a case that does not exist${didYouMean(id, names)}`));
}

const unknownCase = (id: string, reason: string): CaseResult => ({
  id,
  description: '',
  outcome: 'stale',
  reason: `${reason}${reason.endsWith('?') ? '' : '.'} Take it out of the file.`,
  exitCode: null,
  ms: 0,
  runs: [],
});

function compareWithFailure(result: CaseResult): CaseResult {
  const { outcome } = result;
  if (outcome === 'FAIL') return { ...result, outcome: 'known' };
  if (outcome === 'INCONCLUSIVE') return result;
  const now = outcome === 'PASS' ? 'passes' : `is ${outcome}`;
  const reason = `the baseline lists it as a failure, and it ${now}: remove it from the file, or run with --update-baseline`;
  return { ...result, outcome: 'stale', reason };
}

/** Returns the baseline after these results; entries of cases and clients that did not run stay. */
export function updatedBaseline(
  before: Baseline,
  results: ReadonlyMap<string, readonly CaseResult[]>,
  suite: readonly ConformanceCase[],
): Baseline {
  const found = [...results].map(([client, cases]) => {
    const kept = (before.knownFailures[client] ?? []).filter((known) => didNotRun(known, cases, suite));
    return [client, [...kept, ...failuresIn(cases)]] as const;
  });
  const all = { ...before.knownFailures, ...Object.fromEntries(found) };
  return { knownFailures: Object.fromEntries(Object.entries(all).filter(([, failures]) => failures.length > 0)) };
}

/** True when an entry names a case of the suite that was not selected. */
const didNotRun = (known: string, cases: readonly CaseResult[], suite: readonly ConformanceCase[]): boolean =>
  suite.some(({ id }) => id === known) && !cases.some(({ id }) => id === known);

const failuresIn = (cases: readonly CaseResult[]): string[] =>
  cases.filter(({ outcome }) => outcome === 'FAIL').map(({ id }) => id);
