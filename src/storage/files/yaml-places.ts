/** Walks through the values and names of a YAML document. */
import { isAlias, isCollection, isMap, isPair, isScalar } from 'yaml';
import type { Node } from 'yaml';
import type { Steps } from '../../core/time/steps.ts';
import type { JsonPath } from '../../core/validation/diagnostic.ts';

/** Describes where a value or a name stands in a document. */
export interface Place {
  /** Is null for a value that is left out. */
  readonly node: Node | null;
  /** Holds the list or object around it. */
  readonly outer?: Place;
  /** Holds the index in a list, or the name in an object. */
  readonly at?: string | number;
  /** True for a name. */
  readonly isName?: boolean;
}

const placesAtOnce = 500;

/** Returns all places, in the order of the text. */
export function* placesIn(contents: Node | null): Steps<Place[]> {
  const places: Place[] = [];
  yield* addPlaces({ node: contents }, places);
  return places;
}

function* addPlaces(place: Place, places: Place[]): Steps {
  if (places.push(place) % placesAtOnce === 0) yield;
  for (const [i, item] of itemsOf(place.node).entries()) {
    if (!isPair(item)) {
      yield* addPlaces({ node: nodeOf(item), outer: place, at: i }, places);
      continue;
    }
    const at = nameOf(item.key);
    yield* addPlaces({ node: nodeOf(item.key), outer: place, at, isName: true }, places);
    yield* addPlaces({ node: nodeOf(item.value), outer: place, at }, places);
  }
}

const itemsOf = (node: unknown): readonly unknown[] => (isCollection(node) ? node.items : []);

const isNode = (node: unknown): node is Node => isScalar(node) || isCollection(node) || isAlias(node);

const nodeOf = (node: unknown): Node | null => (isNode(node) ? node : null);

/** Returns the name that a node stands for. */
const nameOf = (node: unknown): string => (isScalar(node) ? String(node.value) : '');

/** Returns the offset of a node in the text. */
export const nodeOffset = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);

/** Returns the names and indexes that lead to a place. */
export function pathTo(place: Place): JsonPath {
  const path: (string | number)[] = [];
  for (let one: Place | undefined = place; one; one = one.outer) if (one.at !== undefined) path.push(one.at);
  return path.toReversed();
}

/** True for a place within a list or object. */
export function isWithin(place: Place, list: Place): boolean {
  let outer = place.outer;
  while (outer && outer !== list) outer = outer.outer;
  return outer !== undefined;
}

/** Returns the offset of the value or name that a path leads to; for one that is missing, of the nearest around it. */
export function offsetIn(contents: Node | null, targetOf: (alias: Node) => unknown, path: JsonPath): number {
  let node: unknown = contents;
  let offset = nodeOffset(node);
  for (const part of path) {
    const inside = isAlias(node) ? targetOf(node) : node;
    if (!isCollection(inside)) break;
    const item: unknown = isMap(inside)
      ? inside.items.find(({ key }) => nameOf(key) === String(part))
      : inside.items[Number(part)];
    if (item === undefined) break;
    // An item of an object starts at its key.
    offset = nodeOffset(isPair(item) ? item.key : item) || offset;
    node = isPair(item) ? item.value : item;
  }
  return offset;
}
