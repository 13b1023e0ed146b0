/** Declares every option of the command: those of `createSim`, and those of a process. */
import * as z from '../core/validation/deferred-zod.ts';
import { expectedType, requiredText } from '../core/validation/field-types.ts';
import { defineOption, optionGroups, readNumber, readSwitch } from '../core/validation/option-definition.ts';
import type { OptionDefinition } from '../core/validation/option-definition.ts';
import { commonOptions, policyJsonSchema, portNumber } from '../simulator/settings/sim-options.ts';

export const options = {
  port: defineOption(portNumber, {
    group: 'Network',
    description: 'port to serve on; 0 takes any free one',
    default: 4010,
    argument: '<port>',
    read: readNumber,
  }),
  ...commonOptions,
  watch: defineOption(z.boolean(expectedType('true or false')), {
    group: 'Scenario and policy',
    description: 'reload scenario files when they change',
    default: false,
    read: readSwitch,
  }),
  log: defineOption(z.enum(['pretty', 'json', 'silent']), {
    group: 'Output',
    description: 'log on standard error: pretty, json or silent',
    default: 'pretty',
    argument: '<form>',
  }),
  json: defineOption(z.boolean(expectedType('true or false')), {
    group: 'Output',
    description: 'print the ready line as JSON',
    default: false,
    read: readSwitch,
  }),
  readyFile: defineOption(requiredText, {
    group: 'Output',
    description: 'file to write the ready line to, as JSON; removed at exit',
    argument: '<file>',
    isPath: () => true,
  }),
  stopWithStdin: defineOption(z.boolean(expectedType('true or false')), {
    group: 'Output',
    description: 'stop when standard input ends, as it does when the program that started the simulator has ended',
    default: false,
    read: readSwitch,
  }),
} satisfies Readonly<Record<string, OptionDefinition>>;

export type OptionName = keyof typeof options;

/** Lists the options. */
export const optionEntries = Object.entries(options) as (readonly [OptionName, OptionDefinition])[];

/** Returns the options under their headings, in the order of these. */
export const optionsByGroup = (): (readonly [heading: string, options: typeof optionEntries])[] =>
  optionGroups.map((heading) => [heading, optionEntries.filter(([, { group }]) => group === heading)]);

/** Returns the words behind `default:` for an option, or undefined where it has none worth printing. */
export function defaultWords(option: OptionDefinition): string | undefined {
  const { default: standard = option.impliedDefault, defaultText } = option;
  if (defaultText !== undefined) return defaultText;
  return typeof standard === 'number' || typeof standard === 'string' ? String(standard) : undefined;
}

const kebabCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Returns `--queue-delay` for queueDelay. */
export const flagName = (name: string, { flag }: Pick<OptionDefinition, 'flag'> = {}): string =>
  flag ?? `--${kebabCase(name)}`;

/** Returns the name under which commander hands over the value of a flag: `apiKey` for `--api-key`. */
export const flagKey = (name: string, { flag }: Pick<OptionDefinition, 'flag'>): string =>
  flag?.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()) ?? name;

/** Returns `LOYALTY_SIM_QUEUE_DELAY` for queueDelay. */
export const environmentVariableName = (name: string): string =>
  `LOYALTY_SIM_${kebabCase(name).replaceAll('-', '_').toUpperCase()}`;

/** Returns the schema of the config file, to be published. */
export function configJsonSchema(): object {
  const shape = Object.fromEntries(
    optionEntries.map(([name, { schema, description, default: standard }]) => {
      const published = name === 'policy' ? policyJsonSchema : schema;
      return [name, published.optional().meta({ description, ...(standard !== undefined && { default: standard }) })];
    }),
  );
  const schema = z.strictObject({ $schema: z.string().optional(), ...shape });
  return { title: 'loyalty-sim configuration', ...z.toJSONSchema(schema, { io: 'input' }) };
}
