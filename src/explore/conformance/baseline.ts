/** Failures of clients that are known, and not to be told again until they are mended. */
import * as z from 'zod';
import { didYouMean } from '../../core/lib/suggest.ts';
import { conformanceCases } from './cases.ts';
import type { CaseResult } from './case-result.ts';

export const baselineSchema = z.strictObject({
  knownFailures: z.record(z.string(), z.array(z.string(), { error: 'must be a list of cases' }).readonly(), {
    error: 'must name clients, each with a list of cases',
  }),
});

export type Baseline = z.infer<typeof baselineSchema>;

/** A result by what the baseline knows of the client. */
export const applyBaseline = (known: readonly string[], result: CaseResult): CaseResult =>
  known.includes(result.id) ? heldTo(result) : result;

/** Entries that name no case, each as a result. */
export function unknownCases(known: readonly string[]): CaseResult[] {
  const names = conformanceCases.map(({ id }) => id);
  return known
    .filter((id) => !names.includes(id))
    .map((id) => stranger(id, `the baseline names a case that there is not${didYouMean(id, names)}`));
}

const stranger = (id: string, reason: string): CaseResult => ({
  id,
  description: '',
  outcome: 'stale',
  reason: `${reason}${reason.endsWith('?') ? '' : '.'} Take it out of the file.`,
  exitCode: null,
  ms: 0,
  runs: [],
});

function heldTo(result: CaseResult): CaseResult {
  const { outcome } = result;
  if (outcome === 'FAIL') return { ...result, outcome: 'known' };
  if (outcome === 'INCONCLUSIVE') return result;
  const now = outcome === 'PASS' ? 'passes' : `is ${outcome}`;
  const reason = `the baseline has it fail, and it ${now}: take it out of the file, or run with --update-baseline`;
  return { ...result, outcome: 'stale', reason };
}

/** What the baseline is to say after these results; it keeps what it says of cases and clients that did not run. */
export function updatedBaseline(before: Baseline, results: ReadonlyMap<string, readonly CaseResult[]>): Baseline {
  const found = [...results].map(([client, cases]) => {
    const kept = (before.knownFailures[client] ?? []).filter((known) => isLeftAlone(known, cases));
    return [client, [...kept, ...failuresIn(cases)]] as const;
  });
  const all = { ...before.knownFailures, ...Object.fromEntries(found) };
  return { knownFailures: Object.fromEntries(Object.entries(all).filter(([, failures]) => failures.length > 0)) };
}

/** Whether an entry names a case that was not asked for. */
const isLeftAlone = (known: string, cases: readonly CaseResult[]): boolean =>
  conformanceCases.some(({ id }) => id === known) && !cases.some(({ id }) => id === known);

const failuresIn = (cases: readonly CaseResult[]): string[] =>
  cases.filter(({ outcome }) => outcome === 'FAIL').map(({ id }) => id);
