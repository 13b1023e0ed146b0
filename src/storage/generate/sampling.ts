import { seededRandom } from '../../core/lib/random.ts';

/** Samples values that depend on the seed, the row and a key alone, and on no earlier sample. */
export interface RowSampler {
  /** Returns an integer between the two, both included. */
  readonly between: (what: string, least: number, most: number) => number;
  readonly oneOf: <Items extends readonly [unknown, ...unknown[]]>(what: string, items: Items) => Items[number];
  /** Returns true in so many of a hundred rows. */
  readonly percent: (what: string, percent: number) => boolean;
}

/** Creates the sampler of one row, such as `receipt/17/2`. */
export function rowSampler(seed: number, row: string): RowSampler {
  const between = (what: string, least: number, most: number): number =>
    least + Math.floor(seededRandom(seed, `${row}/${what}`) * (most - least + 1));
  return {
    between,
    oneOf: (what, items) => items[between(what, 0, items.length - 1)] ?? items[0],
    percent: (what, percent) => between(what, 1, 100) <= percent,
  };
}
