/** Finds keys that a JSON text has twice in one object: parsing keeps the last and says nothing. */
import { formatPath } from '../../core/validation/unknown-fields.ts';

/** Returns the paths of keys that are given more than once; `json` is the parsed text. Other texts are only counted. */
export const duplicateKeys = (text: string, json: unknown): string[] =>
  namesAtMost(text) > namesIn(json) ? findDuplicateKeys(text) : [];

const quote = 34;
const space = 32;

/** Returns an upper limit for the keys of a text: each ends with a quote and a colon, and so may part of a string. */
function namesAtMost(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (text.charCodeAt(before) <= space) before--;
    if (text.charCodeAt(before) === quote) count++;
  }
  return count;
}

function namesIn(json: unknown): number {
  if (typeof json !== 'object' || json === null) return 0;
  const inner = Object.values(json);
  let count = Array.isArray(json) ? 0 : inner.length;
  for (const value of inner) if (typeof value === 'object') count += namesIn(value);
  return count;
}

/** Holds an object or list that is open: the present place in it, and the keys that it has given. */
interface Opened {
  at: string | number;
  readonly names: Set<string> | undefined;
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\],]/g;

/** Walks through a text that is valid JSON. */
function findDuplicateKeys(text: string): string[] {
  const repeated = new Set<string>();
  const opened: Opened[] = [];
  for (const [sign, isName] of text.matchAll(token)) {
    const inside = opened.at(-1);
    if (sign === '{') opened.push({ at: '', names: new Set() });
    else if (sign === '[') opened.push({ at: 0, names: undefined });
    else if (sign === '}' || sign === ']') opened.pop();
    else if (sign === ',' && typeof inside?.at === 'number') inside.at++;
    if (isName === undefined || !inside?.names) continue;
    inside.at = nameIn(sign);
    if (inside.names.has(inside.at)) repeated.add(formatPath(opened.map(({ at }) => at)));
    inside.names.add(inside.at);
  }
  return [...repeated];
}

const nameIn = (sign: string): string => String(JSON.parse(sign.slice(0, sign.lastIndexOf('"') + 1)));
