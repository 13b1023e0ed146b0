/**
 * Maps strings to values immutably (a hash array mapped trie): a change returns a new map that shares all but a few
 * nodes with the old one, so that keeping, comparing and giving back old maps costs nothing.
 */
import { hash32 } from '../lib/random.ts';
import { finish } from '../time/steps.ts';
import type { Steps } from '../time/steps.ts';

const entriesAtOnce = 1000;

// Nodes are made by constructors, not as literals: where many literals live long, V8 puts all further ones among the
// old objects, and nodes that are given up at once then wait there, with all that they lead to, for a full collection.
class HashLeaf<V> {
  readonly hash: number;
  readonly key: string;
  readonly value: V;

  constructor(hash: number, key: string, value: V) {
    this.hash = hash;
    this.key = key;
    this.value = value;
  }
}

/** Leads to an entry that is made when somebody looks at it. */
class PackedLeaf<V> {
  readonly #entries: PackedEntries<V>;
  readonly #index: number;

  constructor(entries: PackedEntries<V>, index: number) {
    this.#entries = entries;
    this.#index = index;
  }

  get hash(): number {
    return hashOfRank(this.#entries.ranks[this.#index] as number);
  }

  get key(): string {
    return this.#entries.keyAt(this.#index);
  }

  get value(): V {
    return this.#entries.valueAt(this.#index);
  }
}

type Leaf<V> = HashLeaf<V> | PackedLeaf<V>;

/** Holds keys whose whole 32-bit hash is the same. */
class Collision<V> {
  readonly hash: number;
  readonly leaves: readonly Leaf<V>[];

  constructor(hash: number, leaves: readonly Leaf<V>[]) {
    this.hash = hash;
    this.leaves = leaves;
  }
}

class HashBranch<V> {
  bitmap: number;
  readonly nodes: HashNode<V>[];
  /** While a builder holds this token it may change the branch in place: nobody else has seen it yet. */
  readonly editToken: object | undefined;

  constructor(bitmap: number, nodes: HashNode<V>[], builder?: object) {
    this.bitmap = bitmap;
    this.nodes = nodes;
    this.editToken = builder;
  }
}

/** Stands for the branch over a range of packed entries, and becomes that branch where a map is changed or compared. */
class PackedBranch<V> {
  readonly entries: PackedEntries<V>;
  readonly from: number;
  readonly to: number;
  readonly #shift: number;
  #branch: HashBranch<V> | undefined;

  constructor(entries: PackedEntries<V>, { from, to }: EntryRange, shift: number) {
    this.entries = entries;
    this.from = from;
    this.to = to;
    this.#shift = shift;
  }

  /** Returns the index of the entry with a key; -1 when there is none. */
  indexOf(key: string): number {
    const { ranks, keyAt } = this.entries;
    const rank = rankOf(key);
    for (let i = firstOfRank(ranks, rank, this); i < this.to && ranks[i] === rank; i++) if (keyAt(i) === key) return i;
    return -1;
  }

  find(key: string): V | undefined {
    const index = this.indexOf(key);
    return index < 0 ? undefined : this.entries.valueAt(index);
  }

