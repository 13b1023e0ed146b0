/** Defines the nodes of an ordered list, and what is done to them: no node changes, every change makes its own path. */
import { lowerBound } from '../lib/collections.ts';

export interface OrderedEntry {
  readonly key: string;
  readonly order: number;
  /** Decides between entries of the same order, before the key does. */
  readonly tie?: number | undefined;
  /** Holds the amounts that the entry adds to the sums; all entries of a list have equally many. */
  readonly amounts?: readonly number[] | undefined;
}

// Constructors, not literals: see the nodes of PersistentMap.
class TreeLeaf {
  readonly count: number;
  readonly sums: readonly number[];
  readonly last: OrderedEntry;
  readonly entries: readonly OrderedEntry[];

  constructor(count: number, sums: readonly number[], last: OrderedEntry, entries: readonly OrderedEntry[]) {
    this.count = count;
    this.sums = sums;
    this.last = last;
    this.entries = entries;
  }
}

class TreeBranch {
  readonly count: number;
  readonly sums: readonly number[];
  readonly last: OrderedEntry;
  readonly nodes: readonly TreeNode[];

  constructor(count: number, sums: readonly number[], nodes: readonly TreeNode[]) {
    this.count = count;
    this.sums = sums;
    this.last = (nodes.at(-1) as TreeNode).last;
    this.nodes = nodes;
  }
}

/** Is never empty. */
export type TreeNode = TreeLeaf | TreeBranch;

const maxEntries = 32;
const maxNodes = 32;

export function isBefore(a: OrderedEntry, b: OrderedEntry): boolean {
  if (a.order !== b.order) return a.order < b.order;
  const tieA = a.tie ?? 0;
  const tieB = b.tie ?? 0;
  return tieA === tieB ? a.key < b.key : tieA < tieB;
}

const addAmounts = (into: number[], amounts: readonly number[]): void => {
  for (let i = 0; i < amounts.length; i++) into[i] = (into[i] ?? 0) + (amounts[i] ?? 0);
};

const nothing: readonly number[] = [];

export function createLeaf(entries: readonly OrderedEntry[]): TreeLeaf {
  const [last, count] = [entries.at(-1) as OrderedEntry, entries.length];
  if (!last.amounts) return new TreeLeaf(count, nothing, last, entries);
  const sums: number[] = [];
  for (const { amounts } of entries) if (amounts) addAmounts(sums, amounts);
  return new TreeLeaf(count, sums, last, entries);
}

export function createBranch(nodes: readonly TreeNode[]): TreeBranch {
  const sums: number[] = [];
  let count = 0;
  for (const node of nodes) {
    count += node.count;
    addAmounts(sums, node.sums);
  }
  return new TreeBranch(count, sums, nodes);
}

const isLeaf = (node: TreeNode): node is TreeLeaf => node instanceof TreeLeaf;

export const firstEntry = (node: TreeNode): OrderedEntry =>
  isLeaf(node) ? (node.entries[0] as OrderedEntry) : firstEntry(node.nodes[0] as TreeNode);

/** Returns the index of the child that an entry stands in, or belongs to when new: most new ones belong to the last. */
function childIndexFor({ nodes, last }: TreeBranch, entry: OrderedEntry): number {
  if (isBefore(last, entry)) return nodes.length - 1;
  return lowerBound(nodes, (node) => !isBefore(node.last, entry));
}

/** Returns the node with one more entry; it may have outgrown its size by one, for who called to part it. */
export function insertEntry(node: TreeNode, entry: OrderedEntry): TreeNode {
  const [count, sums] = [node.count + 1, sumsPlus(node.sums, entry.amounts)];
  if (isLeaf(node)) {
    const isLast = isBefore(node.last, entry);
    const at = isLast ? node.count : lowerBound(node.entries, (other) => !isBefore(other, entry));
    return new TreeLeaf(count, sums, isLast ? entry : node.last, node.entries.toSpliced(at, 0, entry));
  }
  const at = childIndexFor(node, entry);
  const child = insertEntry(node.nodes[at] as TreeNode, entry);
  const nodes = isOverfull(child) ? node.nodes.toSpliced(at, 1, ...splitNode(child)) : node.nodes.with(at, child);
  return new TreeBranch(count, sums, nodes);
}

