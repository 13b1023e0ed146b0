/** Which fields of a receipt must be there; the schema asks for contact and items alone. */
import type { FieldError } from '../../core/errors.ts';
import type { ReceiptBody } from './schema.ts';

type Named<T> = readonly (keyof T)[];

const ofReceipt: Named<ReceiptBody> = [
  'uniqueReceiptId',
  'createdDate',
  'storeExternalId',
  'currency',
  'totalGrossPrice',
  'paymentMethods',
];
const ofPayment: Named<NonNullable<ReceiptBody['paymentMethods']>[number]> = ['type', 'value'];
const ofItem: Named<ReceiptBody['items'][number]> = [
  'type',
  'quantity',
  'grossPaidPrice',
  'taxAmount',
  'taxPercent',
  'sku',
  'articleNumber',
  'articleName',
];

/** Every required field that is absent or null. */
export function missingFields(body: ReceiptBody): FieldError[] {
  const missing: FieldError[] = [];
  const look = <T extends object>(path: string, sent: T, names: Named<T>): void => {
    for (const name of names) {
      if ((sent[name] ?? undefined) !== undefined) continue;
      missing.push({ field: `${path}${String(name)}`, errorDescription: 'is required' });
    }
  };
  look('', body, ofReceipt);
  for (const [i, payment] of (body.paymentMethods ?? []).entries()) look(`paymentMethods[${i}].`, payment, ofPayment);
  for (const [i, item] of body.items.entries()) look(`items[${i}].`, item, ofItem);
  return missing;
}
