import type { Command, Option } from 'commander';
import { createProgram } from '../../src/cli/program.ts';
import { list, page, sentence } from './page.ts';
import { code } from './table.ts';

const program = createProgram(() => {});

function verbNamed(name: string): Command {
  const verb = program.commands.find((one) => one.name() === name);
  if (!verb) throw new Error(`There is no verb "${name}".`);
  return verb;
}

const isIn =
  (verb: Command) =>
  ({ flags, description }: Option): boolean =>
    verb.options.some((one) => one.flags === flags && one.description === description);

const isOfStart = isIn(verbNamed('start'));
/** What the verbs for a running simulator have in common: told once. */
const common = verbNamed('clock').options.filter(isIn(verbNamed('requests')));
const isCommon = (option: Option): boolean =>
  common.some(({ flags, description }) => flags === option.flags && description === option.description);

const shownOption = (verb: Command, option: Option): string =>
  `${code(option.flags)}: ${verb.createHelp().optionDescription(option)}`;

/** Which options of start a verb takes, if any. */
function startOptions(verb: Command): string[] {
  if (!verb.options.some(isOfStart)) return [];
  const taken = new Set(verb.options.map(({ long }) => long));
  const left = verbNamed('start').options.filter(({ long }) => !taken.has(long));
  const but = left.length === 0 ? '' : ` but for ${left.map(({ long = '' }) => code(long ?? '')).join(', ')}`;
  return [`It takes the [options of \`start\`](options.md)${but}.`];
}

function verbPart(verb: Command, path = verb.name()): string {
  if (verb.commands.length > 0) return verb.commands.map((one) => verbPart(one, `${path} ${one.name()}`)).join('\n\n');
  const given = verb.registeredArguments.filter(({ description }) => description !== '');
  const own = verb.options.filter((option) => !isOfStart(option) && !isCommon(option));
  const lines = [
    ...given.map((one) => `${code(`<${one.name()}>`)}: ${one.description}`),
    ...own.map((one) => shownOption(verb, one)),
  ];
  return [
    `\`\`\`text\nloyalty-sim ${path} ${verb.usage()}\n\`\`\``,
    sentence(verb.description()),
    ...startOptions(verb),
    ...(lines.length > 0 ? [list(lines)] : []),
  ].join('\n\n');
}

/** docs/commands.md */
export const commandsPage = (): string =>
  page('commands', "the command's own declarations (src/cli/program.ts)", {
    common: list(common.map((one) => shownOption(verbNamed('clock'), one))),
    ...Object.fromEntries(program.commands.map((verb) => [verb.name(), verbPart(verb)])),
  });
