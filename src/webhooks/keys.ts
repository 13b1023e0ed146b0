/** Validates a webhook's address, key and secret. Messages never repeat a key. */

export const encodeKey = (key: string): Buffer => Buffer.from(key, 'utf8');

const secretPrefix = 'whsec_';

/** Returns why a secret cannot be used; undefined when it can. */
export function invalidSecretReason(secret: string): string | undefined {
  const encoded = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret;
  const isBase64 = /^[A-Za-z\d+/]+={0,2}$/.test(encoded) && encoded.length % 4 === 0;
  return isBase64 ? undefined : `must be ${secretPrefix} and base64 with its padding`;
}

/** Returns the secret of signatures when none is given: the key's own bytes, so that a key alone is enough. */
export const deriveSecret = (key: string): string => `${secretPrefix}${encodeKey(key).toString('base64')}`;

/** True for an http or https URL. */
export const isHttpUrl = (url: string): boolean =>
  URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
