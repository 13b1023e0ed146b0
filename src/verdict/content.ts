/** What a request says, and in what two requests differ. */
import { parseTimestamp } from '../core/clock.ts';
import { pathText } from '../core/fields.ts';
import type { Exchange } from '../core/journal.ts';
import { canonical, parsed } from '../core/operation-key.ts';

/** A request's path, query and body but for fields named by JSON path, and for every time stamp. */
export function looseContent(exchange: Exchange | undefined, without: readonly string[]): string {
  if (!exchange) return '';
  const leaves = [...leavesOf(parsed(exchange.request.body))].filter(
    ([path, value]) => !isNamed(path, without) && !(typeof value === 'string' && parseTimestamp(value) !== undefined),
  );
  return `${exchange.path}?${exchange.query} ${leaves
    .map(([path, value]) => `${path}=${canonical(value)}`)
    .toSorted()
    .join('&')}`;
}

/** The fields in which two bodies differ, but for those named. */
export function differingFields(a: Exchange, b: Exchange, without: readonly string[]): string[] {
  const [left, right] = [new Map(leavesOf(parsed(a.request.body))), new Map(leavesOf(parsed(b.request.body)))];
  return [...new Set([...left.keys(), ...right.keys()])].filter(
    (path) => !isNamed(path, without) && canonical(left.get(path)) !== canonical(right.get(path)),
  );
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
