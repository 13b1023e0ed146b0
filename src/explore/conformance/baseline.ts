/** Describes a baseline: failures of clients that are known, and accepted until they are fixed. */
import * as z from '../../core/validation/deferred-zod.ts';
import { notExercised } from './case-result.ts';
import type { CaseResult } from './case-result.ts';
import type { CaseCatalog, CaseSelection } from './cases.ts';

export const baselineSchema = z.strictObject({
  knownFailures: z.record(z.string(), z.array(z.string(), { error: 'must be a list of cases' }).readonly(), {
    error: 'must name clients, each with a list of cases',
  }),
});

export type Baseline = z.infer<typeof baselineSchema>;

/** Lists the cases of a suite, and those of them that were to run. */
interface CasesOfRun {
  readonly catalog: CaseCatalog;
  readonly isSelected: CaseSelection;
}

/** Compares a result with the client's known failures. */
export const applyBaseline = (known: readonly string[], result: CaseResult): CaseResult =>
  known.includes(result.id) ? compareWithFailure(result) : result;

/** Returns a result for each known failure that is none of these cases: it names no case at all, or none of this client. */
export function unknownCases(
  known: readonly string[],
  results: readonly CaseResult[],
  { catalog, isSelected }: CasesOfRun,
): CaseResult[] {
  const ids = results.map(({ id }) => id);
  return known.flatMap((id) => {
    if (ids.includes(id)) return [];
    const now = catalog.ofClass(id, ids);
    if (now.length > 0)
      return [
        unknownCase(id, `the baseline names a class, and cases have the names of endpoints now: ${now.join(', ')}`),
      ];
    if (catalog.isCase(id)) return isSelected(id) ? [compareWithFailure(notExercised({ id, description: '' }))] : [];
    return [unknownCase(id, `the baseline names a case that does not exist${catalog.suggest(id, ids)}`)];
  });
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
  { catalog, isSelected }: CasesOfRun,
): Baseline {
  const found = [...results].map(([client, cases]) => {
    const kept = (before.knownFailures[client] ?? []).filter((known) => catalog.isCase(known) && !isSelected(known));
    return [client, [...kept, ...failuresIn(cases)]] as const;
  });
  const all = { ...before.knownFailures, ...Object.fromEntries(found) };
  return { knownFailures: Object.fromEntries(Object.entries(all).filter(([, failures]) => failures.length > 0)) };
}

const failuresIn = (cases: readonly CaseResult[]): string[] =>
  cases.filter(({ outcome }) => outcome === 'FAIL').map(({ id }) => id);
