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

/** Limits the operations that are shown of a case. */
const maxShown = 2;

/** Returns lines for the cases of a client; of the whole suite, classes that are absent have one line each. */
export function formatCases(results: readonly CaseResult[], isWhole: boolean): string[] {
  const absent = isWhole ? results.filter(isOfAbsentClass) : [];
  const classes = new Set(absent.map(({ id }) => id.split('/', 1)[0]));
  return [
    ...results.filter((result) => !absent.includes(result)).flatMap(formatCase),
    ...[...classes].map((name) =>
      colorize(`${outcomeMarks['not exercised']} ${`${name}/*`.padEnd(width)} not exercised`),
    ),
  ];
}

const isOfAbsentClass = ({ id, outcome }: CaseResult): boolean =>
  outcome === 'not exercised' && /^(?:safe|idempotent|keyed|unkeyed|once)\//.test(id);

/** Sets the room for the name of a case. */
const width = 28;

/** Returns lines for a case, with the operations that did not pass. */
function formatCase({ id, outcome, reason, description, basis, as, runs }: CaseResult): string[] {
  const line = `${outcomeMarks[outcome]} ${id.padEnd(width)}`;
  if (as !== undefined) return [colorize(`${line} ${outcome}, as ${as}`)];
  if (basis && outcome === 'not exercised') return [colorize(`${line} ${outcome}: ${reason}`)];
  if (basis && outcome === 'PASS' && reason) return [colorize(`${line} ${outcome}, ${reason}`)];
  if (outcome !== 'FAIL' && outcome !== 'INCONCLUSIVE') return [colorize(`${line} ${outcome}`)];
  const failed = runs
    .flatMap(({ verdict }) => verdict.operations)
    .filter(({ verdict }) => verdict !== 'PASS')
    .slice(0, maxShown);
  return [
    colorize(`${line} ${outcome}: ${reason}`),
    colorize(`      ${description}`),
    ...(basis ? [colorize(`      ${basis.source}: ${basis.text}`)] : []),
    ...failed.flatMap(formatTimeline).map((text) => colorize(`    ${text}`)),
  ];
}

/** Returns the results: a table if there are several clients, differences from the baseline, and the verdict. */
export function formatConformance(results: ConformanceResults, { knownFailures }: Baseline): string[] {
  const stale = [...results].flatMap(([client, cases]) =>
    cases.filter(({ outcome }) => outcome === 'stale').map(({ id, reason }) => `✗ ${client} · ${id}: ${reason}`),
  );
  const absent = Object.keys(knownFailures).filter((client) => !results.has(client));
  return [
    ...(results.size > 1 ? tableLines(results) : []),
    ...stale,
    ...absent.map((client) => `note: the baseline names "${client}", which was not run`),
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
