/** Every option, once: what may be set in the config file, by an environment variable and by a flag. */
import * as z from 'zod';
import { parseTimestamp } from '../core/time/clock.ts';
import { durationForms, longestDelay, parseDuration } from '../core/lib/duration.ts';
import { variantError } from '../service/assumptions/variants.ts';
import { optionalEventTypes } from '../service/events/event-types.ts';
import { validateAgainst } from '../core/validation/schema-diagnostics.ts';
import { policySchema } from '../scenario/policy-schema.ts';
import type { PolicyInput } from '../scenario/policy-schema.ts';
import { isScenarioName } from '../scenario/built-in.ts';
import { builtInFixtures } from '../storage/fixtures/fixture-files.ts';
import { invalidWebhookOptionReason } from '../webhooks/settings.ts';

export interface OptionDefinition<Schema extends z.ZodType = z.ZodType> {
  /** Of the value as the config file holds it. Its messages complete "expected …". */
  readonly schema: Schema;
  readonly description: string;
  /** What stands behind the flag; a flag without is a switch. */
  readonly argument?: string;
  /** The flag, where it does not follow from the name. */
  readonly flag?: string;
  /** Makes the file's value of what flags or a variable hold; the last text as it is unless given. */
  readonly read?: (texts: readonly string[]) => unknown;
  readonly isRepeatable?: boolean;
  /** Whether a value is a path: relative ones in the config file count from the file's folder. */
  readonly isPath?: (value: string) => boolean;
}

const defineOption = <Schema extends z.ZodType>(
  schema: Schema,
  rest: Omit<OptionDefinition<Schema>, 'schema'>,
): OptionDefinition<Schema> => ({
  schema,
  ...rest,
});

const last = (texts: readonly string[]): string => texts.at(-1) ?? '';
const text = z.string('a text').min(1, 'a text that is not empty');
const integer = (min: number, max: number, expected: string) => {
  const error = `${expected}, from ${min} to ${max}`;
  return z.int(error).min(min, error).max(max, error);
};
const readNumber = (texts: readonly string[]): unknown =>
  /^\s*-?\d+\s*$/.test(last(texts)) ? Number(last(texts)) : last(texts);
const readJson = (texts: readonly string[]): unknown => {
  try {
    return JSON.parse(last(texts));
  } catch {
    return last(texts);
  }
};
const readSwitch = (texts: readonly string[]): unknown =>
  ({ true: true, '1': true, false: false, '0': false })[last(texts).toLowerCase()] ?? last(texts);
const oneOf = <const Names extends readonly [string, ...string[]]>(...names: Names) =>
  z.enum(names, { error: `one of ${names.join(', ')}` });

const readPairs = (texts: readonly string[]): unknown =>
  Object.fromEntries(
    texts.map((pair) => {
      const [id = '', ...variant] = pair.split('=');
      return [id.trim(), variant.join('=').trim()];
    }),
  );

const assumeSchema = z
  .record(z.string(), z.string('the name of a variant'), 'assumptions with their variants, as {"A-24": "twice"}')
  .superRefine((assumptions, context) => {
    for (const [id, variant] of Object.entries(assumptions)) {
      const message = variantError(id, variant);
      if (message !== undefined) context.addIssue({ code: 'custom', path: [id], message, params: { isWhole: true } });
    }
  });

/** One of the options about a webhook: what is wrong with it never repeats a key. */
const webhookText = (name: Parameters<typeof invalidWebhookOptionReason>[0]) =>
  text.superRefine((value, context) => {
    const message = invalidWebhookOptionReason(name, value);
    if (message !== undefined) context.addIssue({ code: 'custom', message, params: { isWhole: true } });
  });

/** What is wrong with a policy is told by the schema that scenarios have, too. */
const policyOption = z.custom<PolicyInput>().superRefine((sent, context) => {
  for (const { path, message } of validateAgainst(policySchema, sent)) {
    context.addIssue({ code: 'custom', path: [...path], message, params: { isWhole: true } });
  }
});

const isDelay = (given: string): boolean => {
  const delay = parseDuration(given);
  return delay?.months === 0 && delay.milliseconds >= 0 && delay.milliseconds <= longestDelay;
};

const maxJournalBytes = 16 * 1024 ** 3;

