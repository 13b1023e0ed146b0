/**
 * Checks the signs of returns: quantities negative, prices and taxes positive; a pure return's money negative.
 */
import type { FieldError } from '../../core/exchange/api-error.ts';
import type { ReceiptBody, ReceiptItem } from './schema.ts';

export interface SignError extends FieldError {
  readonly value: number;
}

type Signed = number | null | undefined;

/** Says what a number belongs to, and whether it may not be 0 there. */
interface SignedPlace {
  readonly on: string;
  readonly isZeroWrong?: boolean;
}

/** True for a price other than 0: what was given away comes back for nothing. */
const hasPrice = (price: Signed): boolean => typeof price === 'number' && price !== 0;

const isReturned = ({ type }: ReceiptItem): boolean => type === 'RETURN';

export const isPureReturn = ({ items }: ReceiptBody): boolean => items.every(isReturned);

/** Returns the number below zero, but for 0 itself. */
export const toNegative = (value: number): number => 0 - Math.abs(value);

/** Returns every number of a receipt whose sign is the other one. */
export function findSignErrors(body: ReceiptBody): SignError[] {
  if (!body.items.some(isReturned)) return [];
  const wrong: SignError[] = [];
  const expect = (sign: 1 | -1, field: string, value: Signed, { on, isZeroWrong = false }: SignedPlace): void => {
    if (typeof value !== 'number' || (value === 0 ? !isZeroWrong : value * sign > 0)) return;
    wrong.push({ field, value, errorDescription: `must be ${sign < 0 ? 'negative' : 'positive'} on ${on}` });
  };
  const line: SignedPlace = { on: 'a line of type RETURN' };
  for (const [i, { type, quantity, grossPaidPrice, taxAmount }] of body.items.entries()) {
    if (type !== 'RETURN') continue;
    expect(-1, `items[${i}].quantity`, quantity, { ...line, isZeroWrong: hasPrice(grossPaidPrice) });
    expect(1, `items[${i}].grossPaidPrice`, grossPaidPrice, line);
    expect(1, `items[${i}].taxAmount`, taxAmount, line);
  }
  if (!isPureReturn(body)) return wrong;
  const receipt: SignedPlace = { on: 'a receipt that holds returns alone' };
  const isPaid = body.items.some(({ grossPaidPrice }) => hasPrice(grossPaidPrice));
  expect(-1, 'totalGrossPrice', body.totalGrossPrice, { ...receipt, isZeroWrong: isPaid });
  for (const [i, { value }] of (body.paymentMethods ?? []).entries()) {
    expect(-1, `paymentMethods[${i}].value`, value, receipt);
  }
  return wrong;
}
