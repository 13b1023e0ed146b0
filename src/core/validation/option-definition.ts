/** Describes options: one record says what a flag, a file, a variable, a request body and a caller in code may set. */
import type * as z from 'zod';
import { isSecretName, redactSecrets } from '../exchange/redaction.ts';
import { capitalized } from '../lib/capitalized.ts';
import { errorAt } from './diagnostic.ts';
import type { Diagnostic } from './diagnostic.ts';
import { text } from './field-types.ts';
import { validateKnownFields } from './schema-diagnostics.ts';

/** Lists the headings under which help and docs list options, in their order. */
export const optionGroups = [
  'Network',
  'Data',
  'Scenario and policy',
  'Service',
  'Webhooks and point master',
  'Receipts as files',
  'Output',
] as const;

type OptionGroup = (typeof optionGroups)[number];

export interface OptionDefinition<Schema extends z.ZodType = z.ZodType> {
  /** Checks the value as JSON has it; its messages say what the value "must be". */
  readonly schema: Schema;
  /** Names what the option sets, for help, docs and JSON schemas. */
  readonly description: string;
  readonly group: OptionGroup;
  /** Holds the value in force where nothing else is said, as JSON has it. */
  readonly default?: Readonly<z.input<Schema>>;
  /** Holds the default as the schema parses it, where that is another value. */
  readonly parsedDefault?: Readonly<z.output<Schema>>;
  /** Holds the default of an option that another option may set instead: as long as nobody sets it, it has no value. */
  readonly impliedDefault?: Readonly<z.output<Schema>>;
  /** Describes the default where it is no value. */
  readonly defaultText?: string;
  /** Stands behind the flag; a flag without an argument is a switch. */
  readonly argument?: string;
  /** Holds the flag, where it does not follow from the name. */
  readonly flag?: string;
  /** Makes the value of JSON from the texts of flags or a variable (default: the last text). */
  readonly read?: (texts: readonly string[]) => unknown;
  readonly isRepeatable?: boolean;
  /** True for a value that is a path: relative ones in the config file count from the file's folder. */
  readonly isPath?: (value: string) => boolean;
}

type Options = Readonly<Record<string, OptionDefinition>>;

/** Returns an option with the types of its schema and of its default. */
export const defineOption = <Schema extends z.ZodType, const Rest extends Omit<OptionDefinition<Schema>, 'schema'>>(
  schema: Schema,
  rest: Rest,
): { readonly schema: Schema } & Rest => ({ schema, ...rest });

/** Holds each option of a record as it is written. */
export type OptionInputs<Record extends Options> = {
  readonly [Name in keyof Record]?: Readonly<z.input<Record[Name]['schema']>> | undefined;
};

/** Holds each option of a record as it is parsed. */
export type OptionValues<Record extends Options> = {
  readonly [Name in keyof Record]?: Readonly<z.output<Record[Name]['schema']>> | undefined;
};

type NoDefault<Option> = Option extends { readonly default: unknown } | { readonly impliedDefault: unknown }
  ? never
  : undefined;

/** Holds each option of a record as it is parsed: the value that is set, or the default. */
export type CompleteOptions<Record extends Options> = {
  readonly [Name in keyof Record]: Readonly<z.output<Record[Name]['schema']>> | NoDefault<Record[Name]>;
};

/** Returns each option of a record with its value, which is the default where nothing is set. */
export function withDefaults<const Record extends Options>(
  options: Record,
  values: OptionValues<Record>,
): CompleteOptions<Record> {
  const complete = Object.entries(options).map(([name, option]) => [
    name,
    values[name] ?? parsedDefault(option) ?? option.impliedDefault,
  ]);
  // The same names, each with a value of its own schema.
  return Object.fromEntries(complete) as CompleteOptions<Record>;
}

/** Returns the options as optional fields of a file or body, each described by a sentence. */
export function optionFields<const Record extends Options>(options: Record) {
  const fields = Object.entries(options).map(([name, { schema, description }]) => {
    return [name, schema.optional().describe(capitalized(description))];
  });
  // The same names, each with its own schema.
  return Object.fromEntries(fields) as { [Name in keyof Record]: z.ZodOptional<Record[Name]['schema']> };
}

