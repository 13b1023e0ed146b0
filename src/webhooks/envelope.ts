/** Encrypts the payload of a webhook, and signs it in the headers. */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { toDate } from '../core/time/clock.ts';
import type { Instant } from '../core/time/clock.ts';
import { invalidKeyReason } from '../core/tenant/webhook-key.ts';
import { encodeKey } from './keys.ts';

/** Holds the ways to encrypt a payload, by the variant of A-48. */
const profiles = {
  default: { cipher: 'aes-256-cbc', iv: 16, tag: 0, block: 16, least: 16 },
  'aes-256-gcm': { cipher: 'aes-256-gcm', iv: 12, tag: 16, block: 1, least: 0 },
} as const;

type Encrypted = keyof typeof profiles;

export type EnvelopeProfile = Encrypted | 'plain';

/** Returns the profile that a variant of A-48 stands for. */
export const envelopeProfile = (variant: string): EnvelopeProfile =>
  variant === 'plain' || variant === 'aes-256-gcm' ? variant : 'default';

/** Reports a received payload that is damaged, or encrypted with another key. */
class EnvelopeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'EnvelopeError';
  }
}

interface EncryptionOptions {
  readonly key: string;
  readonly profile?: EnvelopeProfile;
}

/**
 * Encrypts a text: base64url of the IV, the encrypted bytes and, with GCM, the tag. The first bytes of `seed` become
 * the IV: 16 are enough. Throws `EnvelopeError` for a key that can't be.
 */
export function encryptEnvelopePayload(
  text: string,
  { key, profile = 'default', seed }: EncryptionOptions & { readonly seed: Uint8Array },
): string {
  if (profile === 'plain') return text;
  const iv = seed.subarray(0, profiles[profile].iv);
  if (profile === 'default') {
    const cipher = createCipheriv('aes-256-cbc', bytesOf(key), iv);
    return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final()]).toString('base64url');
  }
  const cipher = createCipheriv(profile, bytesOf(key), iv);
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

/** Decrypts the payload of an envelope. Throws `EnvelopeError` when it was cut or altered, or the key is another. */
export function decryptEnvelopePayload(payload: string, { key, profile = 'default' }: EncryptionOptions): string {
  if (profile === 'plain') return payload;
  const bytes = Buffer.from(payload, 'base64url');
  checkForm(payload, bytes, profile);
  const { iv, tag } = profiles[profile];
  const decipher = decipherOf(bytes, bytesOf(key), profile);
  try {
    const read = Buffer.concat([decipher.update(bytes.subarray(iv, bytes.length - tag)), decipher.final()]);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read);
  } catch {
    throw new EnvelopeError(
      'The payload cannot be decrypted with this key: it was encrypted with another one, or altered on the way.',
    );
  }
}

function checkForm(payload: string, bytes: Buffer, profile: Encrypted): void {
  if (!/^[\w-]+$/.test(payload)) {
    throw new EnvelopeError('The payload is not base64url without padding: letters, digits, "-" and "_" alone.');
  }
  const { cipher, iv, tag, block, least } = profiles[profile];
  const content = bytes.length - iv - tag;
  if (content >= least && content % block === 0 && payload.length % 4 !== 1) return;
  const parts = tag > 0 ? `content and ${tag} of tag` : `whole blocks of ${block}`;
  throw new EnvelopeError(
    `The payload was cut: its ${payload.length} characters are ${bytes.length} bytes, and ${cipher} has ${iv} of IV, then ${parts}.`,
  );
}

function decipherOf(bytes: Buffer, key: Buffer, profile: Encrypted) {
  const iv = bytes.subarray(0, profiles[profile].iv);
  if (profile === 'default') return createDecipheriv('aes-256-cbc', key, iv);
  const decipher = createDecipheriv(profile, key, iv, { authTagLength: profiles[profile].tag });
  decipher.setAuthTag(bytes.subarray(-profiles[profile].tag));
  return decipher;
}

function bytesOf(key: string): Buffer {
  const reason = invalidKeyReason(key);
  if (reason !== undefined) throw new EnvelopeError(`This key cannot be used: ${reason}.`);
  return encodeKey(key);
}

interface Signing {
  readonly id: string;
  /** Holds the moment of sending on the machine's clock: receivers compare it with theirs. */
  readonly at: Instant;
  readonly body: string;
  readonly secret: string;
}

/** Holds the names that the headers go by: those of the standard, and those of the service that it comes from. */
const headerPrefixes = ['webhook', 'svix'] as const;

/** Returns the headers that sign a body, under both names. */
export function signHeaders({ id, at, body, secret }: Signing): Record<string, string> {
  const signature = new Webhook(secret).sign(id, toDate(at), body);
  const timestamp = String(Math.floor(at / 1000));
  return Object.fromEntries(
    headerPrefixes.flatMap((prefix) => [
      [`${prefix}-id`, id],
      [`${prefix}-timestamp`, timestamp],
      [`${prefix}-signature`, signature],
    ]),
  );
}

/**
 * Checks the signature of a body by its headers, which have lower-case names. Throws `EnvelopeError` when they are
 * missing, more than five minutes from the machine's clock, or made with another secret or of another body.
 */
export function checkSignature(body: string, headers: Readonly<Record<string, string>>, secret: string): void {
  const prefix = headerPrefixes.find((name) => headers[`${name}-signature`] !== undefined);
  if (prefix === undefined) throw new EnvelopeError('The call is not signed: there is no header webhook-signature.');
  const signed = Object.fromEntries(
    ['id', 'timestamp', 'signature'].map((part) => [`webhook-${part}`, headers[`${prefix}-${part}`] ?? '']),
  );
  try {
    new Webhook(secret).verify(body, signed, { jsonParse: false });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    throw new EnvelopeError(`The signature is not right: ${error.message}.`);
  }
}
