import * as z from '../../src/core/validation/deferred-zod.ts';
import { defaultWords, environmentVariableName, flagName, optionEntries } from '../../src/config/options.ts';
import type { OptionName } from '../../src/config/options.ts';
import type { OptionDefinition } from '../../src/core/validation/option-definition.ts';
import { page, sentence } from './page.ts';
import { code } from './table.ts';

const flagWith = (name: string, option: OptionDefinition): string =>
  code([flagName(name, option), option.argument ?? []].flat().join(' '));

/** Says what the config file holds, where that is not one text, number or switch. */
function formOf({ schema }: OptionDefinition): string {
  const { type } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return { array: ' (a list)', object: ' (an object)' }[String(type)] ?? '';
}

/** Returns the default in brackets, or nothing for an option without one. */
function standardOf(option: OptionDefinition): string {
  const words = defaultWords(option);
  if (words === undefined) return '';
  return ` (default: ${option.defaultText === undefined ? code(words) : words})`;
}

const repeatableText = ({ isRepeatable }: OptionDefinition): string => (isRepeatable ? ' (repeatable)' : '');

function entryOf([name, option]: readonly [OptionName, OptionDefinition]): string {
  const variable = `${code(environmentVariableName(name))}${option.isRepeatable ? ' (commas between)' : ''}`;
  return [
    `- **${flagWith(name, option)}**: ${sentence(`${option.description}${repeatableText(option)}${standardOf(option)}`)}`,
    `  In the config file ${code(name)}${formOf(option)}, in the environment ${variable}.`,
  ].join('\n');
}

/** Returns docs/options.md. What the template says below an option belongs to its item. */
export const optionsPage = (): string =>
  page(
    'options',
    'src/config/options.ts',
    Object.fromEntries(optionEntries.map((entry) => [entry[0], entryOf(entry)])),
  ).replaceAll(/^( {2}In the config file .*)\n(?=\S)/gm, '$1\n  ');
