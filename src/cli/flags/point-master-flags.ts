/** Parses the flags of `loyalty-sim point-master`, and reports all mistakes at once. */
import * as z from '../../core/validation/deferred-zod.ts';
import { pointMasterEnvironment } from '../../config/config.ts';
import { durationForms, parseDuration } from '../../core/lib/duration.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { encryptionProfiles } from '../../point-master/webhook/decrypt.ts';
import { parseFaultText } from '../../point-master/faults.ts';
import { createPointMaster } from '../../point-master/point-master.ts';
import type { PointMasterOptions } from '../../point-master/options.ts';
import type { PointMaster } from '../../point-master/point-master.ts';
import { flagName } from '../../config/options.ts';
import { readTextFile } from '../../platform/read-file.ts';

const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, `one of ${names.join(', ')}`);

/** Limits intervals of real time to what a timer can wait for, in ms. */
const maxMilliseconds = 7 * 86_400_000;

const span = (shortest: number) =>
  z.string().transform((text, context) => {
    const { months = 0, milliseconds = -1 } = parseDuration(text) ?? {};
    if (months === 0 && milliseconds >= shortest && milliseconds <= maxMilliseconds) return milliseconds;
    context.issues.push({ code: 'custom', message: `${durationForms}, from ${shortest}ms to 7d`, input: text });
    return z.NEVER;
  });

const port = 'a port number from 0 to 65535';

const flagsSchema = z.object({
  port: z
    .string()
    .regex(/^\d{1,5}$/, port)
    .transform(Number)
    .refine((number) => number <= 65_535, port)
    .default(4020),
  host: z.string().min(1, 'an address that is not empty').default('127.0.0.1'),
  key: z.array(z.string()).optional(),
  secret: z.array(z.string()).optional(),
  encryption: oneOf(encryptionProfiles).default('aes-256-cbc'),
  timestampTolerance: z.union([z.literal('off'), span(0)], `${durationForms}, or off`).optional(),
  serviceUrl: z.string().optional(),
  apiKey: z.string().optional(),
  tenant: z.string().min(1, 'a name that is not empty').optional(),
  syncEvery: span(10).optional(),
  opening: z.string().optional(),
  data: z.string().min(1, 'a path').optional(),
  fault: z.array(z.string()).default([]),
  adminKey: z.string().min(1, 'a key that is not empty').optional(),
  showPersonalData: z.boolean().default(false),
  log: oneOf(['pretty', 'json', 'silent']).default('pretty'),
  logFile: z.string().min(1, 'a path').optional(),
  json: z.boolean().default(false),
  readyFile: z.string().min(1, 'a path').optional(),
});

export type PointMasterFlags = z.output<typeof flagsSchema>;

/** Reads the flags. Throws an `InputError` with a line for each mistake. */
export function parsePointMasterFlags(typed: unknown): PointMasterFlags {
  const parsed = flagsSchema.safeParse(typed);
  if (parsed.success) return { ...parsed.data, ...sharedSettings(parsed.data) };
  const mistakes = parsed.error.issues.map(({ path: [name = ''], message, input }) => {
    return `${flagName(String(name))}: must be ${message}, not "${String(input ?? valueOf(typed, name))}"`;
  });
  throw new InputError([...new Set(mistakes)].join('\n'));
}

const valueOf = (typed: unknown, name: PropertyKey): unknown =>
  typeof typed === 'object' && typed !== null ? Object.entries(typed).find(([flag]) => flag === name)?.[1] : undefined;

/** Returns the settings that a simulator and its point master share, from flags or else the environment. */
function sharedSettings({ key, secret, serviceUrl, apiKey, encryption }: PointMasterFlags) {
  const fromEnvironment = pointMasterEnvironment();
  return {
    key: key ?? (encryption === 'plain' || fromEnvironment.key === undefined ? undefined : [fromEnvironment.key]),
    secret: secret ?? (fromEnvironment.secret === undefined ? undefined : [fromEnvironment.secret]),
    serviceUrl: serviceUrl ?? fromEnvironment.serviceUrl,
    apiKey: apiKey ?? fromEnvironment.apiKey,
  };
}

/** Creates the point master. Throws an `InputError` in terms of flags. */
export function pointMasterFromFlags(
  flags: PointMasterFlags,
  rest: Pick<PointMasterOptions, 'onEvent' | 'onInternalError'>,
): PointMaster {
  // The last five are the command's own.
  const { fault, opening, port: _port, log: _log, logFile: _file, json: _json, readyFile: _ready, ...same } = flags;
  if (same.syncEvery !== undefined && same.serviceUrl === undefined) {
    throw new InputError('--sync-every: needs --service-url, such as --service-url http://127.0.0.1:4010');
  }
  const faults = fault.map((text) => inTermsOf('--fault', () => parseFaultText(text)));
  const balances = opening === undefined ? [] : openingFrom(opening);
  return inFlags(() => createPointMaster({ ...same, ...rest, faults, opening: balances }));
}

// The point master checks what the file holds.
function openingFrom(path: string): NonNullable<PointMasterOptions['opening']> {
  try {
    return JSON.parse(readTextFile(path));
  } catch (error) {
    throw new InputError(`--opening: ${path} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function inTermsOf<T>(flag: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${flag}: ${error.message}`) : error;
  }
}

/** Rewrites `serviceUrl: …`, as the library says it, to `--service-url: …`. */
function inFlags<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const lines = error.message.split('\n').map((line) => line.replace(/^[a-zA-Z]+(?=: )/, flagName));
    throw new InputError(lines.join('\n'));
  }
}
