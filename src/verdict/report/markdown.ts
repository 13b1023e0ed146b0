import { escapeControls } from '../../core/lib/escape-controls.ts';
import { formatSummary, formatWarning } from '../../format/verdict-summary.ts';
import { formatRecoveries, formatTimeline } from '../../format/timeline.ts';
import { runItems, runTitle, statusMarks, splitItems } from './report-items.ts';
import type { ReportedRun } from './report-items.ts';

/** Escapes a text so that it stays in its cell of a table. */
export const markdownCell = (text: string): string =>
  escapeControls(text)
    .replaceAll(/[\\|`*_<>[\]]/g, String.raw`\$&`)
    .replaceAll(/\s*\n\s*/g, '<br>');

export const markdownTable = (heads: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);

/** Renders runs as Markdown for a job's summary; passed items are only counted. */
export const markdownReport = (runs: readonly ReportedRun[]): string =>
  `${[...(runs.length > 1 ? contentsOf(runs) : []), ...runs.flatMap(markdownSection)].join('\n')}\n`;

const contentsOf = (runs: readonly ReportedRun[]): string[] => [
  ...markdownTable(
    ['', 'run', ''],
    runs.map((run) => [
      `${statusMarks[run.verdict.verdict]} ${run.verdict.verdict}`,
      markdownCell(runTitle(run)),
      markdownCell(formatSummary(run.verdict)),
    ]),
  ),
  '',
];

export function markdownSection(run: ReportedRun): string[] {
  const { description, verdict } = run;
  const { others } = splitItems(runItems(run));
  const rows = others.map((item) => [
    `${statusMarks[item.verdict]} ${item.verdict}`,
    markdownCell(item.name),
    markdownCell(item.messages.join('\n')),
  ]);
  const unwell = verdict.operations.filter((operation) => operation.verdict !== 'PASS');
  return [
    `## ${statusMarks[verdict.verdict]} ${verdict.verdict}: ${markdownCell(runTitle(run))}`,
    '',
    ...(description === undefined ? [] : [markdownCell(description.trim()), '']),
    `${markdownCell(formatSummary(verdict))}.`,
    '',
    ...listOf(verdict.warnings.map(formatWarning)),
    ...(rows.length === 0 ? [] : [...markdownTable(['', 'judged', 'why'], rows), '']),
    ...recoveredList(formatRecoveries(verdict.operations)),
    ...unwell.map((operation) => `\`\`\`text\n${formatTimeline(operation).map(unfenced).join('\n')}\n\`\`\`\n`),
  ];
}

/** Folds away how passed operations came through a fault. */
const recoveredList = (lines: readonly string[]): string[] =>
  lines.length === 0
    ? []
    : ['<details><summary>came through a fault</summary>', '', ...listOf(lines), '</details>', ''];

const listOf = (lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [...lines.map((line) => `- ${markdownCell(line)}`), ''];

const unfenced = (line: string): string => escapeControls(line).replaceAll('```', "'''");
