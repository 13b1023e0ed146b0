/** Compares the contents of requests. */
import { parseTimestamp, toTimestamp } from '../../core/time/clock.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import { formatPath } from '../../core/validation/unknown-fields.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { canonicalJson, idempotencyKeyOf, parseJsonBody } from '../../core/exchange/operation-key.ts';

interface ContentOptions {
  readonly endpoint: Endpoint | undefined;
  /** Fields that may differ, by JSON path. */
  readonly ignoreFields: readonly string[];
}

/** Returns a request's path, query and body without its own key, time stamps and the fields that may differ. */
export function comparableContent(exchange: Exchange | undefined, reading: ContentOptions): string {
  if (!exchange) return '';
  const parts = partsOf(exchange, reading).map((part) => textOf(part.filter(([, value]) => !isTimestamp(value))));
  return `${exchange.path}?${exchange.query} ${parts.toSorted().join('\n')}`;
}

const isTimestamp = (value: unknown): boolean => typeof value === 'string' && parseTimestamp(value) !== undefined;

/** Returns the fields in which two bodies differ, except their own keys and the fields that may differ; rows may come in any order. */
export function differingFields(a: Exchange, b: Exchange, reading: ContentOptions): string[] {
  if (a.request.body === b.request.body) return [];
  const [left, right] = [partsOf(a, reading), partsOf(b, reading)];
  const [gone, come] = [without(left, right), without(right, left)];
  const pairs = Array.from({ length: Math.max(gone.length, come.length) }, (_, i) => [gone[i], come[i]] as const);
  return pairs.flatMap(([before = [], after = []]) => differingPaths(before, after));
}

function differingPaths(before: Part, after: Part): string[] {
  const [left, right] = [before, after].map((part) => new Map(part.map(([path, value]) => [inRow(path), value])));
  // A field of both bodies is named by its path in the second.
  const paths = new Map([...before, ...after].map(([path]) => [inRow(path), path]));
  return [...paths].flatMap(([name, path]) =>
    canonicalJson(left?.get(name)) === canonicalJson(right?.get(name)) ? [] : [path],
  );
}

/** Lists the fields of a body, or of a row of a bulk, each with its path in the body. */
type Part = readonly (readonly [path: string, value: unknown])[];

/** Returns a field's path in its row. */
const inRow = (path: string): string => path.replace(/^\[\d+\]\.?/, '');

const textOf = (part: Part): string =>
  part
    .map(([path, value]) => `${inRow(path)}=${canonicalJson(value)}`)
    .toSorted()
    .join('&');

/** Returns the parts that others lack; two equal parts need two in the others. */
function without(parts: readonly Part[], others: readonly Part[]): Part[] {
  const left = new Map<string, number>();
  for (const text of others.map(textOf)) left.set(text, (left.get(text) ?? 0) + 1);
  return parts.filter((part) => {
    const text = textOf(part);
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}

/** Returns a body as one part, a bulk as one part per row. Other fields may repeat the key, such as the number of a receipt. */
function partsOf(exchange: Exchange, { endpoint, ignoreFields }: ContentOptions): Part[] {
  const { idempotencyKey } = endpoint ?? {};
  const key = idempotencyKey === undefined ? undefined : idempotencyKeyOf(exchange, idempotencyKey);
  const body = parseJsonBody(exchange.request.body);
  const parts = Array.isArray(body) ? body.map((row, i) => [...leavesOf(row, [i])]) : [[...leavesOf(body)]];
  return parts.map((part) =>
    part
      .filter(([path]) => !isNamed(path, ignoreFields))
      .map(([path, value]) => [path, key !== undefined && String(value) === key ? 'its key' : comparable(value)]),
  );
}

/** True when another body holds all of a dated one, or all of its rows, at the same time. */
export const isContainedIn = (part: Exchange, whole: Exchange, reading: ContentOptions): boolean =>
  isDated(part) && without(partsOf(part, reading), partsOf(whole, reading)).length === 0;

/** True when two bodies are dated, and the first has a time that the second lacks. */
export function namesOtherTime(a: Exchange, b: Exchange, reading: ContentOptions): boolean {
  if (!isDated(a) || !isDated(b)) return false;
  const known = timesIn(b, reading);
  return [...timesIn(a, reading)].some((time) => !known.has(time));
}

const timesIn = (exchange: Exchange, reading: ContentOptions): ReadonlySet<unknown> =>
  new Set(
    partsOf(exchange, reading)
      .flat()
      .flatMap(([, value]) => (isTimestamp(value) ? [value] : [])),
  );

/** True when a body says when that happened which it is about. */
export const isDated = ({ request }: Exchange): boolean => /"\d{4}-\d\d-\d\dT\d\d:\d\d/.test(request.body ?? '');

/** Returns a timestamp as its moment, however it is written; any other value as it is. */
const comparable = (value: unknown): unknown => {
  const moment = typeof value === 'string' ? parseTimestamp(value) : undefined;
  return moment === undefined ? value : toTimestamp(moment);
};

/** True when a path is one of the named ones, in which `[*]` is any item. */
const isNamed = (path: string, names: readonly string[]): boolean => {
  const general = path.replaceAll(/\[\d+\]/g, '[*]');
  return names.some((name) => [name, `[*].${name}`].some((named) => named === path || named === general));
};

function* leavesOf(value: unknown, path: readonly (string | number)[] = []): Generator<readonly [string, unknown]> {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    yield [formatPath(path), value];
    return;
  }
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [name, inner] of entries) yield* leavesOf(inner, [...path, name]);
}
