/** Describes one row of the proof: a claim, and a program that shows whether it holds. */
export interface ProofRow {
  /** Chooses it on the command line. */
  readonly name: string;
  /** Says in a few words what is shown. */
  readonly what: string;
  /** Says what is asked for. */
  readonly asked: string;
  /** Names the page that keeps what was shown; docs/explore.md without one. */
  readonly page?: string;
  /** Says that a twentieth of it shows something within seconds: it runs with `--short`. */
  readonly isQuick?: boolean;
  readonly run: (settings: ProofSettings) => Promise<ProofOutcome>;
}

export interface ProofSettings {
  /** True for cases that are to be run. */
  readonly isWanted: (name: string) => boolean;
  readonly print: (line: string) => void;
  /** Says how often a row that looks for chance repeats its work. */
  readonly runs: number;
  /** Returns how many of so many cases are to be run: all, or a twentieth with `--short`. */
  readonly share: (cases: number) => number;
}

export interface ProofOutcome {
  /** Holds the figure that was reached. */
  readonly figure: string;
  readonly isReached: boolean;
}

/** Returns the middle of some numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
