/**
 * Defines the nodes of an ordered list, and what is done to them: a change makes its own path, but for the nodes that
 * whoever changes them made and has shown to nobody.
 */
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
  count: number;
  sums: number[];
  last: OrderedEntry;
  readonly entries: OrderedEntry[];
  /** True when no fraction is among the amounts. */
  isWhole: boolean;
  /** Lets the holder of this token change the leaf in place. */
  readonly editToken: object | undefined;

  constructor(
    { sums, isWhole }: { readonly sums: number[]; readonly isWhole: boolean },
    entries: OrderedEntry[],
    editToken: object | undefined,
  ) {
    this.count = entries.length;
    this.sums = sums;
    this.isWhole = isWhole;
    this.last = entries.at(-1) as OrderedEntry;
    this.entries = entries;
    this.editToken = editToken;
  }
}

class TreeBranch {
  count: number;
  sums: number[];
  last: OrderedEntry;
  readonly nodes: TreeNode[];
  /** True when no fraction is among the amounts. */
  isWhole: boolean;
  /** Lets the holder of this token change the branch in place, but none of those below it. */
  readonly editToken: object | undefined;

  constructor(
    { count, sums, isWhole }: { readonly count: number; readonly sums: number[]; readonly isWhole: boolean },
    nodes: TreeNode[],
    editToken: object | undefined,
  ) {
    this.count = count;
    this.sums = sums;
    this.isWhole = isWhole;
    this.last = (nodes.at(-1) as TreeNode).last;
    this.nodes = nodes;
    this.editToken = editToken;
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

/** Is shared by all nodes without amounts. */
const nothing = Object.freeze<number[]>([]) as number[];

const hasWholeAmounts = ({ amounts = nothing }: OrderedEntry): boolean => amounts.every(Number.isSafeInteger);

export function createLeaf(entries: OrderedEntry[], editToken?: object): TreeLeaf {
  const sums = entries.at(-1)?.amounts ? sumsOf(entries, ({ amounts }) => amounts) : nothing;
  return new TreeLeaf({ sums, isWhole: entries.every(hasWholeAmounts) }, entries, editToken);
}

export function createBranch(nodes: TreeNode[], editToken?: object): TreeBranch {
  const count = nodes.reduce((sum, node) => sum + node.count, 0);
  const [sums, isWhole] = [sumsOf(nodes, (node) => node.sums), nodes.every((node) => node.isWhole)];
  return new TreeBranch({ count, sums, isWhole }, nodes, editToken);
}

function sumsOf<T>(parts: readonly T[], amountsOf: (part: T) => readonly number[] | undefined): number[] {
  const sums: number[] = [];
  for (const part of parts) addAmounts(sums, amountsOf(part) ?? nothing);
  return sums;
}

const isLeaf = (node: TreeNode): node is TreeLeaf => node instanceof TreeLeaf;

export const firstEntry = (node: TreeNode): OrderedEntry =>
  isLeaf(node) ? (node.entries[0] as OrderedEntry) : firstEntry(node.nodes[0] as TreeNode);

/** Returns the index of the child that an entry stands in, or belongs to when new: most new ones belong to the last. */
function childIndexFor({ nodes, last }: TreeBranch, entry: OrderedEntry): number {
  if (isBefore(last, entry)) return nodes.length - 1;
  return lowerBound(nodes, (node) => !isBefore(node.last, entry));
}

/**
 * Returns the node with one more entry, which is the same node if it has this token; it may have outgrown its size by
 * one, for who called to part it.
 */
export function insertEntry(node: TreeNode, entry: OrderedEntry, editToken?: object): TreeNode {
  return isLeaf(node) ? insertIntoLeaf(node, entry, editToken) : insertIntoBranch(node, entry, editToken);
}

const isOwn = (node: TreeNode, editToken: object | undefined): boolean =>
  editToken !== undefined && node.editToken === editToken;

function insertIntoLeaf(leaf: TreeLeaf, entry: OrderedEntry, editToken: object | undefined): TreeLeaf {
  const isLast = isBefore(leaf.last, entry);
  const at = isLast ? leaf.count : lowerBound(leaf.entries, (other) => !isBefore(other, entry));
  if (!isOwn(leaf, editToken)) {
    const [sums, isWhole] = [sumsPlus(leaf.sums, entry.amounts), leaf.isWhole && hasWholeAmounts(entry)];
    return new TreeLeaf({ sums, isWhole }, leaf.entries.toSpliced(at, 0, entry), editToken);
  }
  if (isLast) {
    leaf.entries.push(entry);
    leaf.last = entry;
  } else leaf.entries.splice(at, 0, entry);
  countIn(leaf, entry);
  return leaf;
}

/** Counts an entry that came below a node, in place. */
function countIn(node: TreeNode, entry: OrderedEntry): void {
  const { amounts } = entry;
  node.count++;
  // A node with amounts has sums of its own.
  if (!amounts || amounts.length === 0) return;
  addAmounts(node.sums, amounts);
  node.isWhole &&= hasWholeAmounts(entry);
}

function insertIntoBranch(branch: TreeBranch, entry: OrderedEntry, editToken: object | undefined): TreeBranch {
  const at = childIndexFor(branch, entry);
  const child = insertEntry(branch.nodes[at] as TreeNode, entry, editToken);
  const mine = isOwn(branch, editToken);
  const nodes = mine ? branch.nodes : branch.nodes.slice();
  if (isOverfull(child)) nodes.splice(at, 1, ...splitNode(child, entry, editToken));
  else nodes[at] = child;
  if (!mine) {
    const [count, sums] = [branch.count + 1, sumsPlus(branch.sums, entry.amounts)];
    return new TreeBranch({ count, sums, isWhole: branch.isWhole && hasWholeAmounts(entry) }, nodes, editToken);
  }
  countIn(branch, entry);
  branch.last = (nodes.at(-1) as TreeNode).last;
  return branch;
}

const sumsPlus = (sums: number[], amounts: readonly number[] = nothing): number[] =>
  amounts.length === 0 ? sums : amounts.map((amount, i) => (sums[i] ?? 0) + amount);

export const isOverfull = (node: TreeNode): boolean =>
  isLeaf(node) ? node.entries.length > maxEntries : node.nodes.length > maxNodes;

/** Returns the two parts of a node that one entry made too large; the first is full where entries come in order. */
export function splitNode(node: TreeNode, added: OrderedEntry, editToken?: object): TreeNode[] {
  const at = (length: number): number => (node.last === added ? length - 1 : length >>> 1);
  return isLeaf(node)
    ? partsOf(node.entries, at).map((entries) => createLeaf(entries, editToken))
    : partsOf(node.nodes, at).map((nodes) => createBranch(nodes, editToken));
}

function partsOf<T>(items: readonly T[], placeIn: (length: number) => number): T[][] {
  const place = placeIn(items.length);
  return [items.slice(0, place), items.slice(place)];
}

/**
 * Returns the node without the entry: undefined when nothing is left of it, itself when it doesn't hold it or has this
 * token.
 */
export function removeEntry(node: TreeNode, entry: OrderedEntry, editToken?: object): TreeNode | undefined {
  return isLeaf(node) ? removeFromLeaf(node, entry, editToken) : removeFromBranch(node, entry, editToken);
}

function removeFromLeaf(leaf: TreeLeaf, entry: OrderedEntry, editToken: object | undefined): TreeLeaf | undefined {
  const at = lowerBound(leaf.entries, (other) => !isBefore(other, entry));
  if (leaf.entries[at]?.key !== entry.key) return leaf;
  if (leaf.entries.length === 1) return undefined;
  const isMine = isOwn(leaf, editToken);
  const entries = isMine ? leaf.entries : leaf.entries.slice();
  const [gone] = entries.splice(at, 1) as [OrderedEntry];
  const left = sumsWithout(leaf, gone, isMine);
  const sums = left ?? sumsOf(entries, ({ amounts }) => amounts);
  if (!isMine) return new TreeLeaf({ sums, isWhole: leaf.isWhole }, entries, editToken);
  leaf.last = entries.at(-1) as OrderedEntry;
  leaf.count--;
  leaf.sums = sums;
  return leaf;
}

function removeFromBranch(
  branch: TreeBranch,
  entry: OrderedEntry,
  editToken: object | undefined,
): TreeNode | undefined {
  const at = childIndexFor(branch, entry);
  const child = branch.nodes[at] as TreeNode;
  const { count } = child;
  const rest = removeEntry(child, entry, editToken);
  if (rest === child && rest.count === count) return branch;
  // A branch with one child says no more than that child; it may have one alone where it was split behind the others.
  if (!rest && branch.nodes.length <= 2) return branch.nodes[1 - at];
  const isMine = isOwn(branch, editToken);
  const nodes = isMine ? branch.nodes : branch.nodes.slice();
  if (rest) nodes[at] = rest;
  else nodes.splice(at, 1);
  const left = sumsWithout(branch, entry, isMine);
  const sums = left ?? sumsOf(nodes, (node) => node.sums);
  if (!isMine) return new TreeBranch({ count: branch.count - 1, sums, isWhole: branch.isWhole }, nodes, editToken);
  branch.last = (nodes.at(-1) as TreeNode).last;
  branch.count--;
  branch.sums = sums;
  return branch;
}

/**
 * Returns the sums of a node without the amounts of an entry, in place if they are one's own. Undefined where a fraction is
 * among them or they are too large to be exact: then what is left is to be added up.
 */
function sumsWithout(node: TreeNode, { amounts = nothing }: OrderedEntry, isMine: boolean): number[] | undefined {
  const { sums, isWhole } = node;
  if (sums.length === 0) return sums;
  if (!isWhole || !sums.every(Number.isSafeInteger)) return undefined;
  const left = isMine ? sums : sums.slice();
  for (let i = 0; i < left.length; i++) left[i] = (left[i] as number) - (amounts[i] ?? 0);
  return left;
}

/** Counts the entries before the first for which `passed` holds, where it holds for all later ones too. */
export function countEntriesBefore(node: TreeNode, passed: (entry: OrderedEntry) => boolean): number {
  if (isLeaf(node)) return lowerBound(node.entries, passed);
  const at = lowerBound(node.nodes, (child) => passed(child.last));
  let before = 0;
  for (let i = 0; i < at; i++) before += (node.nodes[i] as TreeNode).count;
  const child = node.nodes[at];
  return child ? before + countEntriesBefore(child, passed) : before;
}

/** Returns the first entry whose order is `limit` or more. */
export function firstEntryFrom(node: TreeNode, limit: number): OrderedEntry | undefined {
  if (node.last.order < limit) return undefined;
  if (isLeaf(node)) return node.entries[lowerBound(node.entries, ({ order }) => order >= limit)];
  return firstEntryFrom(node.nodes[lowerBound(node.nodes, ({ last }) => last.order >= limit)] as TreeNode, limit);
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

export function* allEntries(node: TreeNode): Generator<OrderedEntry> {
  if (isLeaf(node)) yield* node.entries;
  else for (const child of node.nodes) yield* allEntries(child);
}

/** Adds the keys of the entries from a place on, as long as the list holds fewer than so many. */
export function addKeys(keys: string[], node: TreeNode, offset: number, most: number): void {
  if (isLeaf(node)) {
    for (let i = offset; i < node.entries.length && keys.length < most; i++)
      keys.push((node.entries[i] as OrderedEntry).key);
    return;
  }
  let start = 0;
  for (const child of node.nodes) {
    if (keys.length >= most) return;
    if (start + child.count > offset) addKeys(keys, child, Math.max(0, offset - start), most);
    start += child.count;
  }
}

interface Range {
  readonly from: number;
  readonly to: number;
}

export function addRangeSums(sums: number[], node: TreeNode, range: Range): void {
  const { from, to } = range;
  const high = node.last.order;
  if (high < from) return;
  // Where all before an end are meant, the first entry need not be looked up.
  const low = from === Number.NEGATIVE_INFINITY ? from : firstEntry(node).order;
  if (low >= to) return;
  if (low >= from && high < to) addAmounts(sums, node.sums);
  else if (isLeaf(node)) addEntrySums(sums, node, range);
  else {
    for (const child of node.nodes) {
      addRangeSums(sums, child, range);
      if (child.last.order >= to) return;
    }
  }
}

function addEntrySums(sums: number[], { entries }: TreeLeaf, { from, to }: Range): void {
  for (const { order, amounts = nothing } of entries) if (order >= from && order < to) addAmounts(sums, amounts);
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
