import type { Command, Option } from 'commander';
import { createProgram } from '../../src/cli/program.ts';
import { list, page, sentence } from './page.ts';
import { code } from './table.ts';

const program = await createProgram(() => {});

function commandNamed(name: string): Command {
  const command = program.commands.find((one) => one.name() === name);
  if (!command) throw new Error(`There is no command "${name}".`);
  return command;
}

/** Tells a command that starts a simulator from one that has an option or two by the same words. */
const startsSimulator = (command: Command): boolean => command.options.filter(isOfStart).length > 5;

const isIn =
  (command: Command) =>
  ({ flags, description }: Option): boolean =>
    command.options.some((one) => one.flags === flags && one.description === description);

const isOfStart = isIn(commandNamed('start'));
/** Holds the options that all commands for a running simulator share, to be printed once. */
const common = commandNamed('clock').options.filter(isIn(commandNamed('requests')));
const isCommon = (option: Option): boolean =>
  common.some(({ flags, description }) => flags === option.flags && description === option.description);
/** True for a command that takes the address of a running simulator, and so stands below the common options. */
const isRemote = (command: Command): boolean => command.options.some(({ long }) => long === '--url');

const shownOption = (command: Command, option: Option): string =>
  `${code(option.flags)}: ${command.createHelp().optionDescription(option)}`;

/** Returns a line on the options of start that a command takes, if it takes them. */
function startOptions(command: Command): string[] {
  if (!startsSimulator(command)) return [];
  const taken = new Set(command.options.map(({ long }) => long));
  const left = commandNamed('start').options.filter(({ long }) => !taken.has(long));
  const but = left.length === 0 ? '' : ` but for ${left.map(({ long = '' }) => code(long ?? '')).join(', ')}`;
  return [`It takes the [options of \`start\`](options.md)${but}.`];
}

function commandPart(command: Command, path = command.name()): string {
  if (command.commands.length > 0)
    return command.commands.map((one) => commandPart(one, `${path} ${one.name()}`)).join('\n\n');
  const given = command.registeredArguments.filter(({ description }) => description !== '');
  const own = command.options.filter(
    (option) => !(startsSimulator(command) && isOfStart(option)) && !(isRemote(command) && isCommon(option)),
  );
  const lines = [
    ...given.map((one) => `${code(`<${one.name()}>`)}: ${one.description}`),
    ...own.map((one) => shownOption(command, one)),
  ];
  return [
    `\`\`\`text\nloyalty-sim ${path} ${command.usage()}\n\`\`\``,
    sentence(command.description()),
    ...startOptions(command),
    ...(lines.length > 0 ? [list(lines)] : []),
  ].join('\n\n');
}

/** Returns docs/commands.md. */
export const commandsPage = (): string =>
  page('commands', "the command's own declarations (src/cli/program.ts)", {
    common: list(common.map((one) => shownOption(commandNamed('clock'), one))),
    ...Object.fromEntries(program.commands.map((command) => [command.name(), commandPart(command)])),
  });
