/** Declares what `loyalty-sim generate` makes of a noun. */
import type { AmountOf, GeneratorContext } from './generator-context.ts';

/** Describes how many of something a generated fixture has, which its flag sets. */
export interface GeneratedAmount {
  readonly description: string;
  readonly default: number;
  readonly most: number;
}

/** Describes a section of a generated fixture. */
export interface GeneratedSection {
  /** Holds the key in the fixture file. */
  readonly name: string;
  readonly count: (amountOf: AmountOf) => number;
  /** Generates the n-th row, from 1, by the context and the number alone. */
  readonly rowOf: (context: GeneratorContext, n: number) => object;
}

export interface GeneratedRows {
  /** Holds the amounts by name: `receiptsPerContact` is set by `--receipts-per-contact`. */
  readonly amounts: Readonly<Record<string, GeneratedAmount>>;
  /** Loads the sections; only `generate` needs them. */
  readonly sections: () => Promise<readonly GeneratedSection[]>;
}
