/** What goes over the wire between the service and its point master, as the contract has it. */
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

/** compared without case. */
export const guidSchema = text.transform((sent, context) => {
  const normal = normalizeGuid(sent);
  if (normal !== undefined) return normal;
  context.issues.push({ code: 'custom', message: 'must be a GUID', input: sent });
  return z.NEVER;
});

/** also says whether its payload is encrypted. Fields to come are no fault. */
export const envelopeSchema = z.object({
  eventType: someText,
  id: guidSchema,
  payload: text,
  tenant: someText,
  isEncrypted: z.boolean('must be true or false').nullish(),
});

export const adjustmentEvent = 'loyalty.addPoints';

/** Both payloads of `loyalty.addPoints`: what they share must be there, the rest is for people to read. */
export const adjustmentSchema = z.object({
  contactId: guidSchema,
  amount: finiteNumber,
  pointDefinitionId: wholeNumber,
  description: text.nullish(),
  source: text.nullish(),
  reason: text.nullish(),
  workflowName: text.nullish(),
  userName: text.nullish(),
});

export type AdjustmentPayload = z.output<typeof adjustmentSchema>;

/** An item of `POST /api/v3/point-accounts/balances`. */
export interface SyncedBalance {
  readonly contactId: string;
  /** The new total. */
  readonly amount: number;
  readonly definitionId: number;
  readonly timeStamp: string;
}

/** What is wrong with a value, field by field, in one line. */
export const describeIssues = ({ issues }: z.core.$ZodError): string => issues.map(describeIssue).join('; ');

/** Says nothing of the value: it may be about people. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  const place = formatPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((name) => `"${name}"`).join(', ');
    return `${place === '' ? 'it' : place} has ${names}, which means nothing here`;
  }
  return `${place === '' ? 'it' : place} ${issue.message}`;
}

/** `items[3].amount` */
const formatPath = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

/** What a body says. Throws a refusal that quotes nothing of it: it may be about people. */
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

/** Balances that accounts begin with. Throws an `InputError` that names every mistake and its place. */
export function parseOpeningBalances(sent: unknown): readonly OpeningBalance[] {
  const parsed = openingSchema.safeParse(sent);
  if (parsed.success) return parsed.data;
  throw new InputError(`opening: ${describeIssues(parsed.error)}`);
}
