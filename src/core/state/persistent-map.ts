/**
 * An immutable map from strings to values (a hash array mapped trie): a change answers a new map that shares
 * all but a few nodes with the old one, so that keeping, comparing and giving back old maps costs nothing.
 */
import { hash32 } from '../lib/random.ts';

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

/** Keys whose whole 32-bit hash is the same. */
class Collision<V> {
  readonly hash: number;
  readonly leaves: readonly HashLeaf<V>[];

  constructor(hash: number, leaves: readonly HashLeaf<V>[]) {
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

type HashNode<V> = HashLeaf<V> | Collision<V> | HashBranch<V>;

let lastHashed: { readonly key: string; readonly hash: number } = { key: '', hash: hash32('') };

function hashOf(key: string): number {
  // Whoever puts something under a key has just looked under it.
  if (lastHashed.key !== key) lastHashed = { key, hash: hash32(key) };
  return lastHashed.hash;
}

const bitsPerLevel = 5;
const mask = 31;

function countBits(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const isBranch = <V>(node: HashNode<V>): node is HashBranch<V> => node instanceof HashBranch;
const isLeaf = <V>(node: HashNode<V>): node is HashLeaf<V> => node instanceof HashLeaf;
const emptyBranch = new HashBranch<never>(0, []);

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
    const builder = {};
    let root = new HashBranch<V>(0, [], builder);
    const added = { count: 0 };
    for (const [key, value] of entries)
      root = insertInto(root, 0, new HashLeaf(hashOf(key), key, value), added, builder);
    return new PersistentMap(root, added.count);
  }

  get(key: string): V | undefined {
    const hash = hashOf(key);
    let node: HashNode<V> = this.#root;
    for (let shift = 0; isBranch(node); shift += bitsPerLevel) {
      const bit: number = 1 << ((hash >>> shift) & mask);
      if (!(node.bitmap & bit)) return undefined;
      const next: HashNode<V> | undefined = node.nodes[countBits(node.bitmap & (bit - 1))];
      if (!next) return undefined;
      node = next;
    }
    if (isLeaf(node)) return node.key === key ? node.value : undefined;
    return node.leaves.find((leaf) => leaf.key === key)?.value;
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
    for (const leaf of leavesOf<V>(this.#root)) yield [leaf.key, leaf.value];
  }

  *values(): Generator<V> {
    for (const leaf of leavesOf<V>(this.#root)) yield leaf.value;
  }

  /** Every key whose value is another one in `later`; costs what changed, not what there is. */
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
  const old = branch.nodes[index] as HashNode<V>;
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
  old: HashLeaf<V> | Collision<V>,
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
): HashNode<V> | undefined {
  if (isLeaf(node)) return undefined;
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
  if (node.nodes.length === (child ? 1 : 2) && left && !isBranch(left) && shift > 0) return left;
  const mine = builder !== undefined && node.editToken === builder ? node : undefined;
  const branch = mine ?? new HashBranch(node.bitmap, node.nodes.slice(), builder);
  if (child) branch.nodes[index] = child;
  else {
    branch.bitmap &= ~bit;
    branch.nodes.splice(index, 1);
  }
  return branch;
}

function rootBranch<V>(node: HashLeaf<V> | Collision<V> | undefined): HashBranch<V> {
  return node ? new HashBranch(1 << (node.hash & mask), [node]) : emptyBranch;
}

function* leavesOf<V>(node: HashNode<V>): Generator<HashLeaf<V>> {
  if (isLeaf(node)) yield node;
  else if (isBranch(node)) for (const child of node.nodes) yield* leavesOf(child);
  else yield* node.leaves;
}

function* diffNodes<V>(
  before: HashNode<V> | undefined,
  after: HashNode<V> | undefined,
  shift: number,
): Generator<MapDifference<V>> {
  if (before === after) return;
  if (before && after && isBranch(before) && isBranch(after)) {
    for (let slot = 0; slot <= mask; slot++) {
      yield* diffNodes(childAt(before, slot), childAt(after, slot), shift + bitsPerLevel);
    }
    return;
  }
  const left = new Map(before ? [...leavesOf(before)].map((leaf) => [leaf.key, leaf.value]) : []);
  for (const { key, value } of after ? leavesOf(after) : []) {
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
