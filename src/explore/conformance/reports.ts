/** Renders reports of the suite: the table, then the new failures. */
import { escapeControls } from '../../core/lib/escape-controls.ts';
import { githubAnnotations } from '../../verdict/report/github-annotations.ts';
import { htmlPage, htmlSection as htmlSectionOf, htmlTable as htmlTableOf } from '../../verdict/report/html.ts';
import { junitSuites } from '../../verdict/report/junit.ts';
import {
  markdownCell,
  markdownSection as markdownSectionOf,
  markdownTable as markdownTableOf,
} from '../../verdict/report/markdown.ts';
import type { ReportItem, ReportedRun } from '../../verdict/report/report-items.ts';
import { escapeMarkup } from '../../verdict/report/timeline-svg.ts';
import type { CaseResult } from './case-result.ts';
import { countOutcomes, conformanceTable, conformanceStatus } from './results-table.ts';
import type { ConformanceResults } from './results-table.ts';

const titleOf = (results: ConformanceResults): string => `${conformanceStatus(results)}: ${countOutcomes(results)}`;

/** Returns the runs that failed or are inconclusive. */
const unwellRuns = (results: ConformanceResults): ReportedRun[] =>
  [...results].flatMap(([client, cases]) =>
    cases
      .filter(({ outcome }) => outcome === 'FAIL' || outcome === 'INCONCLUSIVE')
      .flatMap(({ runs, as }) => (as === undefined ? runs.filter((run) => !isPassed(run)) : []))
      .map((run) => ({ ...run, name: `${client} · ${run.name}` })),
  );

/** Describes what no verdict of a run shows: wrong entries of the baseline, and a state that differs. */
const withoutRunOf = (results: ConformanceResults): string[] =>
  [...results].flatMap(([client, cases]) =>
    cases
      .filter(({ outcome, runs }) => outcome === 'stale' || (outcome === 'FAIL' && runs.every(isPassed)))
      .map(({ id, reason }) => `${client} · ${id}: ${reason}`),
  );

const isPassed = ({ verdict: { verdict } }: ReportedRun): boolean => verdict === 'PASS';

export function conformanceMarkdown(results: ConformanceResults): string {
  const [heads = [], ...rows] = conformanceTable(results).map((cells) => cells.map(markdownCell));
  return `${[
    `## ${titleOf(results)}`,
    '',
    ...markdownTableOf(heads, rows),
    '',
    ...withoutRunOf(results).map((line) => `- ${markdownCell(line)}`),
    '',
    ...unwellRuns(results).flatMap(markdownSectionOf),
  ].join('\n')}\n`;
}

export const conformancePage = (results: ConformanceResults): string =>
  htmlPage('loyalty-sim conformance', [
    `<p>${escapeMarkup(titleOf(results))}</p>`,
    htmlTableOf(conformanceTable(results).map((cells) => cells.map(escapeMarkup))),
    ...withoutRunOf(results).map((line) => `<p class="FAIL">${escapeMarkup(line)}</p>`),
    ...unwellRuns(results).map(htmlSectionOf),
  ]);

/** Renders a suite for each client, with the cases that it exercised. */
export const conformanceJunit = (results: ConformanceResults): string =>
  junitSuites(
    [...results].map(([name, cases]) => ({
      name,
      at: cases.flatMap(({ runs }) => runs)[0]?.at,
      ms: cases.reduce((sum, { ms }) => sum + ms, 0),
      items: cases.flatMap(itemOf),
    })),
  );

function itemOf({ id, description, outcome, reason, ms }: CaseResult): ReportItem[] {
  if (outcome === 'not exercised') return [];
  const verdict = outcome === 'known' ? 'PASS' : outcome === 'stale' ? 'FAIL' : outcome;
  const name = outcome === 'known' ? `${id} (a known failure)` : id;
  return [{ kind: 'case', name, verdict, messages: [description, reason], advice: [], ms }];
}

export const conformanceJson = (results: ConformanceResults): string =>
  escapeControls(
    `${JSON.stringify({ verdict: conformanceStatus(results), clients: Object.fromEntries(results) }, null, 2)}\n`,
  );

export const conformanceAnnotations = (results: ConformanceResults): string[] => [
  ...withoutRunOf(results).map((line) => `::error title=conformance::${line}`),
  ...githubAnnotations(unwellRuns(results)),
];
