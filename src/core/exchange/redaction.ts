/** Redacts the keys that callers send, which are compared and never shown. */

/** Replaces a key wherever it would be shown. */
export const redactedText = '(hidden)';

/**
 * Matches names that headers and parameters with a key go by: our own, and those of usual gateways, clouds and
 * frameworks. No key is read from a query, but some clients try.
 */
const secretNamePattern = new RegExp(
  [
    '^(?:code|key|sig|pwd|auth|sid)$',
    '(?:api|subscription|functions|access|admin|master|private|shared|account|auth|webhook|rotated)[-_.]?keys?$',
    'token|secret|passw|passphrase|credential|cookie|authorization|authentication|signature|session[-_.]?id',
  ].join('|'),
  'i',
);

/** True when a header or a parameter of this name holds a key. */
export const isSecretName = (name: string): boolean => secretNamePattern.test(name);

type NamedValues = Readonly<Record<string, unknown>>;

/** Returns values by name without those of keys, or the object itself where there is none. */
export const redactSecrets = <Values extends NamedValues>(values: Values): Values =>
  Object.keys(values).some(isSecretName)
    ? // The same names, and a text in place of some text.
      (Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, isSecretName(name) ? redactedText : value]),
      ) as Values)
    : values;

/** Matches a query that may name a key, written out or encoded; a cheap test before the exact one. */
const secretHint = /key|code|sig|pwd|auth|sid|token|secret|pass|credential|cookie|session|%/i;

/** Returns a query as it was sent, but for the values of keys. */
export const redactQuery = (query: string): string =>
  secretHint.test(query) ? query.split('&').map(redactParameter).join('&') : query;

function redactParameter(part: string): string {
  const [name = ''] = new URLSearchParams(part).keys();
  return isSecretName(name) ? `${part.split('=', 1)[0]}=${redactedText}` : part;
}

/** Returns the parameters of a query without keys, for links, which are part of responses. */
export const omitSecretParameters = (query: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.keys(query).some(isSecretName)
    ? Object.fromEntries(Object.entries(query).filter(([name]) => !isSecretName(name)))
    : query;

/** Returns an address without its query and credentials, which may be secret. */
export function redactUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === '' ? '' : `?${redactedText}`}`;
}
