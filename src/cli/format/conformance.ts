import type { Baseline } from '../../explore/conformance/baseline.ts';
import type { CaseResult } from '../../explore/conformance/case-result.ts';
import {
  countOutcomes,
  outcomeMarks,
  conformanceTable,
  conformanceStatus,
} from '../../explore/conformance/results-table.ts';
import type { ConformanceResults } from '../../explore/conformance/results-table.ts';
import { formatTimeline } from '../../format/timeline.ts';
import { colorize } from './runs.ts';

/** How many operations of a case are shown. */
const most = 2;

/** A case that was run, and what is wrong with it. */
export function formatCase({ id, outcome, reason, description, runs }: CaseResult): string[] {
  const line = `${outcomeMarks[outcome]} ${id.padEnd(22)}`;
  if (outcome !== 'FAIL' && outcome !== 'INCONCLUSIVE') return [colorize(`${line} ${outcome}`)];
  const unwell = runs
    .flatMap(({ verdict }) => verdict.operations)
    .filter(({ verdict }) => verdict !== 'PASS')
    .slice(0, most);
  return [
    colorize(`${line} ${outcome}: ${reason}`),
    colorize(`      ${description}`),
    ...unwell.flatMap(formatTimeline).map((text) => colorize(`    ${text}`)),
  ];
}

/** All of it at a glance: the table where there are several clients, what the baseline says, the verdict. */
export function formatConformance(results: ConformanceResults, { knownFailures }: Baseline): string[] {
  const wrong = [...results].flatMap(([client, cases]) =>
    cases.filter(({ outcome }) => outcome === 'stale').map(({ id, reason }) => `✗ ${client} · ${id}: ${reason}`),
  );
  const absent = Object.keys(knownFailures).filter((client) => !results.has(client));
  return [
    ...(results.size > 1 ? tableLines(results) : []),
    ...wrong,
    ...absent.map((client) => `note: the baseline knows of "${client}", which was not run`),
    `${conformanceStatus(results)}: ${countOutcomes(results)}`,
  ].map(colorize);
}

function tableLines(results: ConformanceResults): string[] {
  const rows = conformanceTable(results);
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
