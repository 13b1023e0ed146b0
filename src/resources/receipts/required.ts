/** Which fields of a receipt must be there; the schema asks for contact and items alone. */
import type { Required } from '../../core/required.ts';

const everything: Required = {
  fields: ['uniqueReceiptId', 'createdDate', 'storeExternalId', 'currency', 'totalGrossPrice', 'paymentMethods'],
  lists: {
    paymentMethods: { fields: ['type', 'value'] },
    items: {
      fields: ['type', 'quantity', 'grossPaidPrice', 'taxAmount', 'taxPercent', 'sku', 'articleNumber', 'articleName'],
    },
  },
};

export const requiredOfReceipt = (assumption: (id: string) => string): Required | undefined =>
  assumption('A-21') === 'lenient' ? undefined : everything;
