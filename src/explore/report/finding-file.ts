/** Writes a finding as a scenario that shows it. */
import { stringify } from 'yaml';
import { capitalized } from '../../core/lib/capitalized.ts';
import type { Finding } from '../explore.ts';
import { findingTitle, formatFaults, formatKill } from './words.ts';

/** Limits the lines of a file, so that a person sees at a glance what goes wrong. */
const maxLines = 15;

/**
 * Names the rules whose findings no verdict shows by itself: they are seen against a run without faults, or by the
 * clock.
 */
const shownByReplayAlone: ReadonlySet<string> = new Set(['state', 'end']);

/** Returns `R10-addPointTransactions`, without what a file's name can't hold. */
export const findingName = ({ rule, endpoint, title }: Finding): string =>
  `${rule}-${endpoint || title}`.replaceAll(/[^\w.-]+/g, '-').slice(0, 80);

/** Returns the text of a scenario file. The policy is left out: whoever plays it names the same one again. */
export function findingScenario(finding: Finding, file: string): string {
  const { kill } = finding;
  // No rule kills a client.
  if (kill)
    return [
      `# loyalty-sim explore --kill -- <your command>`,
      `# ${capitalized(formatKill(kill))}:`,
      `# ${findingTitle(finding)}: ${finding.message.replaceAll(/\s+/g, ' ')}`,
      `name: ${scalar(findingTitle(finding))}`,
      'rules: []',
      '',
    ].join('\n');
  const wayTo = shownByReplayAlone.has(finding.rule) ? `explore --replay ${file}` : `exec --scenario ${file}`;
  const head = [
    `# loyalty-sim ${wayTo} -- <your command>`,
    `name: ${scalar(findingTitle(finding))}`,
    `description: ${scalar(`${capitalized(formatFaults(finding).join(', then '))}: ${finding.message}`)}`,
  ];
  // Lengths of time in ms can be read as well as written.
  const sections = Object.entries({ rules: finding.rules, webhooks: finding.webhooks }).filter(
    ([, rules]) => rules.length > 0,
  );
  const open = sections.flatMap(([name, rules]) => [
    `${name}:`,
    ...rules.flatMap((rule) => listItem(Object.entries(rule))),
  ]);
  const lines =
    head.length + open.length > maxLines
      ? sections.flatMap(([name, rules]) => [`${name}:`, ...rules.map((rule) => `  - ${inline(rule)}`)])
      : open;
  return [...head, ...lines, ''].join('\n');
}

/** Returns a rule as an item of a list, with a line for each of its fields. */
const listItem = (fields: readonly (readonly [string, unknown])[]): string[] =>
  fields.map(([name, value], i) => `  ${i === 0 ? '- ' : '  '}${name}: ${inline(value)}`);

/** Returns a value as YAML in one line. */
const inline = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: true }).trimEnd();

const scalar = (text: string): string => stringify(text.replaceAll(/\s+/g, ' '), { lineWidth: 0 }).trimEnd();
