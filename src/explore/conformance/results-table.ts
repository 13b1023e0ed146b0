/** Shows the results of clients by case. */
import type { VerdictStatus } from '../../verdict/status.ts';
import type { CaseResult, CaseOutcome } from './case-result.ts';

/** Describes the results of each client, by its name. */
export type ConformanceResults = ReadonlyMap<string, readonly CaseResult[]>;

export const outcomeMarks: Readonly<Record<CaseOutcome, string>> = {
  PASS: '✓',
  FAIL: '✗',
  INCONCLUSIVE: '?',
  known: '·',
  stale: '✗',
  'not exercised': '–',
};

/** Returns a row for each case, with a cell for each client, after a row of headings. */
export function conformanceTable(results: ConformanceResults): string[][] {
  const ids = [...new Set([...results.values()].flatMap((cases) => cases.map(({ id }) => id)))];
  const rows = ids.map((id) => [
    id,
    ...[...results.values()].map((cases) => cellOf(cases.find((one) => one.id === id))),
  ]);
  return [['', ...results.keys()], ...rows];
}

const cellOf = (result: CaseResult | undefined): string =>
  result === undefined ? '' : `${outcomeMarks[result.outcome]} ${result.outcome}`;

const counts = ['PASS', 'FAIL', 'stale', 'INCONCLUSIVE', 'known', 'not exercised'] as const;

/** Returns `3 PASS, 1 FAIL, 12 not exercised`. */
export function countOutcomes(results: ConformanceResults): string {
  const all = [...results.values()].flat();
  return counts
    .map((outcome) => [all.filter((one) => one.outcome === outcome).length, outcome] as const)
    .filter(([count]) => count > 0)
    .map(([count, outcome]) => `${count} ${outcome}`)
    .join(', ');
}

/** Returns the status of all results; a known failure counts as a pass. */
export function conformanceStatus(results: ConformanceResults): VerdictStatus {
  const all = new Set([...results.values()].flat().map(({ outcome }) => outcome));
  if (all.has('FAIL') || all.has('stale')) return 'FAIL';
  return all.has('INCONCLUSIVE') || !(all.has('PASS') || all.has('known')) ? 'INCONCLUSIVE' : 'PASS';
}
