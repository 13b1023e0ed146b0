import {
  allEntries,
  insertEntry,
  createBranch,
  countEntriesBefore,
  entryAt,
  firstEntry,
  firstEntryFrom,
  splitNode,
  isBefore,
  isOverfull,
  createLeaf,
  removeEntry,
  addKeys,
  addRangeSums,
  buildTree,
} from './ordered-tree.ts';
import type { OrderedEntry, TreeNode } from './ordered-tree.ts';

/**
 * Holds keys in the order of a number, as a tree that changes for nobody but its owner. Its nodes know how many entries
 * stand below them and what these add up to. Adding, taking away, paging from any offset and adding up any range cost
 * the same, give or take a level, for a hundred entries and for a million.
 */
export class OrderedList {
  static readonly empty = new OrderedList(undefined);

  #root: TreeNode | undefined;
  /** Holds who may still change this list in place: nobody else has seen it yet. */
  #owner: object | undefined;
  /** Marks the nodes that this list made for its owner. */
  readonly #editToken: object | undefined;

  private constructor(root: TreeNode | undefined, owner?: object, editToken?: object) {
    this.#root = root;
    this.#owner = owner;
    this.#editToken = editToken;
  }

  static from(entries: readonly OrderedEntry[]): OrderedList {
    return new OrderedList(buildTree(entries));
  }

  get size(): number {
    return this.#root?.count ?? 0;
  }

  /** Returns the list with the entry: itself to the owner that it was made for, unless it was shown since. */
  add(entry: OrderedEntry, owner?: object): OrderedList {
    if (owner !== undefined && this.#owner === owner) {
      this.#root = rootWith(this.#root, entry, this.#editToken);
      return this;
    }
    this.#owner = undefined;
    const editToken = owner && {};
    return new OrderedList(rootWith(this.#root, entry, editToken), owner, editToken);
  }

  /** Returns the list for somebody to look at, who finds it the same later on. */
  shown(): this {
    this.#owner = undefined;
    return this;
  }

  /** Returns the list without the entry of this key and order; itself when it has none, and as `add` does to its owner. */
  remove(entry: OrderedEntry, owner?: object): OrderedList {
    if (owner !== undefined && this.#owner === owner) {
      this.#root &&= removeEntry(this.#root, entry, this.#editToken);
      return this;
    }
    const editToken = owner && {};
    const rest = this.#root && removeEntry(this.#root, entry, editToken);
    if (rest === this.#root) return this;
    // Both share nodes from here on.
    this.#owner = undefined;
    return new OrderedList(rest, owner, editToken);
  }

  first(): OrderedEntry | undefined {
    return this.#root && firstEntry(this.#root);
  }

  last(): OrderedEntry | undefined {
    return this.#root?.last;
  }

  /** Returns `count` keys from `offset` on, ascending, or from the end backwards. */
  page(offset: number, count: number, direction: 'ascending' | 'descending' = 'ascending'): string[] {
    if (direction === 'ascending') return this.#slice(offset, offset + count);
    const end = this.size - offset;
    return this.#slice(Math.max(0, end - count), Math.max(0, end)).toReversed();
  }

  /** Counts the entries with an order below `limit`. */
  countBelow(limit: number): number {
    return this.#root ? countEntriesBefore(this.#root, ({ order }) => order >= limit) : 0;
  }

  /** Counts the entries before this one. */
  countBefore(entry: OrderedEntry): number {
    return this.#root ? countEntriesBefore(this.#root, (other) => !isBefore(other, entry)) : 0;
  }

  /** Returns the last entry whose order is below `limit`. */
  lastBelow(limit: number): OrderedEntry | undefined {
    return this.#at(this.countBelow(limit) - 1);
  }

  /** Returns the first entry whose order is `limit` or more. */
  firstFrom(limit: number): OrderedEntry | undefined {
    return this.#root && firstEntryFrom(this.#root, limit);
  }

  /** Returns the sums over the entries whose order is at least `from` and below `to`. */
  sums(from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY): number[] {
    const sums: number[] = [];
    if (this.#root) addRangeSums(sums, this.#root, { from, to });
    return sums;
  }

  *[Symbol.iterator](): Generator<OrderedEntry> {
    if (this.#root) yield* allEntries(this.#root);
  }

  #slice(from: number, to: number): string[] {
    const keys: string[] = [];
    if (this.#root) addKeys(keys, this.#root, Math.max(0, from), to - from);
    return keys;
  }

  #at(place: number): OrderedEntry | undefined {
    return this.#root && place >= 0 ? entryAt(this.#root, place) : undefined;
  }
}

/** Reads a list as it is at the moment: rows that come or go later change it. */
export type ListPeek = Pick<
  OrderedList,
  'size' | 'first' | 'last' | 'page' | 'sums' | 'countBelow' | 'firstFrom' | 'lastBelow'
>;

function rootWith(root: TreeNode | undefined, entry: OrderedEntry, editToken: object | undefined): TreeNode {
  if (!root) return createLeaf([entry], editToken);
  const added = insertEntry(root, entry, editToken);
  return isOverfull(added) ? createBranch(splitNode(added, entry, editToken), editToken) : added;
}
