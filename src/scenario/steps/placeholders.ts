/** Finds and fills `${name}` in texts of a script, which stands for a value that an earlier step captured. */
import type { JsonPath } from '../../core/validation/diagnostic.ts';
import { compileJsonPath } from '../../matching/json-path.ts';

/** `$${name}` stands for the text itself. */
const placeholder = /(\$?)\$\{([^{}]*)\}/g;

export const namePattern = /^[A-Za-z_]\w*$/;

/** Lists names that need no capture: `now` is the time of the tenant's clock. */
export const predefinedNames = ['now'] as const;

interface Use {
  /** Ends at the first dot or bracket. */
  readonly name: string;
  readonly path: JsonPath;
}

interface Search {
  /** Leads to the value that is searched. */
  readonly path?: JsonPath;
  /** Says which names are looked for (default: all). */
  readonly isWanted?: (name: string) => boolean;
  /** Ends the search after so many. */
  readonly limit?: number;
}

/** Returns the names that texts within a value use, and where. */
export function findPlaceholders(
  value: unknown,
  { path = [], isWanted = () => true, limit = Number.POSITIVE_INFINITY }: Search = {},
): Use[] {
  const found: Use[] = [];
  const at = [...path];
  const search = (inner: unknown): void => {
    if (typeof inner === 'string') {
      if (!inner.includes('${')) return;
      for (const name of namesIn(inner)) if (isWanted(name)) found.push({ name, path: [...at] });
    } else if (Array.isArray(inner)) for (let i = 0; i < inner.length; i++) searchAt(i, inner[i]);
    else if (typeof inner === 'object' && inner !== null)
      for (const [name, field] of Object.entries(inner)) searchAt(name, field);
  };
  const searchAt = (key: string | number, inner: unknown): void => {
    if (found.length >= limit) return;
    at.push(key);
    search(inner);
    at.pop();
  };
  search(value);
  return found.slice(0, limit);
}

const namesIn = (text: string): string[] =>
  [...text.matchAll(placeholder)].flatMap(([, escape, inner = '']) => (escape === '$' ? [] : [placeholderName(inner)]));

const placeholderName = (inner: string): string => /^[^.[]*/.exec(inner.trim())?.[0] ?? '';

export type PlaceholderValues = ReadonlyMap<string, unknown>;

/** Fills all placeholders of a value; a text that is one placeholder becomes the stored value, of any type. */
export function fillPlaceholders(value: unknown, values: PlaceholderValues): unknown {
  if (typeof value === 'string') return filledText(value, values);
  if (Array.isArray(value)) return value.map((item) => fillPlaceholders(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fillPlaceholders(inner, values)]));
}

function filledText(text: string, values: PlaceholderValues): unknown {
  const [whole] = text.matchAll(placeholder);
  if (whole?.[0] === text && whole[1] === '') return valueOf(whole[2] ?? '', values);
  return text.replaceAll(placeholder, (found, escape: string, inner: string) => {
    if (escape === '$') return found.slice(1);
    const value = valueOf(inner, values);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

/** Reads a stored value; `contact.email` is a field of the value captured as contact. */
function valueOf(inner: string, values: PlaceholderValues): unknown {
  const name = placeholderName(inner);
  const rest = inner.trim().slice(name.length).replace(/^\./, '');
  const value = values.get(name);
  return rest === '' ? value : compileJsonPath(rest)?.valuesIn(value)[0];
}