const sumsPlus = (sums: readonly number[], amounts: readonly number[] = nothing): readonly number[] =>
  amounts.length === 0 ? sums : amounts.map((amount, i) => (sums[i] ?? 0) + amount);

export const isOverfull = (node: TreeNode): boolean =>
  isLeaf(node) ? node.entries.length > maxEntries : node.nodes.length > maxNodes;

export function splitNode(node: TreeNode): TreeNode[] {
  return isLeaf(node) ? splitInHalf(node.entries).map(createLeaf) : splitInHalf(node.nodes).map(createBranch);
}

function splitInHalf<T>(items: readonly T[]): (readonly T[])[] {
  const half = items.length >>> 1;
  return [items.slice(0, half), items.slice(half)];
}

/** Returns the node without the entry: undefined when nothing is left of it, itself when it doesn't hold it. */
export function removeEntry(node: TreeNode, entry: OrderedEntry): TreeNode | undefined {
  if (isLeaf(node)) {
    const at = lowerBound(node.entries, (other) => !isBefore(other, entry));
    if (node.entries[at]?.key !== entry.key) return node;
    return node.entries.length > 1 ? createLeaf(node.entries.toSpliced(at, 1)) : undefined;
  }
  const at = childIndexFor(node, entry);
  const child = node.nodes[at] as TreeNode;
  const rest = removeEntry(child, entry);
  if (rest === child) return node;
  const nodes = node.nodes.toSpliced(at, 1, ...(rest ? [rest] : []));
  // A branch with one child says no more than that child.
  return nodes.length > 1 ? createBranch(nodes) : nodes[0];
}

/** Counts the entries before the first for which `passed` holds, where it holds for all later ones too. */
export function countEntriesBefore(node: TreeNode, passed: (entry: OrderedEntry) => boolean): number {
  if (isLeaf(node)) return lowerBound(node.entries, passed);
  const at = lowerBound(node.nodes, (child) => passed(child.last));
  const before = node.nodes.slice(0, at).reduce((count, child) => count + child.count, 0);
  const child = node.nodes[at];
  return child ? before + countEntriesBefore(child, passed) : before;
}

export function entryAt(node: TreeNode, place: number): OrderedEntry | undefined {
  if (isLeaf(node)) return node.entries[place];
  let rest = place;
  for (const child of node.nodes) {
    if (rest < child.count) return entryAt(child, rest);
    rest -= child.count;
  }
  return undefined;
}

export function* entriesFrom(node: TreeNode, offset: number): Generator<OrderedEntry> {
  if (isLeaf(node)) {
    for (let i = Math.max(0, offset); i < node.entries.length; i++) yield node.entries[i] as OrderedEntry;
    return;
  }
  let start = 0;
  for (const child of node.nodes) {
    if (start + child.count > offset) yield* entriesFrom(child, offset - start);
    start += child.count;
  }
}

interface Range {
  readonly from: number;
  readonly to: number;
}

export function addRangeSums(sums: number[], node: TreeNode, range: Range): void {
  const { from, to } = range;
  const [low, high] = [firstEntry(node).order, node.last.order];
  if (high < from || low >= to) return;
  if (low >= from && high < to) addAmounts(sums, node.sums);
  else if (!isLeaf(node)) for (const child of node.nodes) addRangeSums(sums, child, range);
  else
    for (const { order, amounts = nothing } of node.entries) if (order >= from && order < to) addAmounts(sums, amounts);
}

/** Returns the tree of these entries, made at once. */
export function buildTree(entries: readonly OrderedEntry[]): TreeNode | undefined {
  const sorted = entries.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
  const leaves: TreeLeaf[] = [];
  for (let i = 0; i < sorted.length; i += maxEntries) leaves.push(createLeaf(sorted.slice(i, i + maxEntries)));
  return buildLevels(leaves);
}

/** Returns a tree over nodes that stand in order, level by level. */
function buildLevels(nodes: readonly TreeNode[]): TreeNode | undefined {
  if (nodes.length <= 1) return nodes[0];
  const above: TreeNode[] = [];
  for (let i = 0; i < nodes.length; i += maxNodes) above.push(createBranch(nodes.slice(i, i + maxNodes)));
  return buildLevels(above);
}
