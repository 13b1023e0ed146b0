/**
 * An immutable list of keys in the order of a number, cut into chunks that each know their sum: adding, taking
 * away, paging from any offset and adding up a range cost far less than the list is long.
 */
export interface Entry {
  readonly key: string;
  readonly order: number;
  /** Decides between entries of the same order, before the key does. */
  readonly tie?: number | undefined;
  /** What the entry adds to the sums; all entries of a list carry the same number of them. */
  readonly amounts?: readonly number[] | undefined;
}

interface Chunk {
  readonly entries: readonly Entry[];
  readonly sums: readonly number[];
}

const chunkSize = 128;

function isBefore(a: Entry, b: Entry): boolean {
  if (a.order !== b.order) return a.order < b.order;
  const [tieA, tieB] = [a.tie ?? 0, b.tie ?? 0];
  return tieA === tieB ? a.key < b.key : tieA < tieB;
}

const addUp = (into: number[], amounts: readonly number[]): void => {
  for (let i = 0; i < amounts.length; i++) into[i] = (into[i] ?? 0) + (amounts[i] ?? 0);
};

const nothing: readonly number[] = [];

function chunkOf(entries: readonly Entry[]): Chunk {
  if (!entries[0]?.amounts) return { entries, sums: nothing };
  const sums: number[] = [];
  for (const entry of entries) if (entry.amounts) addUp(sums, entry.amounts);
  return { entries, sums };
}

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

export class OrderedList {
  static readonly empty = new OrderedList([], 0);

  readonly size: number;
  readonly #chunks: readonly Chunk[];

  private constructor(chunks: readonly Chunk[], size: number) {
    this.#chunks = chunks;
    this.size = size;
  }

  static from(entries: readonly Entry[]): OrderedList {
    const sorted = entries.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
    const chunks: Chunk[] = [];
    for (let i = 0; i < sorted.length; i += chunkSize) chunks.push(chunkOf(sorted.slice(i, i + chunkSize)));
    return new OrderedList(chunks, sorted.length);
  }

  add(entry: Entry): OrderedList {
    const { chunk, at } = this.#place(entry);
    const target = this.#chunks[chunk];
    if (!target) return new OrderedList([chunkOf([entry])], 1);
    const entries = target.entries.toSpliced(at, 0, entry);
    const half = entries.length >>> 1;
    const parts = entries.length > chunkSize ? [entries.slice(0, half), entries.slice(half)] : [entries];
    return new OrderedList(this.#chunks.toSpliced(chunk, 1, ...parts.map(chunkOf)), this.size + 1);
  }

  /** The list without the entry of this key and order; itself when it has none. */
  remove(entry: Entry): OrderedList {
    const { chunk, at } = this.#place(entry);
    const target = this.#chunks[chunk];
    if (target?.entries[at]?.key !== entry.key) return this;
    const entries = target.entries.toSpliced(at, 1);
    const parts = entries.length > 0 ? [chunkOf(entries)] : [];
    return new OrderedList(this.#chunks.toSpliced(chunk, 1, ...parts), this.size - 1);
  }

  first(): Entry | undefined {
    return this.#chunks[0]?.entries[0];
  }

  last(): Entry | undefined {
    return this.#chunks.at(-1)?.entries.at(-1);
  }

  /** `count` keys from `offset` on, ascending, or from the end backwards. */
  page(offset: number, count: number, direction: 'ascending' | 'descending' = 'ascending'): string[] {
    if (direction === 'ascending') return this.#slice(offset, offset + count);
    const end = this.size - offset;
    return this.#slice(Math.max(0, end - count), Math.max(0, end)).toReversed();
  }

  /** How many entries have an order below `limit`. */
  countBelow(limit: number): number {
    let count = 0;
    for (const { entries } of this.#chunks) {
      if ((entries.at(-1)?.order ?? 0) >= limit) return count + firstWhere(entries, (entry) => entry.order >= limit);
      count += entries.length;
    }
    return count;
  }

  /** How many entries stand before this one. */
  countBefore(entry: Entry): number {
    const { chunk, at } = this.#place(entry);
    return this.#chunks.slice(0, chunk).reduce((count, { entries }) => count + entries.length, at);
  }

  /** The last entry whose order is below `limit`. */
  lastBelow(limit: number): Entry | undefined {
    return this.#at(this.countBelow(limit) - 1);
  }

  /** The first entry whose order is `limit` or more. */
  firstFrom(limit: number): Entry | undefined {
    return this.#at(this.countBelow(limit));
  }

  /** The sums over the entries whose order is at least `from` and below `to`. */
  sums(from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY): number[] {
    const sums: number[] = [];
    for (const { entries, sums: whole } of this.#chunks) {
      const [low, high] = [entries[0]?.order ?? 0, entries.at(-1)?.order ?? 0];
      if (high < from || low >= to) continue;
      const inside = (entry: Entry): boolean => entry.order >= from && entry.order < to;
      addUp(sums, low >= from && high < to ? whole : chunkOf(entries.filter(inside)).sums);
    }
    return sums;
  }

  *[Symbol.iterator](): Generator<Entry> {
    for (const chunk of this.#chunks) yield* chunk.entries;
  }

  #at(position: number): Entry | undefined {
    let start = 0;
    for (const { entries } of this.#chunks) {
      if (position < start + entries.length) return entries[position - start];
      start += entries.length;
    }
    return undefined;
  }

  #slice(from: number, to: number): string[] {
    const keys: string[] = [];
    let start = 0;
    for (const { entries } of this.#chunks) {
      if (start >= to) break;
      if (start + entries.length > from) {
        for (const entry of entries.slice(Math.max(0, from - start), to - start)) keys.push(entry.key);
      }
      start += entries.length;
    }
    return keys;
  }

  /** The chunk and the place in it where the entry is, or would go. */
  #place(entry: Entry): { chunk: number; at: number } {
    const reaches = ({ entries }: Chunk): boolean => !isBefore(entries.at(-1) as Entry, entry);
    const chunk = Math.min(firstWhere(this.#chunks, reaches), Math.max(0, this.#chunks.length - 1));
    const at = firstWhere(this.#chunks[chunk]?.entries ?? [], (other) => !isBefore(other, entry));
    return { chunk, at };
  }
}
