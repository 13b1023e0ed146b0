import type { Baseline } from '../verdict/conformance/baseline.ts';
import type { CaseResult } from '../verdict/conformance/result.ts';
import { countsOf, outcomeMarks, tableOfCases, verdictOfCases } from '../verdict/conformance/table.ts';
import type { Results } from '../verdict/conformance/table.ts';
import { timelineOf } from '../verdict/timeline.ts';
import { coloured } from './run-lines.ts';

/** How many operations of a case are shown. */
const most = 2;

/** A case that was run, and what is wrong with it. */
export function caseLines({ id, outcome, reason, description, runs }: CaseResult): string[] {
  const line = `${outcomeMarks[outcome]} ${id.padEnd(22)}`;
  if (outcome !== 'FAIL' && outcome !== 'INCONCLUSIVE') return [coloured(`${line} ${outcome}`)];
  const unwell = runs
    .flatMap(({ verdict }) => verdict.operations)
    .filter(({ verdict }) => verdict !== 'PASS')
    .slice(0, most);
  return [
    coloured(`${line} ${outcome}: ${reason}`),
    coloured(`      ${description}`),
    ...unwell.flatMap(timelineOf).map((text) => coloured(`    ${text}`)),
  ];
}

/** All of it at a glance: the table where there are several clients, what the baseline says, the verdict. */
export function conformanceLines(results: Results, { knownFailures }: Baseline): string[] {
  const wrong = [...results].flatMap(([client, cases]) =>
    cases.filter(({ outcome }) => outcome === 'stale').map(({ id, reason }) => `✗ ${client} · ${id}: ${reason}`),
  );
  const absent = Object.keys(knownFailures).filter((client) => !results.has(client));
  return [
    ...(results.size > 1 ? tableLines(results) : []),
    ...wrong,
    ...absent.map((client) => `note: the baseline knows of "${client}", which was not run`),
    `${verdictOfCases(results)}: ${countsOf(results)}`,
  ].map(coloured);
}

function tableLines(results: Results): string[] {
  const rows = tableOfCases(results);
  const [heads = []] = rows;
  const widths = heads.map((_, i) => Math.max(...rows.map((cells) => cells[i]?.length ?? 0)));
  return [
    '',
    ...rows.map((cells) =>
      cells
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
    '',
  ];
}
