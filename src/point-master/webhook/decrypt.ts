/** Decrypts payloads of the service. It follows the contract alone and shares no code with the sender. */
import { isUtf8 } from 'node:buffer';
import { createDecipheriv } from 'node:crypto';
import { InputError } from '../../core/lib/input-error.ts';
import { pointMasterError } from '../errors.ts';

export const encryptionProfiles = ['aes-256-cbc', 'aes-256-gcm', 'plain'] as const;
export type EncryptionProfile = (typeof encryptionProfiles)[number];

const keyLength = 32;
const blockBytes = 16;
const cbcIvBytes = 16;
const gcmIvBytes = 12;
const gcmTagBytes = 16;

/** Returns the key's bytes: the UTF-8 bytes of a string of 32 characters. No message names the key. */
export function parseEncryptionKey(key: string): Buffer {
  const bytes = Buffer.from(key, 'utf8');
  if (bytes.length === keyLength) return bytes;
  const beyond = bytes.length === key.length ? '' : ` of ${bytes.length} bytes; each has to be ASCII`;
  throw new InputError(`key: must have ${keyLength} characters, not ${key.length}${beyond}`);
}

const decipher = {
  'aes-256-cbc': decipherCbc,
  'aes-256-gcm': decipherGcm,
} as const;

/** Decrypts a payload with the first key that fits. Throws a `PointMasterError` that says why none does. */
export function decryptPayload(
  payload: string,
  encryption: Exclude<EncryptionProfile, 'plain'>,
  keys: readonly Buffer[],
): unknown {
  const bytes = decodePayload(payload);
  checkLength(bytes.length, encryption);
  for (const key of keys) {
    const parsed = tryParseJson(() => decipher[encryption](bytes, key));
    if (parsed) return parsed.value;
  }
  // One response for every failure: distinguishing bad padding from bad content would help to guess a payload.
  throw pointMasterError(
    'CannotDecrypt',
    `The payload does not decrypt to JSON with ${keys.length > 1 ? 'any of the keys' : 'this key'}: ` +
      'it was encrypted with another one, or altered or cut on the way.',
  );
}

/** Decodes base64url without padding. */
function decodePayload(payload: string): Buffer {
  const stray = payload.search(/[^\w-]/);
  if (stray >= 0) {
    const message = `The payload is not base64url without padding: it has ${JSON.stringify(payload[stray])} as character ${stray + 1}.`;
    throw pointMasterError('CannotDecrypt', message);
  }
  return Buffer.from(payload, 'base64url');
}

function checkLength(length: number, encryption: Exclude<EncryptionProfile, 'plain'>): void {
  if (encryption === 'aes-256-gcm') {
    if (length > gcmIvBytes + gcmTagBytes) return;
    const expected = `more than ${gcmIvBytes + gcmTagBytes}: ${gcmIvBytes} of IV, the text, ${gcmTagBytes} of tag`;
    throw pointMasterError(
      'CannotDecrypt',
      `The payload is cut: it has ${length} bytes, and ${expected} were expected.`,
    );
  }
  if (length >= cbcIvBytes + blockBytes && length % blockBytes === 0) return;
  const expected = `${cbcIvBytes} of IV and then one or more blocks of ${blockBytes}`;
  throw pointMasterError('CannotDecrypt', `The payload is cut: it has ${length} bytes, and ${expected} were expected.`);
}

function decipherCbc(bytes: Buffer, key: Buffer): Buffer {
  const cipher = createDecipheriv('aes-256-cbc', key, bytes.subarray(0, cbcIvBytes));
  return Buffer.concat([cipher.update(bytes.subarray(cbcIvBytes)), cipher.final()]);
}

function decipherGcm(bytes: Buffer, key: Buffer): Buffer {
  const tagAt = bytes.length - gcmTagBytes;
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, gcmIvBytes));
  cipher.setAuthTag(bytes.subarray(tagAt));
  return Buffer.concat([cipher.update(bytes.subarray(gcmIvBytes, tagAt)), cipher.final()]);
}

/** Parses bytes as JSON; the result stands in an object, because JSON may be null. */
function tryParseJson(bytesOfText: () => Buffer): { readonly value: unknown } | undefined {
  try {
    const bytes = bytesOfText();
    return isUtf8(bytes) ? { value: JSON.parse(bytes.toString('utf8')) } : undefined;
  } catch {
    return undefined;
  }
}
