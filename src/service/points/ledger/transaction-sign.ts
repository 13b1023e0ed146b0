/** Point transaction: the amount is negative for deductions. */
import type { TransactionType } from '../definitions.ts';

const takingTypes: ReadonlySet<TransactionType> = new Set(['Deduction', 'Expiry']);

/** Explains a wrong sign of an amount; a cancellation and an adjustment may have either. */
export function signError(type: TransactionType, amount: number): string | undefined {
  if (type === 'Addition' && amount < 0) return `must not be negative for an Addition, and is ${amount}`;
  if (takingTypes.has(type) && amount > 0) return `must be negative for a type of ${type}, and is ${amount}`;
  return undefined;
}

/** Returns an amount with the sign of its type, whichever way it came; a cancellation and an adjustment keep theirs. */
export const withTypeSign = (type: TransactionType, amount: number): number =>
  takingTypes.has(type) ? -Math.abs(amount) : amount;

/** Returns the type of an amount that comes without one. */
export const transactionTypeOf = (amount: number): TransactionType => (amount < 0 ? 'Deduction' : 'Addition');