  /** Returns the same branch each time, so that what nobody changed is known by it. */
  get branch(): HashBranch<V> {
    this.#branch ??= unpackBranch(this.entries, this, this.#shift);
    return this.#branch;
  }
}

type UnpackedNode<V> = Leaf<V> | Collision<V> | HashBranch<V>;
type HashNode<V> = UnpackedNode<V> | PackedBranch<V>;

/** Returns a hash as a signed number of 32 bits, which V8 keeps in a field as it is; others are objects of their own. */
const signed = (hash: number): number => hash | 0;

let lastKey = '';
let lastHash = signed(hash32(''));

function hashOf(key: string): number {
  // Whoever puts something under a key has just looked under it.
  if (lastKey !== key) [lastKey, lastHash] = [key, signed(hash32(key))];
  return lastHash;
}

const bitsPerLevel = 5;
const mask = 31;

function countBits(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const isBranch = <V>(node: HashNode<V>): node is HashBranch<V> => node instanceof HashBranch;
const isPacked = <V>(node: HashNode<V>): node is PackedBranch<V> => node instanceof PackedBranch;
const isLeaf = <V>(node: HashNode<V>): node is Leaf<V> => node instanceof HashLeaf || node instanceof PackedLeaf;
const unpacked = <V>(node: HashNode<V>): UnpackedNode<V> => (isPacked(node) ? node.branch : node);
const emptyBranch = new HashBranch<never>(0, []);

/** Holds entries that are made when somebody looks at them, in the order in which a map lists them. */
export interface PackedEntries<V> {
  /** Holds the rank of each entry, ascending; entries of one rank stand in the order in which they were added. */
  readonly ranks: Uint32Array;
  readonly keyAt: (index: number) => string;
  /** Returns the same value each time, as long as somebody holds it. */
  readonly valueAt: (index: number) => V;
  /** Returns the value for somebody who looks at all of them once. */
  readonly peekAt: (index: number) => V;
}

interface EntryRange {
  readonly from: number;
  /** Holds the index behind the last. */
  readonly to: number;
}

/** Returns where a map lists a hash among others: its digits, five bits each, with the lowest first. */
const rankOfHash = (hash: number): number =>
  (((hash & mask) << 27) |
    (((hash >>> 5) & mask) << 22) |
    (((hash >>> 10) & mask) << 17) |
    (((hash >>> 15) & mask) << 12) |
    (((hash >>> 20) & mask) << 7) |
    (((hash >>> 25) & mask) << 2) |
    (hash >>> 30)) >>>
  0;

/** Returns where a map lists a key among others. */
export const rankOf = (key: string): number => rankOfHash(hashOf(key));

const hashOfRank = (rank: number): number =>
  (rank >>> 27) |
  (((rank >>> 22) & mask) << 5) |
  (((rank >>> 17) & mask) << 10) |
  (((rank >>> 12) & mask) << 15) |
  (((rank >>> 7) & mask) << 20) |
  (((rank >>> 2) & mask) << 25) |
  ((rank & 3) << 30);

/** Returns the first index of a range whose rank is this one or a later one. */
function firstOfRank(ranks: Uint32Array, rank: number, { from, to }: EntryRange): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranks[middle] as number) < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

function unpackBranch<V>(entries: PackedEntries<V>, { from, to }: EntryRange, shift: number): HashBranch<V> {
  const { ranks } = entries;
  const nodes: HashNode<V>[] = [];
  let bitmap = 0;
  for (let start = from; start < to;) {
    const slot = (hashOfRank(ranks[start] as number) >>> shift) & mask;
    let end = start + 1;
    while (end < to && ((hashOfRank(ranks[end] as number) >>> shift) & mask) === slot) end++;
    bitmap |= 1 << slot;
    nodes.push(packedNode(entries, { from: start, to: end }, shift + bitsPerLevel));
    start = end;
  }
  return new HashBranch(bitmap, nodes);
}

function packedNode<V>(entries: PackedEntries<V>, { from, to }: EntryRange, shift: number): HashNode<V> {
  if (to - from === 1) return new PackedLeaf(entries, from);
  const [first, last] = [entries.ranks[from] as number, entries.ranks[to - 1]];
  if (first !== last) return new PackedBranch(entries, { from, to }, shift);
  const leaves = Array.from({ length: to - from }, (_, i) => new PackedLeaf(entries, from + i));
  return new Collision(hashOfRank(first), leaves);
}

/** Describes a difference between two maps at one key; an absent side is undefined. */
export interface MapDifference<V> {
  readonly key: string;
  readonly before: V | undefined;
  readonly after: V | undefined;
}

export class PersistentMap<V> {
  readonly size: number;
  readonly #root: HashBranch<V>;

  private constructor(root: HashBranch<V>, size: number) {
    this.#root = root;
    this.size = size;
  }

  static empty<V>(): PersistentMap<V> {
    return new PersistentMap<V>(emptyBranch, 0);
  }

  /** Builds a map at one go; a later entry with the same key replaces an earlier one. */
  static from<V>(entries: Iterable<readonly [string, V]>): PersistentMap<V> {
    return finish(PersistentMap.fromInSteps(entries));
  }

  static *fromInSteps<V>(entries: Iterable<readonly [string, V]>): Steps<PersistentMap<V>> {
    const builder = {};
    let root = new HashBranch<V>(0, [], builder);
    const added = { count: 0 };
    let entered = 0;
    for (const [key, value] of entries) {
      if (++entered % entriesAtOnce === 0) yield;
      root = insertInto(root, 0, new HashLeaf(hashOf(key), key, value), added, builder);
    }
    return new PersistentMap(root, added.count);
  }

