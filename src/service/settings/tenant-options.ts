/** Declares how a tenant is set up: every place where it can be said takes bounds, messages and words from here. */
import * as z from '../../core/validation/deferred-zod.ts';
import { durationSchema } from '../../core/validation/duration-schema.ts';
import { expectedType, requiredText, text, timestamp } from '../../core/validation/field-types.ts';
import { defineOption, readDuration, readNumber, readPairs } from '../../core/validation/option-definition.ts';
import type { OptionDefinition, OptionInputs, OptionValues } from '../../core/validation/option-definition.ts';
import { didYouMean, limitedHints } from '../../core/lib/suggest.ts';
import { variantError } from '../assumptions/variants.ts';

/** Holds the fixtures that are part of the package, by name. */
export const builtInFixtures = ['default', 'empty'] as const;

export const tenantModes = ['standard', 'point-follower'] as const;
const fieldValidations = ['ignore', 'warn', 'strict'] as const;

const largestSeed = 2_147_483_647;
const seedRange = { error: `must be a whole number from 0 to ${largestSeed}` };

const shortestInterval = 1000;

const assumptions = z
  .record(z.string(), text, expectedType('an object of variants, as {"A-24": "twice"}'))
  .superRefine((sent, context) => {
    const hint = limitedHints(didYouMean);
    for (const [id, variant] of Object.entries(sent)) {
      const message = variantError(id, variant, hint);
      if (message !== undefined) context.addIssue({ code: 'custom', path: [id], message });
    }
  });

/** Holds the options that a scenario can set as well. A tenant shows all of them but those that it only starts from. */
export const tenantOptions = {
  /** Holds a fixture file, a folder of them, or the name of a built-in fixture (default: default). */
  fixtures: defineOption(requiredText, {
    group: 'Data',
    description: `fixture file, folder of them, or built-in fixture: ${builtInFixtures.join(', ')}`,
    default: 'default',
    argument: '<path>',
    isPath: (value) => !builtInFixtures.some((name) => name === value),
  }),
  /** Says who keeps the points: the service, or an external point master that it follows (default: standard). */
  mode: defineOption(z.enum(tenantModes, expectedType(`one of ${tenantModes.join(', ')}`)), {
    group: 'Service',
    description: 'keep points itself (standard), or follow an external point master (point-follower)',
    // A point master next to the simulator brings the other mode.
    impliedDefault: 'standard',
    argument: '<mode>',
  }),
  /** Sets the timestamp at which the clock stands still (default: the clock runs in real time). */
  now: defineOption(timestamp, {
    group: 'Data',
    description: 'freeze the clock at this moment',
    argument: '<timestamp>',
  }),
  /** Seeds ids and chance (default: 1). */
  seed: defineOption(z.int(seedRange).min(0, seedRange).max(largestSeed, seedRange), {
    group: 'Data',
    description: 'seed of ids and of chance',
    default: 1,
    argument: '<n>',
    read: readNumber,
  }),
  /** Sets the time that queued work waits: a number of ms, or a text such as `15m` (default: 0s, A-26). */
  queueDelay: defineOption(durationSchema, {
    group: 'Service',
    description: 'delay of queued work before it is executed, as 15m',
    default: '0s',
    parsedDefault: 0,
    argument: '<duration>',
    read: readDuration,
  }),
  /** Sets the time between two batches that import the files of the folder, as `15m` (default: 15m, A-67). */
  importEvery: defineOption(
    durationSchema.refine((length) => length >= shortestInterval, { error: 'must be at least 1s' }),
    {
      group: 'Receipts as files',
      description: 'interval between two batches that import files, on the clock of the tenant',
      default: '15m',
      parsedDefault: 900_000,
      argument: '<duration>',
      read: readDuration,
    },
  ),
  /** Sets how unknown fields of a request are treated (default: warn). */
  fieldValidation: defineOption(z.enum(fieldValidations, expectedType(`one of ${fieldValidations.join(', ')}`)), {
    group: 'Service',
    description: 'treatment of unknown fields of a request: ignore, warn or strict',
    default: 'warn',
    argument: '<how>',
  }),
  /** Sets variants of assumptions: `{ "A-24": "twice" }`. */
  assumptions: defineOption(assumptions, {
    group: 'Service',
    description: 'variants of assumptions, as A-24=twice or {"A-24":"twice"}',
    default: {},
    flag: '--assume',
    argument: '<id=variant>',
    read: readPairs,
    isRepeatable: true,
  }),
} satisfies Readonly<Record<string, OptionDefinition>>;

const { fixtures, now, ...others } = tenantOptions;

/** Holds the options that say what a tenant starts from. */
export const startOptions = { fixtures, now };

/** Holds the options that stay in force for as long as a tenant lives, and are its settings. */
export const settingOptions = others;

export type TenantOptionName = keyof typeof tenantOptions;
export type TenantOptionInputs = OptionInputs<typeof tenantOptions>;
export type TenantOptionValues = OptionValues<typeof tenantOptions>;

// The record's own keys, which TypeScript widens.
export const tenantOptionNames = Object.keys(tenantOptions) as TenantOptionName[];
