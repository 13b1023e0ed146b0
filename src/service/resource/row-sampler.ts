import { seededRandom } from '../../core/lib/random.ts';

/** Samples values that depend on the seed, the row and a key alone, and on no earlier sample. */
export interface RowSampler {
  /** Returns an integer between the two, both included. */
  readonly between: (key: string, min: number, max: number) => number;
  readonly oneOf: <Items extends readonly [unknown, ...unknown[]]>(key: string, items: Items) => Items[number];
  /** Returns true in so many of a hundred rows. */
  readonly percent: (key: string, percent: number) => boolean;
}

/** Creates the sampler of one row, such as `receipt/17/2`. */
export function rowSampler(seed: number, row: string): RowSampler {
  const between = (key: string, min: number, max: number): number =>
    min + Math.floor(seededRandom(seed, `${row}/${key}`) * (max - min + 1));
  return {
    between,
    oneOf: (key, items) => items[between(key, 0, items.length - 1)] ?? items[0],
    percent: (key, percent) => between(key, 1, 100) <= percent,
  };
}
