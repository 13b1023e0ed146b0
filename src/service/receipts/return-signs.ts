/** Signs of what is returned: quantities negative, prices and taxes positive; a pure return's money negative. */
import type { FieldError } from '../../core/exchange/api-error.ts';
import type { ReceiptBody, ReceiptItem } from './schema.ts';

export interface SignError extends FieldError {
  readonly value: number;
}

type Signed = number | null | undefined;

const isReturned = ({ type }: ReceiptItem): boolean => type === 'RETURN';

export const isPureReturn = ({ items }: ReceiptBody): boolean => items.every(isReturned);

/** Returns the number below zero, but for 0 itself. */
export const toNegative = (value: number): number => 0 - Math.abs(value);

/** Every number of a receipt whose sign is the other one. */
export function findSignErrors(body: ReceiptBody): SignError[] {
  if (!body.items.some(isReturned)) return [];
  const wrong: SignError[] = [];
  const expect = (sign: 1 | -1, field: string, value: Signed, whose: string): void => {
    if (typeof value !== 'number' || value * sign >= 0) return;
    wrong.push({ field, value, errorDescription: `must be ${sign < 0 ? 'negative' : 'positive'} on ${whose}` });
  };
  for (const [i, { type, quantity, grossPaidPrice, taxAmount }] of body.items.entries()) {
    if (type !== 'RETURN') continue;
    expect(-1, `items[${i}].quantity`, quantity, 'a line of type RETURN');
    expect(1, `items[${i}].grossPaidPrice`, grossPaidPrice, 'a line of type RETURN');
    expect(1, `items[${i}].taxAmount`, taxAmount, 'a line of type RETURN');
  }
  if (!isPureReturn(body)) return wrong;
  expect(-1, 'totalGrossPrice', body.totalGrossPrice, 'a receipt that holds returns alone');
  for (const [i, { value }] of (body.paymentMethods ?? []).entries()) {
    expect(-1, `paymentMethods[${i}].value`, value, 'a receipt that holds returns alone');
  }
  return wrong;
}
