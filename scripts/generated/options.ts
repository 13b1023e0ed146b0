import * as z from 'zod';
import { flagName, optionEntries, environmentVariableName } from '../../src/config/options.ts';
import type { OptionDefinition, OptionName } from '../../src/config/options.ts';
import { page, sentence } from './page.ts';
import { code } from './table.ts';

const flagWith = (name: string, option: OptionDefinition): string =>
  code([flagName(name, option), option.argument ?? []].flat().join(' '));

/** What the config file holds, where that is not one text, number or switch. */
function formOf({ schema }: OptionDefinition): string {
  const { type } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return { array: ' (a list)', object: ' (an object)' }[String(type)] ?? '';
}

/** What counts where nobody says otherwise, if it is a value and its own description doesn't tell. */
function standardOf({ schema }: OptionDefinition): string {
  const standard = schema.safeParse(undefined).data;
  return typeof standard === 'string' || typeof standard === 'number' ? ` ${code(String(standard))} unless given.` : '';
}

function entryOf([name, option]: readonly [OptionName, OptionDefinition]): string {
  const variable = `${code(environmentVariableName(name))}${option.isRepeatable ? ' (commas between)' : ''}`;
  return [
    `- **${flagWith(name, option)}**: ${sentence(option.description)}${standardOf(option)}`,
    `  In the config file ${code(name)}${formOf(option)}, in the environment ${variable}.`,
  ].join('\n');
}

/** docs/options.md. What the template says below an option belongs to its item. */
export const optionsPage = (): string =>
  page(
    'options',
    'src/options.ts',
    Object.fromEntries(optionEntries.map((entry) => [entry[0], entryOf(entry)])),
  ).replaceAll(/^( {2}In the config file .*)\n(?=\S)/gm, '$1\n  ');
