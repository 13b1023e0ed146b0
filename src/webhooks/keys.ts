/** What a webhook's address, key and secret may look like. Messages never repeat a key. */
import { redactedText } from '../core/exchange/redaction.ts';

export const encodeKey = (key: string): Buffer => Buffer.from(key, 'utf8');

const secretPrefix = 'whsec_';

/** What keeps a secret from being used (A-49), in words; undefined when nothing does. */
export function invalidSecretReason(secret: string): string | undefined {
  const encoded = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret;
  const isBase64 = /^[A-Za-z\d+/]+={0,2}$/.test(encoded) && encoded.length % 4 === 0;
  return isBase64 ? undefined : `a secret is ${secretPrefix} and base64 with its padding, and this one is not`;
}

/** The secret that signatures are made with when none is given: the key's own bytes, so that a key alone is enough. */
export const deriveSecret = (key: string): string => `${secretPrefix}${encodeKey(key).toString('base64')}`;

/** Whether an address can be called. */
export const isHttpUrl = (url: string): boolean =>
  URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);

/** An address to show people: without what may be secret in it. */
export function redactUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === '' ? '' : `?${redactedText}`}`;
}
