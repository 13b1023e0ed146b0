/** Finds keys that a JSON text has twice in one object: parsing keeps the last and says nothing. */
import { finish } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { findEndOfText } from '../../core/validation/extent.ts';
import { formatPath } from '../../core/validation/unknown-fields.ts';

/** Returns the paths of keys that are given more than once; `keys` counts those of the parsed text. */
export const duplicateKeys = (text: string, keys: number): string[] => finish(duplicateKeysInTurns(text, keys));

/** Does the same for a long text. */
export function* duplicateKeysInTurns(text: string, keys: number): Steps<string[]> {
  return (yield* maxKeyCount(text)) > keys ? yield* findDuplicateKeys(text) : [];
}

const quote = 34;
const space = 32;
const countedAtOnce = 256;

/** Limits the keys that are named: a response and the journal name no more of a kind. */
const maxDuplicates = 1000;

/** Returns an upper limit for the keys of a text: each ends with a quote and a colon, and so may part of a string. */
function* maxKeyCount(text: string): Steps<number> {
  let [count, colons] = [0, 0];
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (text.charCodeAt(before) <= space) before--;
    if (text.charCodeAt(before) === quote) count++;
    if (++colons % countedAtOnce === 0) yield;
  }
  return count;
}

/** Counts the keys of a value and of all inside it. */
export const countKeys = (json: unknown): number => finish(countKeysInTurns(json));

/** Does the same for a value that holds much. */
export function* countKeysInTurns(json: unknown): Steps<number> {
  if (typeof json !== 'object' || json === null) return 0;
  yield;
  const inner = Object.values(json);
  let count = Array.isArray(json) ? 0 : inner.length;
  for (const value of inner) if (typeof value === 'object') count += yield* countKeysInTurns(value);
  return count;
}

/** Holds an object or list that is open: the present place in it, and the keys that it has given. */
interface OpenContainer {
  at: string | number;
  readonly keys: Set<string> | undefined;
}

const mark = /["{}[\],]/g;
const keyEnd = /\s*:/y;

/** Walks through a text that is valid JSON. */
function* findDuplicateKeys(text: string): Steps<string[]> {
  const duplicates = new Set<string>();
  const containers: OpenContainer[] = [];
  let at = 0;
  for (;;) {
    yield;
    // Others may have used it in between.
    mark.lastIndex = at;
    const found = mark.exec(text);
    if (!found) return [...duplicates];
    at = mark.lastIndex;
    const [symbol] = found;
    const container = containers.at(-1);
    if (symbol === '{') containers.push({ at: '', keys: new Set() });
    else if (symbol === '[') containers.push({ at: 0, keys: undefined });
    else if (symbol === '}' || symbol === ']') containers.pop();
    else if (symbol === ',' && typeof container?.at === 'number') container.at++;
    if (symbol !== '"') continue;
    const from = found.index;
    at = (yield* findEndOfText(text, from)) + 1;
    keyEnd.lastIndex = at;
    if (!container?.keys || !keyEnd.test(text)) continue;
    container.at = String(JSON.parse(text.slice(from, at)));
    if (container.keys.has(container.at)) duplicates.add(formatPath(containers.map(({ at: place }) => place)));
    container.keys.add(container.at);
    if (duplicates.size >= maxDuplicates) return [...duplicates];
  }
}