  /** Returns a map of packed entries, which have different keys. */
  static fromPacked<V>(entries: PackedEntries<V>): PersistentMap<V> {
    const { length } = entries.ranks;
    return new PersistentMap(unpackBranch(entries, { from: 0, to: length }, 0), length);
  }

  get(key: string): V | undefined {
    const node = this.#endOf(hashOf(key));
    if (node === undefined) return undefined;
    if (isLeaf(node)) return node.key === key ? node.value : undefined;
    if (isPacked(node)) return node.find(key);
    return node.leaves.find((leaf) => leaf.key === key)?.value;
  }

  /** Answers whether there is such a key, and makes no packed value for that. */
  has(key: string): boolean {
    const node = this.#endOf(hashOf(key));
    if (node === undefined) return false;
    if (isLeaf(node)) return node.key === key;
    return isPacked(node) ? node.indexOf(key) >= 0 : node.leaves.some((leaf) => leaf.key === key);
  }

  /** Returns the node behind all branches that a hash leads through. */
  #endOf(hash: number): Exclude<HashNode<V>, HashBranch<V>> | undefined {
    let node: HashNode<V> = this.#root;
    for (let shift = 0; isBranch(node); shift += bitsPerLevel) {
      const bit: number = 1 << ((hash >>> shift) & mask);
      if (!(node.bitmap & bit)) return undefined;
      const next: HashNode<V> | undefined = node.nodes[countBits(node.bitmap & (bit - 1))];
      if (!next) return undefined;
      node = next;
    }
    return node;
  }

