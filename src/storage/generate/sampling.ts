import { seededRandom } from '../../core/lib/random.ts';

/** Chance that depends on the seed, the row and what is thrown for, and on nothing thrown before. */
export interface RowSampler {
  /** A whole number between the two, both included. */
  readonly between: (what: string, least: number, most: number) => number;
  readonly oneOf: <Items extends readonly [unknown, ...unknown[]]>(what: string, items: Items) => Items[number];
  /** Whether it comes true, which it does in so many of a hundred rows. */
  readonly percent: (what: string, percent: number) => boolean;
}

/** The dice of one row, such as `receipt/17/2`. */
export function rowSampler(seed: number, row: string): RowSampler {
  const between = (what: string, least: number, most: number): number =>
    least + Math.floor(seededRandom(seed, `${row}/${what}`) * (most - least + 1));
  return {
    between,
    oneOf: (what, items) => items[between(what, 0, items.length - 1)] ?? items[0],
    percent: (what, percent) => between(what, 1, 100) <= percent,
  };
}
