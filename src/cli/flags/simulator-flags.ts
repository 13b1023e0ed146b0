/** Declares the flags of commands that start a simulator, from the table of options. */
import { Option } from 'commander';
import type { Command } from 'commander';
import type { Flags } from '../../config/config.ts';
import { isSecretName } from '../../core/exchange/redaction.ts';
import { quoteWord } from '../../core/lib/shell-words.ts';
import { defaultWords, flagKey, flagName, optionEntries, optionsByGroup } from '../../config/options.ts';
import type { OptionName } from '../../config/options.ts';
import type { OptionDefinition } from '../../core/validation/option-definition.ts';
import { shellOf } from '../../platform/shell.ts';
import { collect } from './shared-flags.ts';

/** Adds a flag for each option except those named. */
export function withSimulatorFlags(command: Command, without: readonly OptionName[] = []): Command {
  for (const [heading, entries] of optionsByGroup()) {
    for (const [name, option] of entries) {
      if (!without.includes(name)) command.addOption(flagOf(name, option).helpGroup(`${heading}:`));
    }
  }
  return command.addOption(
    new Option('--config <file>', 'config file to read')
      .default('loyalty-sim.config.json', 'loyalty-sim.config.json')
      .helpGroup('Options:'),
  );
}

function flagOf(name: OptionName, option: OptionDefinition): Option {
  const long = flagName(name, option);
  const { argument, default: standard, defaultText = option.impliedDefault, isRepeatable } = option;
  const text = defaultText === undefined ? '' : ` (default: ${String(defaultText)})`;
  const description = `${option.description}${isRepeatable ? ' (repeatable)' : ''}${text}`;
  const flag = new Option(argument === undefined ? long : `${long} ${argument}`, description);
  if (text === '' && defaultWords(option) !== undefined) flag.default(standard, defaultWords(option));
  return isRepeatable ? flag.argParser(collect) : flag;
}

/** Adds the flags of a simulator that runs for one command: on a free port, without a ready file; except those named. */
export const withEmbeddedSimulatorFlags = (command: Command, without: readonly OptionName[] = []): Command =>
  withSimulatorFlags(command, ['port', 'watch', 'readyFile', 'stopWithStdin', ...without]).option(
    '--port <port>',
    'port of the simulator (default: any free one)',
  );

/** Returns only what was typed: a default must not win over config file and environment. */
export const typedFlags = (command: Command): Flags =>
  Object.fromEntries(
    Object.entries<Flags[string]>(command.opts()).filter(([name]) => command.getOptionValueSource(name) !== 'default'),
  );

/** Returns the typed flags of a simulator as they are typed again, `<webhook key>` in place of a key. */
export const retypedFlags = (flags: Flags): string[] =>
  optionEntries.flatMap(([name, option]) =>
    [flags[flagKey(name, option)] ?? []].flat().map((value) => {
      const flag = flagName(name, option);
      if (typeof value !== 'string') return flag;
      return `${flag} ${isSecretName(name) ? placeholderFor(name) : quoteWord(value, shellOf(process.env))}`;
    }),
  );

const placeholderFor = (name: string): string =>
  `<${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}>`;
