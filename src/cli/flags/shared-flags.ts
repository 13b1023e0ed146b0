/** Declares flags that several commands share, and helpers that declare commands. */
import { Option } from 'commander';
import type { Command } from 'commander';

/** Gives a command its flags and its action, which hands over the exit code; the list of commands has the rest. */
export type DeclareCommand = (command: Command, done: (exitCode: number) => void) => void;

/** Describes the arguments of a command, in their order. */
export function describeArguments(command: Command, ...descriptions: readonly string[]): void {
  for (const [i, argument] of command.registeredArguments.entries()) argument.description = descriptions[i] ?? '';
}

/** Returns a flag whose default is printed by the help without quotes. */
export const flagWithDefault = (flags: string, description: string, standard: string): Option =>
  new Option(flags, description).default(standard, standard);

/** Returns a flag that may be given several times, or with several values. */
export const repeatableFlag = (flags: string, description: string): Option =>
  new Option(flags, `${description} (repeatable)`).argParser(collect);

export const collect = (text: string, before: readonly string[] = []): string[] => [...before, text];

export const verdictReportFlag = (): Option =>
  repeatableFlag(
    '--report <form=file>',
    'write a report: junit=<file>, json=<file>, md=<file> or html=<file>; or several, with commas between',
  );

export const jsonFlag = (description = 'print the result as JSON'): Option => new Option('--json', description);

export const adminKeyFlag = (): Option =>
  new Option('--admin-key <key>', 'key of the control API (default: LOYALTY_SIM_ADMIN_KEY)');

export const personalDataFlag = (description = 'print personal numbers and keys instead of hiding them'): Option =>
  new Option('--show-personal-data', description);

export const failOnWarningsFlag = (): Option =>
  repeatableFlag(
    '--fail-on-warnings <codes>',
    'warnings that fail the verdict, by their codes with commas between, or all (default: none)',
  );

const examples = new WeakMap<Command, readonly string[]>();

/** Returns the example lines of a command, without `npx`. */
export const examplesOf = (command: Command): readonly string[] => examples.get(command) ?? [];

/** Adds examples below the help of a command. */
export function withExamples(command: Command, ...lines: readonly string[]): Command {
  examples.set(command, lines);
  return command.addHelpText('after', ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n'));
}
