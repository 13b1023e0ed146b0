/** Redacts rules and scenarios to what may be shown: without the keys that are written in them. */
import { redactedText, redactQuery, redactSecrets } from '../core/exchange/redaction.ts';
import { isObject } from '../core/validation/lenient-parse.ts';

/** Names the fields whose keys are header or parameter names. */
const named: ReadonlySet<string> = new Set(['headers', 'query']);
/** Names the fields with data of the client, in which no key has a meaning here. */
const opaque: ReadonlySet<string> = new Set(['body', 'payload', 'fields']);

// Of the same shape: only texts, and what is wanted of a key, are replaced.
export const redactSpec = <Spec>(spec: Spec): Spec => shown('', spec) as Spec;

function shown(name: string, value: unknown): unknown {
  if (typeof value === 'string') return shownText(name, value);
  if (Array.isArray(value)) return value.map((item) => shown(name, item));
  if (!isObject(value) || opaque.has(name)) return value;
  if (named.has(name)) return redactSecrets(value);
  return Object.fromEntries(Object.entries(value).map(([inner, of]) => [inner, shown(inner, of)]));
}

function shownText(name: string, text: string): string {
  if (name === 'rotated-key') return redactedText;
  const start = text.startsWith('/') || /^[A-Z]+ \//.test(text) ? text.indexOf('?') + 1 : 0;
  return start === 0 ? text : text.slice(0, start) + redactQuery(text.slice(start));
}
