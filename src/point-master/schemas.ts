/** Describes the messages between the service and its point master, as the contract has them. */
import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import { InputError } from '../core/lib/input-error.ts';
import { normalizeGuid } from '../core/lib/random.ts';
import type { OpeningBalance } from './ledger.ts';
import { pointMasterError } from './errors.ts';

const text = z.string('must be a text');
const someText = text.min(1, 'must not be empty');
export const finiteNumber = z.number('must be a number').refine(Number.isFinite, 'must be a finite number');
export const wholeNumber = z.int('must be a whole number');

/** Normalizes a GUID, because ids are compared without case. */
export const guidSchema = text.transform((sent, context) => {
  const normal = normalizeGuid(sent);
  if (normal !== undefined) return normal;
  context.issues.push({ code: 'custom', message: 'must be a GUID', input: sent });
  return z.NEVER;
});

/** Accepts an envelope, which also says whether its payload is encrypted. Unknown fields are ignored. */
export const envelopeSchema = z.object(
  {
    eventType: someText,
    id: guidSchema,
    // A plain payload is an object.
    payload: z.union(
      [text, z.record(z.string(), z.unknown())],
      'must be a text, or an object where it is not encrypted',
    ),
    tenant: someText,
    isEncrypted: z.boolean('must be true or false').nullish(),
  },
  'must be an object',
);

export const adjustmentEvent = 'loyalty.addPoints';

/** Accepts both payloads of `loyalty.addPoints`: shared fields are required, the others are texts for people. */
export const adjustmentSchema = z.object(
  {
    contactId: guidSchema,
    amount: finiteNumber,
    pointDefinitionId: wholeNumber,
    description: text.nullish(),
    source: text.nullish(),
    reason: text.nullish(),
    workflowName: text.nullish(),
    userName: text.nullish(),
  },
  'must be an object',
);

export type AdjustmentPayload = z.output<typeof adjustmentSchema>;

/** Forms an item of `POST /api/v3/point-accounts/balances`. */
export interface SyncedBalance {
  readonly contactId: string;
  /** Holds the new total. */
  readonly amount: number;
  readonly definitionId: number;
  readonly timeStamp: string;
}

/** Describes every issue of a value in one line, field by field. */
export const describeIssues = ({ issues }: z.core.$ZodError): string => issues.map(describeIssue).join('; ');

/** Describes one issue without its value, which may be personal data. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  const place = formatPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((name) => `"${name}"`).join(', ');
    return inPlace(place, `has ${names}, which means nothing here`);
  }
  return inPlace(place, issue.message);
}

const inPlace = (place: string, message: string): string => (place === '' ? message : `${place}: ${message}`);

/** Returns a path as `items[3].amount`. */
const formatPath = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

/** Parses a body. Throws a `PointMasterError` that quotes nothing of it, because it may hold personal data. */
export function decodeJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw pointMasterError('InvalidJson', 'The body is not UTF-8.');
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/,? (?:\.{3})?".*$/s, '') : String(error);
    throw pointMasterError('InvalidJson', `The body is not JSON: ${why}.`);
  }
}

const openingSchema = z.array(
  z.strictObject({
    contactId: guidSchema,
    definitionId: wholeNumber,
    amount: finiteNumber,
    description: text.optional(),
    tenant: someText.optional(),
  }),
  'must be a list of balances',
);

/** Parses opening balances. Throws an `InputError` that names every mistake and its place. */
export function parseOpeningBalances(sent: unknown): readonly OpeningBalance[] {
  const parsed = openingSchema.safeParse(sent);
  if (parsed.success) return parsed.data;
  throw new InputError(`opening: ${describeIssues(parsed.error)}`);
}
