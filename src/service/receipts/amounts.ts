/** Sums the lines of a receipt. */

/** Holds the part of a line that counts, with the signs of A-23. */
interface PricedLine {
  readonly type: string;
  readonly quantity: number;
  readonly grossPaidPrice: number;
  readonly taxAmount: number;
}

/** Half of the last decimal is rounded away from zero. */
export function roundAmount(amount: number, decimals = 2): number {
  const scale = 10 ** decimals;
  // 1.005 is kept as slightly less than that: the last digits of a double are not the caller's.
  const units = Math.round(Math.abs(amount) * scale + 1e-6);
  return amount < 0 && units > 0 ? -units / scale : units / scale;
}

const direction = ({ type }: PricedLine): 1 | -1 => (type === 'RETURN' ? -1 : 1);

/** Returns what was paid for a line with tax; negative where it was paid back. */
export const paidFor = (line: PricedLine): number => direction(line) * line.grossPaidPrice;

/** Returns what was paid for a line without tax; negative where it was paid back. */
export const netPaidFor = (line: PricedLine): number => direction(line) * (line.grossPaidPrice - line.taxAmount);

/** Counts the articles that a line adds; an adjustment is no article. */
export const articlesOf = ({ type, quantity }: PricedLine): number => (type === 'ADJUSTMENT' ? 0 : quantity);

export const sumOf = (lines: readonly PricedLine[], amountOf: (line: PricedLine) => number): number =>
  lines.reduce((sum, line) => sum + amountOf(line), 0);