type Shown<Option extends OptionDefinition> =
  NoDefault<Option> extends never ? Option['schema'] : z.ZodNullable<Option['schema']>;

/** Returns the options as fields of a response, which {@link showOptions} fills. */
export function shownOptionFields<const Record extends Options>(options: Record) {
  const fields = Object.entries(options).map(([name, option]) => {
    const schema = isSecretName(name) ? text : option.schema;
    const hasDefault = (parsedDefault(option) ?? option.impliedDefault) !== undefined;
    const unit = option.read === readDuration ? ' (here in ms)' : '';
    return [name, (hasDefault ? schema : schema.nullable()).describe(`${capitalized(option.description)}${unit}`)];
  });
  // The same names, each with its own schema.
  return Object.fromEntries(fields) as { [Name in keyof Record]: Shown<Record[Name]> };
}

/** Returns the values of options as a response shows them: keys are hidden, and null stands for none. */
export function showOptions<const Record extends Options>(options: Record, values: CompleteOptions<Record>) {
  const shown = Object.keys(options).map((name) => [name, values[name] ?? null]);
  // The same names, each with a value of its own schema.
  return redactSecrets(Object.fromEntries(shown)) as { [Name in keyof Record]: z.output<Shown<Record[Name]>> };
}

/** Returns the default of an option as its schema parses it. */
export const parsedDefault = (option: OptionDefinition): unknown => option.parsedDefault ?? option.default;

/**
 * Returns the value of an option as its schema parses it. Defaults are taken as they stand: a start that builds a schema
 * for each of them takes 3 ms longer.
 */
export function parseOption(option: OptionDefinition, value: unknown): unknown {
  return isDefault(option, value) ? parsedDefault(option) : option.schema.parse(value);
}

const isDefault = (option: OptionDefinition, value: unknown): boolean =>
  value !== undefined && (value === option.default || value === option.parsedDefault);

/** True for a value that is in force where nothing is set. */
export const isInForceAnyway = (option: OptionDefinition, value: unknown): boolean =>
  value === undefined || value === option.impliedDefault || isDefault(option, value);

/** Returns what is wrong with the value of an option; the value itself is not repeated where it may be a key. */
export function validateOption(name: string, option: OptionDefinition, value: unknown): readonly Diagnostic[] {
  if (isDefault(option, value)) return [];
  const { schema } = option;
  if (!isSecretName(name)) return validateKnownFields(schema, value);
  return (schema.safeParse(value).error?.issues ?? []).map(({ message }) => errorAt([], message));
}

const last = (texts: readonly string[]): string => texts.at(-1) ?? '';

/** Reads a whole number; any other text stays a text, for the schema to refuse. */
export const readNumber = (texts: readonly string[]): unknown =>
  /^\s*-?\d+\s*$/.test(last(texts)) ? Number(last(texts)) : last(texts);

/** Reads a length of time: 0, or with its unit. Any other number alone is refused by the schema, as a text or below 0. */
export const readDuration = (texts: readonly string[]): unknown =>
  Number(readNumber(texts)) <= 0 ? readNumber(texts) : last(texts);

/** Reads JSON; any other text stays a text, for the schema to refuse. */
export function readJson(texts: readonly string[]): unknown {
  try {
    return JSON.parse(last(texts));
  } catch {
    return last(texts);
  }
}

export const readSwitch = (texts: readonly string[]): unknown =>
  ({ true: true, '1': true, false: false, '0': false })[last(texts).toLowerCase()] ?? last(texts);

export const readList = (texts: readonly string[]): unknown => texts;

/** Reads `A-24=twice` and the like into an object. */
export const readPairs = (texts: readonly string[]): unknown =>
  Object.fromEntries(
    texts.map((pair) => {
      const [id = '', ...variant] = pair.split('=');
      return [id.trim(), variant.join('=').trim()];
    }),
  );
