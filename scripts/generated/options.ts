import * as z from '../../src/core/validation/deferred-zod.ts';
import { defaultWords, environmentVariableName, flagName, optionsByGroup } from '../../src/config/options.ts';
import type { OptionName } from '../../src/config/options.ts';
import type { OptionDefinition } from '../../src/core/validation/option-definition.ts';
import { page, sentence } from './page.ts';
import { code } from './table.ts';

/** Holds what the page says of an option apart from what its definition says. */
const remarks: Partial<Readonly<Record<OptionName, string>>> = {
  apiKeys: 'If you name keys, a request with another key or none gets 401.',
  tenants: 'See [tenants](control-api.md#tenants).',
  fixtures: 'See [fixtures](fixtures.md).',
  fixtureCache: 'See [large fixtures](fixtures.md#large-ones).',
  data: 'See [saved state](saved-state.md).',
  durable: 'See [power failures](saved-state.md#power-failures).',
  acceptEdits: 'See [damage and edits](saved-state.md#damage-and-edits).',
  seed: 'The same seed and the same requests give the same responses.',
  queueDelay: 'Write it as `500ms`, `15m` or `PT1H`.',
  assumptions: 'See [assumptions](assumptions.md) for all of them and their variants.',
  scenario: 'See [built-in scenarios](scenarios.md#built-in-scenarios).',
  policy: 'See [its fields](verdict.md#what-the-client-is-held-to-policy).',
  failOnWarnings: 'See [warnings](verdict.md#warnings).',
  withPointMaster: 'See [building a point master](point-master.md).',
  pointMasterUrl: 'See [webhooks](webhooks.md).',
  importFolder: 'See [receipts as files](receipt-files.md).',
  log: 'Personal numbers and keys are hidden.',
  readyFile: 'The file exists as long as the simulator serves.',
  otlpEndpoint: '[Other tools](other-tools.md#traces) says what is in a trace.',
  stopWithStdin:
    'Keep standard input open, as a pipe, as long as you need the simulator; it then ends with your program, even if that is killed.',
};

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
    ...(remarks[name] === undefined ? [] : [`  ${remarks[name]}`]),
  ].join('\n');
}

const sectionOf = ([heading, entries]: ReturnType<typeof optionsByGroup>[number]): string =>
  [`## ${heading}`, ...entries.map(entryOf)].join('\n\n');

/** Returns docs/options.md: each option under the heading of its group. */
export const optionsPage = (): string =>
  page('options', 'src/config/options.ts', { options: optionsByGroup().map(sectionOf).join('\n\n') });
