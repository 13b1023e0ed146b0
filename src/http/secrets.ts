/** Keys that callers send: the journal notes that they were there, and not what they are. */
import { hidden, isSecret } from '../core/secrets.ts';

/** A query as it was sent, but for the values of keys. */
export function withoutKeys(query: string): string {
  // Most queries have nothing that could be one, written out or encoded.
  if (!/key|auth|cookie|%/i.test(query)) return query;
  return query.split('&').map(hideKey).join('&');
}

function hideKey(part: string): string {
  const [name = ''] = new URLSearchParams(part).keys();
  return isSecret(name) ? `${part.split('=', 1)[0]}=${hidden}` : part;
}

/** Parameters of a query, but for keys: for links, which are part of answers. */
export const withoutKeyParameters = (query: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.keys(query).some(isSecret)
    ? Object.fromEntries(Object.entries(query).filter(([name]) => !isSecret(name)))
    : query;
