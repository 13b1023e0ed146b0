/** From the bytes of a request to what it says, step by step; each step turns down what it can't vouch for. */
import type { IncomingHttpHeaders } from 'node:http';
import type * as z from 'zod';
import { machineNow, toTimestamp } from '../core/clock.ts';
import type { Instant } from '../core/clock.ts';
import { isTooDeep } from '../core/fields.ts';
import { decrypt } from './decrypt.ts';
import type { Encryption } from './decrypt.ts';
import { refusal } from './refusals.ts';
import type { RefusalCode } from './refusals.ts';
import { verifySignature } from './signature.ts';
import { adjustmentEvent, adjustmentSchema, envelopeSchema, faultsIn, jsonOf } from './wire.ts';
import type { Adjustment } from './wire.ts';

/** What the master and the service have agreed on. */
export interface Contract {
  readonly encryption: Encryption;
  /** More than one while a key is being changed. */
  readonly keys: readonly Buffer[];
  /** Signatures are not checked when there is none. */
  readonly secrets: readonly Buffer[];
  /** How far the time stamp of a signature may be from real time, in ms. */
  readonly tolerance: number | 'off';
  /** The only tenant to be served; any when it isn't given. */
  readonly tenant: string | undefined;
}

/** A webhook that has been checked and read. */
export interface Webhook {
  readonly id: string;
  readonly eventType: string;
  readonly tenant: string;
  readonly isSigned: boolean;
  readonly payload: unknown;
  /** What there is to apply, if it is about points. */
  readonly adjustment: Adjustment | undefined;
}

interface Sent {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

type Envelope = z.output<typeof envelopeSchema>;

export function readWebhook({ headers, body }: Sent, contract: Contract): Webhook {
  const isSigned = contract.secrets.length > 0;
  if (isSigned) checkAge(verifySignature(headers, body, contract.secrets), contract);
  const envelope = checked(envelopeSchema, jsonOf(body), 'InvalidEnvelope', 'The envelope is not as agreed');
  checkTenant(envelope, contract);
  const payload = payloadOf(envelope, contract);
  if (isTooDeep(payload)) throw refusal('InvalidPayload', 'The payload is nested too deep to be one of this contract.');
  const { id, eventType, tenant } = envelope;
  const isAdjustment = eventType === adjustmentEvent;
  const adjustment = isAdjustment
    ? checked(adjustmentSchema, payload, 'InvalidPayload', `The payload of ${eventType} ${id} is not as agreed`)
    : undefined;
  return { id, eventType, tenant, isSigned, payload, adjustment };
}

function checkTenant({ tenant }: Envelope, contract: Contract): void {
  if (contract.tenant === undefined || contract.tenant === tenant) return;
  throw refusal('WrongTenant', `This point master serves the tenant "${contract.tenant}", not "${tenant}".`);
}

/**
 * Turns down what was signed long ago, or is yet to be: by real time, since whoever signs does that, too, whatever time it
 * lives in. That an event is applied once is up to its id; this keeps out what somebody recorded and sends again after
 * the id was forgotten.
 */
function checkAge(signedAt: Instant, { tolerance }: Contract): void {
  const age = machineNow() - signedAt;
  if (tolerance === 'off' || Math.abs(age) <= tolerance) return;
  throw refusal(
    'TimestampOutOfTolerance',
    `The webhook was signed at ${toTimestamp(signedAt)}, ${Math.round(Math.abs(age) / 1000)} s ` +
      `${age > 0 ? 'before' : 'after'} this master's clock; ${tolerance / 1000} s are allowed. ` +
      'If the clocks of the two are meant to differ, start the master with --timestamp-tolerance off.',
  );
}

function payloadOf(envelope: Envelope, { encryption, keys }: Contract): unknown {
  if (encryption === 'plain') return plain(envelope);
  if (envelope.isEncrypted !== false) return decrypt(envelope.payload, encryption, keys);
  throw refusal('NotEncrypted', `The payload came in plain text; ${encryption} was agreed on.`);
}

function plain({ payload, isEncrypted }: Envelope): unknown {
  if (isEncrypted === true) throw refusal('CannotDecrypt', 'The payload came encrypted; plain text was agreed on.');
  try {
    return JSON.parse(payload);
  } catch {
    throw refusal('InvalidPayload', 'The payload is not JSON.');
  }
}

function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  code: RefusalCode,
  told: string,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refusal(code, `${told}: ${faultsIn(parsed.error)}.`);
}
