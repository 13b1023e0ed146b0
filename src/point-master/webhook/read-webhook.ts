/** Verifies and reads a webhook step by step; each step rejects what it cannot verify. */
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

/** Holds what the point master and the service have agreed on. */
export interface WebhookContract {
  readonly encryption: EncryptionProfile;
  /** Holds more than one key while it is rotated. */
  readonly keys: readonly Buffer[];
  /** Holds the secrets; without any, signatures are not checked. */
  readonly secrets: readonly Buffer[];
  /** Sets how far the time stamp of a signature may be from real time, in ms. */
  readonly tolerance: number | 'off';
  /** Names the only tenant that is accepted (default: any). */
  readonly tenant: string | undefined;
}

/** Holds a webhook that has been verified and read. */
export interface VerifiedWebhook {
  readonly id: string;
  readonly eventType: string;
  readonly tenant: string;
  readonly isSigned: boolean;
  readonly payload: unknown;
  /** Holds the adjustment to apply; undefined if the event is not about points. */
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
  const envelope = validate(envelopeSchema, decodeJson(body), 'InvalidEnvelope', 'The envelope is not as agreed');
  checkTenant(envelope, contract);
  const payload = payloadOf(envelope, contract);
  if (isTooDeeplyNested(payload))
    throw pointMasterError('InvalidPayload', 'The payload is nested too deep to be one of this contract.');
  const { id, eventType, tenant } = envelope;
  const isAdjustment = eventType === adjustmentEvent;
  const adjustment = isAdjustment
    ? validate(adjustmentSchema, payload, 'InvalidPayload', `The payload of ${eventType} ${id} is not as agreed`)
    : undefined;
  return { id, eventType, tenant, isSigned, payload, adjustment };
}

/** Limits nesting; no message of the contract is nested deeper. */
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
 * Rejects a signature that is too old or in the future. It compares with real time, because the signer does so too,
 * whatever its simulated time is. The event id prevents applying an event twice; the age check rejects a recorded
 * webhook that is replayed after a reset has dropped that id.
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
  if (encryption === 'plain') return parsePlainPayload(envelope);
  const { payload, isEncrypted } = envelope;
  if (isEncrypted !== false && typeof payload === 'string') return decryptPayload(payload, encryption, keys);
  throw pointMasterError('NotEncrypted', `The payload came in plain text; ${encryption} was agreed on.`);
}

function parsePlainPayload({ payload, isEncrypted }: Envelope): unknown {
  if (isEncrypted === true)
    throw pointMasterError('CannotDecrypt', 'The payload came encrypted; plain text was agreed on.');
  if (typeof payload !== 'string') return payload;
  try {
    return JSON.parse(payload);
  } catch {
    throw pointMasterError('InvalidPayload', 'The payload is not JSON.');
  }
}

function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  code: PointMasterErrorCode,
  message: string,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw pointMasterError(code, `${message}: ${describeIssues(parsed.error)}.`);
}
