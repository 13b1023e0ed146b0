/** Reports of the suite: the table, then what failed and is not known. */
import { legible } from '../../core/legible.ts';
import { githubAnnotations } from '../reports/github.ts';
import { pageOf, sectionOf as htmlSectionOf, tableOf as htmlTableOf } from '../reports/html.ts';
import { suitesReport } from '../reports/junit.ts';
import { cell, sectionOf as markdownSectionOf, tableOf as markdownTableOf } from '../reports/markdown.ts';
import type { Item, ReportedRun } from '../reports/reported.ts';
import { escaped } from '../reports/svg.ts';
import type { CaseResult } from './result.ts';
import { countsOf, tableOfCases, verdictOfCases } from './table.ts';
import type { Results } from './table.ts';

const titleOf = (results: Results): string => `${verdictOfCases(results)}: ${countsOf(results)}`;

/** The runs that failed, or tell nothing. */
const unwellRuns = (results: Results): ReportedRun[] =>
  [...results].flatMap(([client, cases]) =>
    cases
      .filter(({ outcome }) => outcome === 'FAIL' || outcome === 'INCONCLUSIVE')
      .flatMap(({ runs }) => runs.filter(({ verdict }) => verdict.verdict !== 'PASS'))
      .map((run) => ({ ...run, name: `${client} · ${run.name}` })),
  );

/** Entries of the baseline that are wrong: there is no run to show. */
const staleOf = (results: Results): string[] =>
  [...results].flatMap(([client, cases]) =>
    cases.filter(({ outcome }) => outcome === 'stale').map(({ id, reason }) => `${client} · ${id}: ${reason}`),
  );

export function conformanceMarkdown(results: Results): string {
  const [heads = [], ...rows] = tableOfCases(results).map((cells) => cells.map(cell));
  return `${[
    `## ${titleOf(results)}`,
    '',
    ...markdownTableOf(heads, rows),
    '',
    ...staleOf(results).map((line) => `- ${cell(line)}`),
    '',
    ...unwellRuns(results).flatMap(markdownSectionOf),
  ].join('\n')}\n`;
}

export const conformancePage = (results: Results): string =>
  pageOf('loyalty-sim conformance', [
    `<p>${escaped(titleOf(results))}</p>`,
    htmlTableOf(tableOfCases(results).map((cells) => cells.map(escaped))),
    ...staleOf(results).map((line) => `<p class="FAIL">${escaped(line)}</p>`),
    ...unwellRuns(results).map(htmlSectionOf),
  ]);

/** A suite for each client, a case for each case that it exercised. */
export const conformanceJunit = (results: Results): string =>
  suitesReport(
    [...results].map(([name, cases]) => ({
      name,
      at: cases.flatMap(({ runs }) => runs)[0]?.at,
      ms: cases.reduce((sum, { ms }) => sum + ms, 0),
      items: cases.flatMap(itemOf),
    })),
  );

function itemOf({ id, description, outcome, reason, ms }: CaseResult): Item[] {
  if (outcome === 'not exercised') return [];
  const verdict = outcome === 'known' ? 'PASS' : outcome === 'stale' ? 'FAIL' : outcome;
  const name = outcome === 'known' ? `${id} (a known failure)` : id;
  return [{ kind: 'case', name, verdict, messages: [description, reason], advice: [], ms }];
}

export const conformanceJson = (results: Results): string =>
  legible(`${JSON.stringify({ verdict: verdictOfCases(results), clients: Object.fromEntries(results) }, null, 2)}\n`);

export const conformanceAnnotations = (results: Results): string[] => [
  ...staleOf(results).map((line) => `::error title=baseline::${line}`),
  ...githubAnnotations(unwellRuns(results)),
];
