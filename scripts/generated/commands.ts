import type { Argument, Command, Option } from 'commander';
import { examplesOf } from '../../src/cli/flags/shared-flags.ts';
import { createProgram } from '../../src/cli/program.ts';
import { page, sentence } from './page.ts';
import { code, fieldTable, marked, withoutDefault } from './table.ts';

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

function argumentRow(argument: Argument): string[] {
  const { words, standard } = withoutDefault(argument.description);
  return [code(`<${argument.name()}>`), '', standard, marked(words)];
}

function optionRow({ flags, description, argChoices = [], defaultValue }: Option): string[] {
  const { words, standard } = withoutDefault(description);
  return [
    code(flags),
    argChoices.map(code).join(', '),
    defaultValue === undefined ? standard : code(String(defaultValue)),
    marked(words),
  ];
}

const optionTable = (rows: readonly (readonly string[])[]): string =>
  fieldTable(['Argument or option', 'Values', 'Default', 'Meaning'], rows);

/** Returns a line on the options of start that a command takes, if it takes them. */
function startOptions(command: Command): string[] {
  if (!startsSimulator(command)) return [];
  const taken = new Set(command.options.map(({ long }) => long));
  const left = commandNamed('start').options.filter(({ long }) => !taken.has(long));
  const but = left.length === 0 ? '' : ` but for ${left.map(({ long = '' }) => code(long ?? '')).join(', ')}`;
  return [`It takes the [options of \`start\`](options.md)${but}.`];
}

const block = (language: string, lines: readonly string[]): string => `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``;

function exampleBlock(command: Command): string[] {
  const examples = examplesOf(command);
  return examples.length === 0
    ? []
    : [
        block(
          'sh',
          examples.map((example) => `npx ${example}`),
        ),
      ];
}

function commandPart(command: Command, path = command.name()): string {
  if (command.commands.length > 0) {
    const parts = command.commands.map((one) => commandPart(one, `${path} ${one.name()}`));
    return [...exampleBlock(command), ...parts].join('\n\n');
  }
  const given = command.registeredArguments.filter(({ description }) => description !== '');
  const own = command.options.filter(
    (option) => !(startsSimulator(command) && isOfStart(option)) && !(isRemote(command) && isCommon(option)),
  );
  const rows = [...given.map(argumentRow), ...own.map(optionRow)];
  return [
    block('text', [`loyalty-sim ${path} ${command.usage()}`]),
    sentence(command.description()),
    ...exampleBlock(command),
    ...startOptions(command),
    ...(rows.length > 0 ? [optionTable(rows)] : []),
  ].join('\n\n');
}

/** Returns docs/commands.md. */
export const commandsPage = (): string =>
  page('commands', "the command's own declarations (src/cli/program.ts)", {
    common: optionTable(common.map(optionRow)),
    ...Object.fromEntries(program.commands.map((command) => [command.name(), commandPart(command)])),
  });