export const options = {
  port: defineOption(integer(0, 65_535, 'a port number').default(4010), {
    argument: '<port>',
    description: 'port to serve on; 0 takes any free one',
    read: readNumber,
  }),
  host: defineOption(text.default('127.0.0.1'), {
    argument: '<address>',
    description: 'address to listen on; 0.0.0.0 for all of them',
  }),
  fixtures: defineOption(text.default('default'), {
    argument: '<path>',
    description: `fixture file, folder of them, or built-in fixture: ${builtInFixtures.join(', ')}`,
    isPath: (value) => !builtInFixtures.some((name) => name === value),
  }),
  scenario: defineOption(z.array(text, 'a list of files or names, as ["outage.yaml"]').default([]), {
    argument: '<file>',
    description: 'scenario file, or name of a built-in scenario (repeatable)',
    read: (texts) => texts,
    isRepeatable: true,
    isPath: (value) => !isScenarioName(value),
  }),
  policy: defineOption(policyOption.optional(), {
    argument: '<json>',
    description: 'rules for the client beyond the specification, as {"maxAttempts":4,"minBackoff":"1s"}',
    read: readJson,
  }),
  watch: defineOption(z.boolean('true or false').default(false), {
    description: 'reload scenario files when they change',
    read: readSwitch,
  }),
  data: defineOption(text.optional(), {
    argument: '<file>',
    description: 'file that keeps the state over restarts',
    isPath: () => true,
  }),
  apiKeys: defineOption(z.array(text, 'a list of keys, as ["till-1"]').default([]), {
    argument: '<key>',
    description: 'accept only callers with this key (repeatable; default: any key or none)',
    flag: '--api-key',
    read: (texts) => texts,
    isRepeatable: true,
  }),
  adminKey: defineOption(text.optional(), {
    argument: '<key>',
    description: 'key of the control API, which is off without one when the host is not loopback',
  }),
  tenants: defineOption(oneOf('path', 'by-key').default('path'), {
    argument: '<how>',
    description: 'how requests name their tenant: by path and header (path), or by their key too (by-key)',
  }),
  // Without a default of its own: a master that comes along brings the other mode.
  mode: defineOption(oneOf('standard', 'point-follower').optional(), {
    argument: '<mode>',
    description:
      'keep points itself (standard), or follow an external point master (point-follower) (default: standard)',
  }),
  withPointMaster: defineOption(z.boolean('true or false').default(false), {
    description: 'start a fake point master beside the simulator, and follow it',
    read: readSwitch,
  }),
  webhookUrl: defineOption(webhookText('webhookUrl').optional(), {
    argument: '<url>',
    description:
      'address that point adjustments are sent to in point-follower mode, and the events of --webhook-events',
  }),
  webhookKey: defineOption(webhookText('webhookKey').optional(), {
    argument: '<key>',
    description: 'key of 32 characters that encrypts the payloads of webhooks',
  }),
  webhookSecret: defineOption(webhookText('webhookSecret').optional(), {
    argument: '<whsec_…>',
    description: 'secret that webhooks are signed with (default: the bytes of the key)',
  }),
  webhookEvents: defineOption(z.array(webhookText('webhookEvents'), 'a list of kinds of events').default([]), {
    argument: '<kind>',
    description: `kind of event to send as well (repeatable): ${optionalEventTypes.join(', ')}`,
    read: (texts) => texts,
    isRepeatable: true,
  }),
  pointMasterUrl: defineOption(webhookText('pointMasterUrl').optional(), {
    argument: '<url>',
    description: "address of the point master, which serves a contact's history at <url>/fetchPointHistory",
  }),
  queueDelay: defineOption(z.string(durationForms).refine(isDelay, durationForms).default('0s'), {
    argument: '<duration>',
    description: 'time that queued work waits before it is executed',
  }),
  now: defineOption(
    z
      .string('an ISO 8601 timestamp with a UTC offset')
      .refine((given) => parseTimestamp(given) !== undefined, 'an ISO 8601 timestamp with a UTC offset')
      .optional(),
    { argument: '<timestamp>', description: 'freeze the clock at this moment' },
  ),
  seed: defineOption(integer(0, 2 ** 31 - 1, 'a whole number').default(1), {
    argument: '<n>',
    description: 'seed of ids and of chance',
    read: readNumber,
  }),
  assumptions: defineOption(assumeSchema.default({}), {
    flag: '--assume',
    argument: '<id=variant>',
    description: 'variant of an assumption, as A-24=twice (repeatable)',
    read: readPairs,
    isRepeatable: true,
  }),
  fieldValidation: defineOption(oneOf('ignore', 'warn', 'strict').default('warn'), {
    argument: '<how>',
    description: 'what unknown fields of a request lead to: ignore, warn or strict',
  }),
  log: defineOption(oneOf('pretty', 'json', 'silent').default('pretty'), {
    argument: '<form>',
    description: 'log on standard error: pretty, json or silent',
  }),
  json: defineOption(z.boolean('true or false').default(false), {
    description: 'print the ready line as JSON',
    read: readSwitch,
  }),
  readyFile: defineOption(text.optional(), {
    argument: '<file>',
    description: 'file to write the ready line to, as JSON; removed at exit',
    isPath: () => true,
  }),
  journalBytes: defineOption(integer(1, maxJournalBytes, 'a number of bytes').default(64 * 1024 * 1024), {
    argument: '<n>',
    description: 'largest size of the journal of a tenant, in bytes',
    read: readNumber,
  }),
} satisfies Readonly<Record<string, OptionDefinition>>;

export type OptionName = keyof typeof options;

/** The options as a list. */
export const optionEntries = Object.entries(options) as (readonly [OptionName, OptionDefinition])[];

/** Returns the default of an option that is a text or a number, or undefined. */
export function defaultOf({ schema }: OptionDefinition): string | number | undefined {
  const standard = schema.safeParse(undefined).data;
  return typeof standard === 'number' || typeof standard === 'string' ? standard : undefined;
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

/** The schema of the config file, to be published. */
export function configJsonSchema(): object {
  const schemas: Readonly<Record<string, z.ZodType>> = { policy: policySchema.optional() };
  const shape = Object.fromEntries(
    optionEntries.map(([name, { schema, description }]) => [name, (schemas[name] ?? schema).describe(description)]),
  );
  const schema = z.strictObject({ $schema: z.string().optional(), ...shape });
  return { title: 'loyalty-sim configuration', ...z.toJSONSchema(schema, { io: 'input' }) };
}