  /** Works in place with a builder, as far as that made the map itself: then no map that it came from is to be used again. */
  set(key: string, value: V, builder?: object): PersistentMap<V> {
    const added = { count: 0 };
    const root = insertInto(this.#root, 0, new HashLeaf(hashOf(key), key, value), added, builder);
    return new PersistentMap(root, this.size + added.count);
  }

  /** Works in place with a builder, as `set` does. */
  delete(key: string, builder?: object): PersistentMap<V> {
    if (this.get(key) === undefined) return this;
    const root = deleteFrom(this.#root, 0, { hash: hashOf(key), key }, builder);
    return new PersistentMap(root && isBranch(root) ? root : rootBranch(root), this.size - 1);
  }

  *entries(): Generator<readonly [string, V]> {
    for (const leaf of leavesOnce<V>(this.#root)) yield [leaf.key, leaf.value];
  }

  *values(): Generator<V> {
    for (const leaf of leavesOnce<V>(this.#root)) yield leaf.value;
  }

  /** Yields every key whose value is another one in `later`; costs what changed, not what there is. */
  *diff(later: PersistentMap<V>): Generator<MapDifference<V>> {
    yield* diffNodes<V>(this.#root, later.#root, 0);
  }
}

function insertInto<V>(
  branch: HashBranch<V>,
  shift: number,
  leaf: HashLeaf<V>,
  added: { count: number },
  builder: object | undefined,
): HashBranch<V> {
  const bit = 1 << ((leaf.hash >>> shift) & mask);
  const index = countBits(branch.bitmap & (bit - 1));
  const mine = builder !== undefined && branch.editToken === builder;
  if (!(branch.bitmap & bit)) {
    added.count++;
    if (!mine) return new HashBranch(branch.bitmap | bit, branch.nodes.toSpliced(index, 0, leaf), builder);
    branch.bitmap |= bit;
    branch.nodes.splice(index, 0, leaf);
    return branch;
  }
  const old = unpacked(branch.nodes[index] as HashNode<V>);
  const node = isBranch(old)
    ? insertInto(old, shift + bitsPerLevel, leaf, added, builder)
    : insertAtLeaf(old, shift + bitsPerLevel, leaf, added, builder);
  if (mine) {
    branch.nodes[index] = node;
    return branch;
  }
  return new HashBranch(branch.bitmap, branch.nodes.with(index, node), builder);
}

function insertAtLeaf<V>(
  old: Leaf<V> | Collision<V>,
  shift: number,
  leaf: HashLeaf<V>,
  added: { count: number },
  builder: object | undefined,
): HashNode<V> {
  if (old.hash !== leaf.hash) {
    const below = new HashBranch<V>(1 << ((old.hash >>> shift) & mask), [old], builder);
    return insertInto(below, shift, leaf, added, builder);
  }
  if (isLeaf(old)) {
    if (old.key === leaf.key) return leaf;
    added.count++;
    return new Collision(leaf.hash, [old, leaf]);
  }
  const at = old.leaves.findIndex((other) => other.key === leaf.key);
  if (at < 0) added.count++;
  return new Collision(leaf.hash, at < 0 ? [...old.leaves, leaf] : old.leaves.with(at, leaf));
}

/** Returns the node without the key: undefined when nothing is left of it, a lone leaf moved up where it can be. */
function deleteFrom<V>(
  node: HashNode<V>,
  shift: number,
  gone: { readonly hash: number; readonly key: string },
  builder: object | undefined,
): UnpackedNode<V> | undefined {
  if (isLeaf(node)) return undefined;
  if (isPacked(node)) return deleteFrom(node.branch, shift, gone, builder);
  if (!isBranch(node)) {
    const leaves = node.leaves.filter((leaf) => leaf.key !== gone.key);
    return leaves.length === 1 ? leaves[0] : new Collision(node.hash, leaves);
  }
  const bit = 1 << ((gone.hash >>> shift) & mask);
  const index = countBits(node.bitmap & (bit - 1));
  const child = deleteFrom(node.nodes[index] as HashNode<V>, shift + bitsPerLevel, gone, builder);
  const [only, other] = node.nodes;
  if (!child && !other) return undefined;
  const left = child ?? (index === 0 ? other : only);
  if (node.nodes.length === (child ? 1 : 2) && left && !isBranch(left) && !isPacked(left) && shift > 0) return left;
  const mine = builder !== undefined && node.editToken === builder ? node : undefined;
  const branch = mine ?? new HashBranch(node.bitmap, node.nodes.slice(), builder);
  if (child) branch.nodes[index] = child;
  else {
    branch.bitmap &= ~bit;
    branch.nodes.splice(index, 1);
  }
  return branch;
}

function rootBranch<V>(node: Leaf<V> | Collision<V> | undefined): HashBranch<V> {
  return node ? new HashBranch(1 << (node.hash & mask), [node]) : emptyBranch;
}

function* leavesOf<V>(node: HashNode<V>): Generator<Leaf<V>> {
  if (isLeaf(node)) yield node;
  else if (isBranch(node)) for (const child of node.nodes) yield* leavesOf(child);
  else if (isPacked(node)) for (let i = node.from; i < node.to; i++) yield new PackedLeaf(node.entries, i);
  else yield* node.leaves;
}

/** Yields the leaves for somebody who looks at all of them, and at each once. */
function* leavesOnce<V>(node: HashNode<V>): Generator<Leaf<V>> {
  if (isLeaf(node)) yield node;
  else if (isBranch(node)) for (const child of node.nodes) yield* leavesOnce(child);
  else if (isPacked(node)) {
    const { entries } = node;
    for (let i = node.from; i < node.to; i++) {
      yield new HashLeaf(hashOfRank(entries.ranks[i] as number), entries.keyAt(i), entries.peekAt(i));
    }
  } else yield* node.leaves;
}

function* diffNodes<V>(
  before: HashNode<V> | undefined,
  after: HashNode<V> | undefined,
  shift: number,
): Generator<MapDifference<V>> {
  if (before === after) return;
  if (before && after) {
    const [left, right] = [unpacked(before), unpacked(after)];
    if (left === right) return;
    if (isBranch(left) && isBranch(right)) {
      for (let slot = 0; slot <= mask; slot++) {
        yield* diffNodes(childAt(left, slot), childAt(right, slot), shift + bitsPerLevel);
      }
      return;
    }
  }
  // Only two values of one key are compared, and only then must a packed one be the same that others hold.
  const leaves = before && after ? leavesOf : leavesOnce;
  const left = new Map(before ? [...leaves(before)].map((leaf) => [leaf.key, leaf.value]) : []);
  for (const { key, value } of after ? leaves(after) : []) {
    const old = left.get(key);
    left.delete(key);
    if (old !== value) yield { key, before: old, after: value };
  }
  for (const [key, value] of left) yield { key, before: value, after: undefined };
}

function childAt<V>(branch: HashBranch<V>, slot: number): HashNode<V> | undefined {
  const bit = 1 << slot;
  return branch.bitmap & bit ? branch.nodes[countBits(branch.bitmap & (bit - 1))] : undefined;
}
