/** The nodes of an ordered list, and what is done to them: nothing is changed, every change makes its own path anew. */
export interface Entry {
  readonly key: string;
  readonly order: number;
  /** Decides between entries of the same order, before the key does. */
  readonly tie?: number | undefined;
  /** What the entry adds to the sums; all entries of a list carry the same number of them. */
  readonly amounts?: readonly number[] | undefined;
}

// Constructors, not literals: see the nodes of PersistentMap.
class Leaf {
  readonly count: number;
  readonly sums: readonly number[];
  readonly last: Entry;
  readonly entries: readonly Entry[];

  constructor(count: number, sums: readonly number[], last: Entry, entries: readonly Entry[]) {
    this.count = count;
    this.sums = sums;
    this.last = last;
    this.entries = entries;
  }
}

class Branch {
  readonly count: number;
  readonly sums: readonly number[];
  readonly last: Entry;
  readonly nodes: readonly Node[];

  constructor(count: number, sums: readonly number[], nodes: readonly Node[]) {
    this.count = count;
    this.sums = sums;
    this.last = (nodes.at(-1) as Node).last;
    this.nodes = nodes;
  }
}

/** Never empty. */
export type Node = Leaf | Branch;

const maxEntries = 32;
const maxNodes = 32;

export function isBefore(a: Entry, b: Entry): boolean {
  if (a.order !== b.order) return a.order < b.order;
  const [tieA, tieB] = [a.tie ?? 0, b.tie ?? 0];
  return tieA === tieB ? a.key < b.key : tieA < tieB;
}

const addUp = (into: number[], amounts: readonly number[]): void => {
  for (let i = 0; i < amounts.length; i++) into[i] = (into[i] ?? 0) + (amounts[i] ?? 0);
};

const nothing: readonly number[] = [];

export function leafOf(entries: readonly Entry[]): Leaf {
  const [last, count] = [entries.at(-1) as Entry, entries.length];
  if (!last.amounts) return new Leaf(count, nothing, last, entries);
  const sums: number[] = [];
  for (const { amounts } of entries) if (amounts) addUp(sums, amounts);
  return new Leaf(count, sums, last, entries);
}

export function branchOf(nodes: readonly Node[]): Branch {
  const sums: number[] = [];
  let count = 0;
  for (const node of nodes) {
    count += node.count;
    addUp(sums, node.sums);
  }
  return new Branch(count, sums, nodes);
}

const isLeaf = (node: Node): node is Leaf => node instanceof Leaf;

export const firstOf = (node: Node): Entry =>
  isLeaf(node) ? (node.entries[0] as Entry) : firstOf(node.nodes[0] as Node);

/** The first position for which `passed` holds, in a list where it holds for all later ones too. */
function firstWhere<T>(list: readonly T[], passed: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passed(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The child that an entry stands in, or belongs to when it is new. */
const childFor = (nodes: readonly Node[], entry: Entry): number =>
  Math.min(
    firstWhere(nodes, (node) => !isBefore(node.last, entry)),
    nodes.length - 1,
  );

/** The node with one more entry; it may have outgrown its size by one, for who called to part it. */
export function addTo(node: Node, entry: Entry): Node {
  const [count, sums] = [node.count + 1, plus(node.sums, entry.amounts)];
  if (isLeaf(node)) {
    const at = firstWhere(node.entries, (other) => !isBefore(other, entry));
    const last = at < node.entries.length ? node.last : entry;
    return new Leaf(count, sums, last, node.entries.toSpliced(at, 0, entry));
  }
  const at = childFor(node.nodes, entry);
  const child = addTo(node.nodes[at] as Node, entry);
  const nodes = isTooLarge(child) ? node.nodes.toSpliced(at, 1, ...halvesOf(child)) : node.nodes.with(at, child);
  return new Branch(count, sums, nodes);
}

const plus = (sums: readonly number[], amounts: readonly number[] = nothing): readonly number[] =>
  amounts.length === 0 ? sums : amounts.map((amount, i) => (sums[i] ?? 0) + amount);

export const isTooLarge = (node: Node): boolean =>
  isLeaf(node) ? node.entries.length > maxEntries : node.nodes.length > maxNodes;

export function halvesOf(node: Node): Node[] {
  return isLeaf(node) ? halved(node.entries).map(leafOf) : halved(node.nodes).map(branchOf);
}

function halved<T>(items: readonly T[]): (readonly T[])[] {
  const half = items.length >>> 1;
  return [items.slice(0, half), items.slice(half)];
}

/** The node without the entry: undefined when nothing is left of it, itself when it doesn't hold it. */
export function removeFrom(node: Node, entry: Entry): Node | undefined {
  if (isLeaf(node)) {
    const at = firstWhere(node.entries, (other) => !isBefore(other, entry));
    if (node.entries[at]?.key !== entry.key) return node;
    return node.entries.length > 1 ? leafOf(node.entries.toSpliced(at, 1)) : undefined;
  }
  const at = childFor(node.nodes, entry);
  const child = node.nodes[at] as Node;
  const rest = removeFrom(child, entry);
  if (rest === child) return node;
  const nodes = node.nodes.toSpliced(at, 1, ...(rest ? [rest] : []));
  // A branch with one child says no more than that child.
  return nodes.length > 1 ? branchOf(nodes) : nodes[0];
}

/** How many entries stand before the first for which `passed` holds, where it holds for all later ones too. */
export function countUntil(node: Node, passed: (entry: Entry) => boolean): number {
  if (isLeaf(node)) return firstWhere(node.entries, passed);
  const at = firstWhere(node.nodes, (child) => passed(child.last));
  const before = node.nodes.slice(0, at).reduce((count, child) => count + child.count, 0);
  const child = node.nodes[at];
  return child ? before + countUntil(child, passed) : before;
}

export function entryAt(node: Node, place: number): Entry | undefined {
  if (isLeaf(node)) return node.entries[place];
  let rest = place;
  for (const child of node.nodes) {
    if (rest < child.count) return entryAt(child, rest);
    rest -= child.count;
  }
  return undefined;
}

export function* entriesFrom(node: Node, offset: number): Generator<Entry> {
  if (isLeaf(node)) {
    for (let i = Math.max(0, offset); i < node.entries.length; i++) yield node.entries[i] as Entry;
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

export function sumInto(sums: number[], node: Node, range: Range): void {
  const { from, to } = range;
  const [low, high] = [firstOf(node).order, node.last.order];
  if (high < from || low >= to) return;
  if (low >= from && high < to) addUp(sums, node.sums);
  else if (!isLeaf(node)) for (const child of node.nodes) sumInto(sums, child, range);
  else for (const { order, amounts = nothing } of node.entries) if (order >= from && order < to) addUp(sums, amounts);
}

/** The tree of these entries, made at once. */
export function treeOf(entries: readonly Entry[]): Node | undefined {
  const sorted = entries.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
  const leaves: Leaf[] = [];
  for (let i = 0; i < sorted.length; i += maxEntries) leaves.push(leafOf(sorted.slice(i, i + maxEntries)));
  return treeOver(leaves);
}

/** A tree over nodes that stand in order, level by level. */
function treeOver(nodes: readonly Node[]): Node | undefined {
  if (nodes.length <= 1) return nodes[0];
  const above: Node[] = [];
  for (let i = 0; i < nodes.length; i += maxNodes) above.push(branchOf(nodes.slice(i, i + maxNodes)));
  return treeOver(above);
}
