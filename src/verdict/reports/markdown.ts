import { timelineOf } from '../timeline.ts';
import { itemsOf, marks } from './reported.ts';
import type { ReportedRun } from './reported.ts';

/** A text that stays in its cell of a table. */
const cell = (text: string): string =>
  text.replaceAll(/[\\|`*_<>[\]]/g, String.raw`\$&`).replaceAll(/\s*\n\s*/g, '<br>');

/** The runs as Markdown, as a job's summary shows it. */
export const markdownReport = (runs: readonly ReportedRun[]): string => `${runs.flatMap(sectionOf).join('\n')}\n`;

function sectionOf({ name, description, verdict }: ReportedRun): string[] {
  const rows = itemsOf(verdict).map(
    (item) => `| ${marks[item.verdict]} ${item.verdict} | ${cell(item.name)} | ${cell(item.messages.join('\n'))} |`,
  );
  const unwell = verdict.operations.filter((operation) => operation.verdict !== 'PASS');
  return [
    `## ${marks[verdict.verdict]} ${verdict.verdict}: ${cell(name)}`,
    '',
    ...(description === undefined ? [] : [cell(description.trim()), '']),
    ...(rows.length === 0 ? [cell(verdict.reason)] : ['| | judged | why |', '| --- | --- | --- |', ...rows]),
    '',
    ...unwell.map((operation) => `\`\`\`text\n${timelineOf(operation).map(unfenced).join('\n')}\n\`\`\`\n`),
  ];
}

const unfenced = (line: string): string => line.replaceAll('```', "'''");
