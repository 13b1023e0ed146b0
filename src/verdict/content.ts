/** What a request says, and in what two requests differ. */
import { parseTimestamp } from '../core/clock.ts';
import type { Endpoint } from '../core/endpoint.ts';
import { pathText } from '../core/fields.ts';
import type { Exchange } from '../core/journal.ts';
import { canonical, ownKeyOf, parsed } from '../core/operation-key.ts';

interface Reading {
  readonly endpoint: Endpoint | undefined;
  /** Fields that may differ, by JSON path. */
  readonly volatile: readonly string[];
}

/** A request's path, query and body but for what may differ, its own key, and every time stamp. */
export function looseContent(exchange: Exchange | undefined, reading: Reading): string {
  if (!exchange) return '';
  const fields = [...fieldsOf(exchange, reading)].filter(([, value]) => !isTimestamp(value));
  return `${exchange.path}?${exchange.query} ${fields
    .map(([path, value]) => `${path}=${canonical(value)}`)
    .toSorted()
    .join('&')}`;
}

const isTimestamp = (value: unknown): boolean => typeof value === 'string' && parseTimestamp(value) !== undefined;

/** The fields in which two bodies differ, but for their own keys and what may differ. */
export function differingFields(a: Exchange, b: Exchange, reading: Reading): string[] {
  if (a.request.body === b.request.body) return [];
  const [left, right] = [new Map(fieldsOf(a, reading)), new Map(fieldsOf(b, reading))];
  return [...new Set([...left.keys(), ...right.keys()])].filter(
    (path) => canonical(left.get(path)) !== canonical(right.get(path)),
  );
}

/** A key may stand in other fields as well, such as the number of a receipt. */
function* fieldsOf(exchange: Exchange, { endpoint, volatile }: Reading): Generator<readonly [string, unknown]> {
  const { ownKey } = endpoint ?? {};
  const key = ownKey === undefined ? undefined : ownKeyOf(exchange, ownKey);
  for (const [path, value] of leavesOf(parsed(exchange.request.body))) {
    if (isNamed(path, volatile)) continue;
    yield [path, key !== undefined && String(value) === key ? 'its key' : value];
  }
}

/** Whether a path is one of those named, in which `[*]` is any item. */
const isNamed = (path: string, names: readonly string[]): boolean => {
  const general = path.replaceAll(/\[\d+\]/g, '[*]');
  return names.some((name) => [name, `[*].${name}`].some((named) => named === path || named === general));
};

function* leavesOf(value: unknown, path: readonly (string | number)[] = []): Generator<readonly [string, unknown]> {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    yield [pathText(path), value];
    return;
  }
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [name, inner] of entries) yield* leavesOf(inner, [...path, name]);
}
