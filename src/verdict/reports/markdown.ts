import { legible } from '../../core/legible.ts';
import { summaryOf } from '../summary.ts';
import { timelineOf } from '../timeline.ts';
import { itemsOf, marks, splitItems } from './reported.ts';
import type { ReportedRun } from './reported.ts';

/** A text that stays in its cell of a table. */
export const cell = (text: string): string =>
  legible(text)
    .replaceAll(/[\\|`*_<>[\]]/g, String.raw`\$&`)
    .replaceAll(/\s*\n\s*/g, '<br>');

export const tableOf = (heads: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);

/** The runs as Markdown, as a job's summary shows it: what is well comes in a line. */
export const markdownReport = (runs: readonly ReportedRun[]): string =>
  `${[...(runs.length > 1 ? contentsOf(runs) : []), ...runs.flatMap(sectionOf)].join('\n')}\n`;

const contentsOf = (runs: readonly ReportedRun[]): string[] => [
  ...tableOf(
    ['', 'run', ''],
    runs.map(({ name, verdict }) => [
      `${marks[verdict.verdict]} ${verdict.verdict}`,
      cell(name),
      cell(summaryOf(verdict)),
    ]),
  ),
  '',
];

export function sectionOf({ name, description, verdict }: ReportedRun): string[] {
  const { others } = splitItems(itemsOf(verdict));
  const rows = others.map((item) => [
    `${marks[item.verdict]} ${item.verdict}`,
    cell(item.name),
    cell(item.messages.join('\n')),
  ]);
  const unwell = verdict.operations.filter((operation) => operation.verdict !== 'PASS');
  return [
    `## ${marks[verdict.verdict]} ${verdict.verdict}: ${cell(name)}`,
    '',
    ...(description === undefined ? [] : [cell(description.trim()), '']),
    `${cell(summaryOf(verdict))}.`,
    '',
    ...(rows.length === 0 ? [] : [...tableOf(['', 'judged', 'why'], rows), '']),
    ...unwell.map((operation) => `\`\`\`text\n${timelineOf(operation).map(unfenced).join('\n')}\n\`\`\`\n`),
  ];
}

const unfenced = (line: string): string => legible(line).replaceAll('```', "'''");
