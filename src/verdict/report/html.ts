import { formatSummary, formatWarning } from '../../format/verdict-summary.ts';
import type { OperationJson } from '../verdict-json.ts';
import { formatBasis, formatRecoveries, operationTitle } from '../../format/timeline.ts';
import { runItems, runTitle, statusMarks, splitItems } from './report-items.ts';
import type { ReportItem, ReportedRun } from './report-items.ts';
import { escapeMarkup, timelineSvg } from './timeline-svg.ts';

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
h1{font-size:1.4rem}h2{font-size:1.15rem;margin-top:2.5rem}h3{font-size:1rem;margin:1.5rem 0 .3rem;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #ddd;overflow-wrap:anywhere}
td:first-child{white-space:nowrap;overflow-wrap:normal}a{color:inherit}details{margin:.6rem 0}summary{cursor:pointer}
.PASS{color:#2a7d4f}.FAIL{color:#b3261e}.INCONCLUSIVE{color:#8a6d00}svg{max-width:100%;height:auto}
svg .label,svg .scale{font:12px ui-monospace,monospace;fill:#333}.advice{border-left:3px solid #ccc;padding-left:.8rem;margin:.5rem 0}`;

/** Renders runs as one self-contained page. */
export const htmlReport = (runs: readonly ReportedRun[]): string =>
  htmlPage('loyalty-sim verdict', [...(runs.length > 1 ? [contentsOf(runs)] : []), ...runs.map(htmlSection)]);

/** Wraps parts of HTML into a page. */
export const htmlPage = (title: string, parts: readonly string[]): string =>
  [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${title}</title><style>${style}</style></head><body>`,
    `<h1>${title}</h1>`,
    ...parts,
    '</body></html>',
    '',
  ].join('\n');

const markOf = (word: keyof typeof statusMarks): string => `<span class="${word}">${statusMarks[word]} ${word}</span>`;

const contentsOf = (runs: readonly ReportedRun[]): string =>
  htmlTable(
    runs.map((run, i) => [
      markOf(run.verdict.verdict),
      `<a href="#run-${i + 1}">${escapeMarkup(runTitle(run))}</a>`,
      escapeMarkup(formatSummary(run.verdict)),
    ]),
  );

export const htmlTable = (rows: readonly (readonly string[])[]): string =>
  `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}</table>`;

export function htmlSection(run: ReportedRun, i: number): string {
  const { description, verdict } = run;
  const { others, passed } = splitItems(runItems(run));
  return [
    `<section id="run-${i + 1}"><h2>${markOf(verdict.verdict)} ${escapeMarkup(runTitle(run))}</h2>`,
    description === undefined ? '' : `<p>${escapeMarkup(description.trim())}</p>`,
    `<p>${escapeMarkup(formatSummary(verdict))}</p>`,
    listOf(verdict.warnings.map(formatWarning)),
    others.length === 0 ? '' : htmlTable(others.map(rowOf)),
    passed.length === 0 ? '' : folded(`${passed.length} as expected`, htmlTable(passed.map(rowOf))),
    ...verdict.operations.filter(({ verdict: word }) => word !== 'PASS').map(detailsOf),
    foldedRecoveries(verdict.operations),
    foldedRepeats(verdict.operations),
    '</section>',
  ].join('\n');
}

const listOf = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${escapeMarkup(line)}</li>`).join('')}</ul>`;

const rowOf = ({ verdict, name, messages }: ReportItem): string[] => [
  markOf(verdict),
  escapeMarkup(name),
  messages.map(escapeMarkup).join('<br>'),
];

const folded = (title: string, content: string): string => `<details><summary>${title}</summary>${content}</details>`;

/** Folds away how passed operations came through a fault. */
function foldedRecoveries(operations: readonly OperationJson[]): string {
  const lines = formatRecoveries(operations);
  return lines.length === 0 ? '' : folded('came through a fault', listOf(lines));
}

/** Folds away the operations that were repeated correctly. */
function foldedRepeats(operations: readonly OperationJson[]): string {
  const repeated = operations.filter(({ attempts, verdict }) => attempts.length > 1 && verdict === 'PASS');
  return repeated.length === 0
    ? ''
    : folded(`${repeated.length} repeated correctly`, repeated.map(detailsOf).join('\n'));
}

function detailsOf(operation: OperationJson): string {
  const { verdict, findings } = operation;
  const details = findings.map(
    ({ rule, title, message, basis, advice, level }) =>
      `<p class="advice"><strong>${rule} ${escapeMarkup(title)}</strong> (${level})<br>${escapeMarkup(message)}<br>` +
      `<em>${escapeMarkup(formatBasis(basis))}</em>${level === 'note' ? '' : `<br>→ ${escapeMarkup(advice)}`}</p>`,
  );
  return `<h3 class="${verdict}">${statusMarks[verdict]} ${escapeMarkup(operationTitle(operation))}</h3>${timelineSvg(operation)}${details.join('')}`;
}
