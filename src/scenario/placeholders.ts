/** `${name}` in texts of a script: stands for a value that an earlier step captured. */
import type { JsonPath } from '../storage/json-places.ts';
import { fieldPath } from './field-path.ts';

/** `$${name}` stands for the text itself. */
const placeholder = /(\$?)\$\{([^{}]*)\}/g;

export const namePattern = /^[A-Za-z_]\w*$/;

/** Always there: the moment that the tenant's clock shows. */
export const givenNames = ['now'] as const;

interface Use {
  /** As far as the first dot or bracket. */
  readonly name: string;
  readonly path: JsonPath;
}

/** Every name that texts within a value use, and where. */
export function namesIn(value: unknown, path: JsonPath = []): Use[] {
  if (typeof value === 'string') {
    return [...value.matchAll(placeholder)].flatMap(([, escape, inner = '']) =>
      escape === '$' ? [] : [{ name: nameOf(inner), path }],
    );
  }
  if (typeof value !== 'object' || value === null) return [];
  const entries: readonly [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([key, inner]) => namesIn(inner, [...path, key]));
}

const nameOf = (inner: string): string => /^[^.[]*/.exec(inner.trim())?.[0] ?? '';

export type Values = ReadonlyMap<string, unknown>;

/** The value with all placeholders filled; a text that is one placeholder takes on the value as it is. */
export function filled(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return filledText(value, values);
  if (Array.isArray(value)) return value.map((item) => filled(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner, values)]));
}

function filledText(text: string, values: Values): unknown {
  const [whole] = text.matchAll(placeholder);
  if (whole?.[0] === text && whole[1] === '') return valueOf(whole[2] ?? '', values);
  return text.replaceAll(placeholder, (found, escape: string, inner: string) => {
    if (escape === '$') return found.slice(1);
    const value = valueOf(inner, values);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

/** `contact.email` is a field of what was captured as contact. */
function valueOf(inner: string, values: Values): unknown {
  const name = nameOf(inner);
  const rest = inner.trim().slice(name.length).replace(/^\./, '');
  const value = values.get(name);
  return rest === '' ? value : fieldPath(rest)?.valuesIn(value)[0];
}
