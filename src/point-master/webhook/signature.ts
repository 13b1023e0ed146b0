/** Verifies the signature of a webhook, as Standard Webhooks defines it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Instant } from '../../core/time/clock.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { pointMasterError } from '../errors.ts';

/** Lists both prefixes under which the same three headers are sent. */
const families = ['webhook', 'svix'] as const;

const names = ['id', 'timestamp', 'signature'] as const;

type SignatureHeaders = Readonly<Record<(typeof names)[number], string>>;

/** Returns the bytes of a secret, given as `whsec_` and base64. No message names the secret. */
export function parseSecret(secret: string): Buffer {
  const text = secret.replace(/^whsec_/, '');
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length > 0 && bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '')) return bytes;
  throw new InputError('secret: must be "whsec_" and base64, as whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
}

/** Returns the time of the signature if one of the secrets made it; otherwise throws a `PointMasterError`. */
export function verifySignature(headers: IncomingHttpHeaders, body: Buffer, secrets: readonly Buffer[]): Instant {
  const { id, timestamp, signature } = signedHeaders(headers);
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw pointMasterError(
      'InvalidSignature',
      `The time stamp header is "${timestamp}"; seconds since 1970 were expected.`,
    );
  }
  const sent = signature.split(' ').flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : []));
  const isOurs = secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest();
    return sent.some((base64) => isSame(Buffer.from(base64, 'base64'), expected));
  });
  if (isOurs) return Number(timestamp) * 1000;
  const why =
    sent.length === 0
      ? 'the signature header has no part that begins with "v1,"'
      : 'another secret signed it, or headers or body were altered on the way';
  throw pointMasterError('InvalidSignature', `The signature is not that of this webhook: ${why}.`);
}

function signedHeaders(headers: IncomingHttpHeaders): SignatureHeaders {
  const found = families.map((family) => headersOf(headers, family));
  const complete = found.find((sent): sent is SignatureHeaders => names.every((name) => sent[name]));
  if (complete) return complete;
  const family = families.find((_, i) => names.some((name) => found[i]?.[name])) ?? families[0];
  const missing = names.filter((name) => !headers[`${family}-${name}`]).map((name) => `${family}-${name}`);
  const message = `The webhook is not signed: ${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} missing.`;
  throw pointMasterError('MissingSignature', message);
}

const headersOf = (headers: IncomingHttpHeaders, family: string): Partial<SignatureHeaders> =>
  Object.fromEntries(names.map((name) => [name, headers[`${family}-${name}`]?.toString()]));

const isSame = (sent: Buffer, expected: Buffer): boolean =>
  sent.length === expected.length && timingSafeEqual(sent, expected);
