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

/** Returns the text of a scenario file, with the command that plays it; `flags` are what that takes besides. */
export function findingScenario(finding: Finding, file: string, flags: readonly string[] = []): string {
  const { kill } = finding;
  // No rule kills a client.
  if (kill)
    return [
      commandLine('explore --kill', flags),
      `# ${capitalized(formatKill(kill))}:`,
      `# ${findingTitle(finding)}: ${finding.message.replaceAll(/\s+/g, ' ')}`,
      `name: ${scalar(findingTitle(finding))}`,
      'rules: []',
      '',
    ].join('\n');
  // A point master needs the port of its run, which `exec` has none of.
  const isReplayed = shownByReplayAlone.has(finding.rule) || finding.webhooks.length > 0;
  const wayTo = isReplayed ? `explore --replay ${file}` : `exec --scenario ${file}`;
  const head = [
    commandLine(wayTo, flags),
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

/** Returns a comment that shows how the scenario is played. */
const commandLine = (wayTo: string, flags: readonly string[]): string =>
  `# ${['loyalty-sim', wayTo, ...flags].join(' ').replaceAll(/\s+/g, ' ')} -- <your command>`;

/** Returns a rule as an item of a list, with a line for each of its fields. */
const listItem = (fields: readonly (readonly [string, unknown])[]): string[] =>
  fields.map(([name, value], i) => `  ${i === 0 ? '- ' : '  '}${name}: ${inline(value)}`);

/** Returns a value as YAML in one line. */
const inline = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: true }).trimEnd();

const scalar = (text: string): string => stringify(text.replaceAll(/\s+/g, ' '), { lineWidth: 0 }).trimEnd();
