/** From the bytes of a request to what it says, step by step; each step turns down what it can't vouch for. */
import type { IncomingHttpHeaders } from 'node:http';
import type * as z from 'zod';
import { systemNow, toTimestamp } from '../../core/time/clock.ts';
import type { Instant } from '../../core/time/clock.ts';
import { decryptPayload } from './decrypt.ts';
import type { EncryptionProfile } from './decrypt.ts';
import { pointMasterError } from '../errors.ts';
import type { PointMasterErrorCode } from '../errors.ts';
import { verifySignature } from './signature.ts';
import { adjustmentEvent, adjustmentSchema, envelopeSchema, describeIssues, decodeJson } from '../schemas.ts';
import type { AdjustmentPayload } from '../schemas.ts';

/** What the master and the service have agreed on. */
export interface WebhookContract {
  readonly encryption: EncryptionProfile;
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
export interface VerifiedWebhook {
  readonly id: string;
  readonly eventType: string;
  readonly tenant: string;
  readonly isSigned: boolean;
  readonly payload: unknown;
  /** What there is to apply, if it is about points. */
  readonly adjustment: AdjustmentPayload | undefined;
}

interface RawWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

type Envelope = z.output<typeof envelopeSchema>;

export function readWebhook({ headers, body }: RawWebhook, contract: WebhookContract): VerifiedWebhook {
  const isSigned = contract.secrets.length > 0;
  if (isSigned) checkAge(verifySignature(headers, body, contract.secrets), contract);
  const envelope = checked(envelopeSchema, decodeJson(body), 'InvalidEnvelope', 'The envelope is not as agreed');
  checkTenant(envelope, contract);
  const payload = payloadOf(envelope, contract);
  if (isTooDeeplyNested(payload))
    throw pointMasterError('InvalidPayload', 'The payload is nested too deep to be one of this contract.');
  const { id, eventType, tenant } = envelope;
  const isAdjustment = eventType === adjustmentEvent;
  const adjustment = isAdjustment
    ? checked(adjustmentSchema, payload, 'InvalidPayload', `The payload of ${eventType} ${id} is not as agreed`)
    : undefined;
  return { id, eventType, tenant, isSigned, payload, adjustment };
}

/** Nothing that the contract has is nested deeper. */
const maxNestingDepth = 100;

const isTooDeeplyNested = (value: unknown, levels = maxNestingDepth): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isTooDeeplyNested(inner, levels - 1)));

function checkTenant({ tenant }: Envelope, contract: WebhookContract): void {
  if (contract.tenant === undefined || contract.tenant === tenant) return;
  throw pointMasterError('WrongTenant', `This point master serves the tenant "${contract.tenant}", not "${tenant}".`);
}

/**
 * Turns down what was signed long ago, or is yet to be: by real time, since whoever signs does that, too, whatever time it
 * lives in. That an event is applied once is up to its id; this keeps out what somebody recorded and sends again after
 * the id was forgotten.
 */
function checkAge(signedAt: Instant, { tolerance }: WebhookContract): void {
  const age = systemNow() - signedAt;
  if (tolerance === 'off' || Math.abs(age) <= tolerance) return;
  throw pointMasterError(
    'TimestampOutOfTolerance',
    `The webhook was signed at ${toTimestamp(signedAt)}, ${Math.round(Math.abs(age) / 1000)} s ` +
      `${age > 0 ? 'before' : 'after'} this master's clock; ${tolerance / 1000} s are allowed. ` +
      'If the clocks of the two are meant to differ, start the master with --timestamp-tolerance off.',
  );
}

function payloadOf(envelope: Envelope, { encryption, keys }: WebhookContract): unknown {
  if (encryption === 'plain') return plain(envelope);
  if (envelope.isEncrypted !== false) return decryptPayload(envelope.payload, encryption, keys);
  throw pointMasterError('NotEncrypted', `The payload came in plain text; ${encryption} was agreed on.`);
}

function plain({ payload, isEncrypted }: Envelope): unknown {
  if (isEncrypted === true)
    throw pointMasterError('CannotDecrypt', 'The payload came encrypted; plain text was agreed on.');
  try {
    return JSON.parse(payload);
  } catch {
    throw pointMasterError('InvalidPayload', 'The payload is not JSON.');
  }
}

function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  code: PointMasterErrorCode,
  told: string,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw pointMasterError(code, `${told}: ${describeIssues(parsed.error)}.`);
}
