/** Says which fields of a receipt must be there; the schema asks for contact and items alone. */
import type { RequiredFields } from '../../core/validation/required-fields.ts';

const allRequiredFields: RequiredFields = {
  fields: ['uniqueReceiptId', 'createdDate', 'storeExternalId', 'currency', 'totalGrossPrice', 'paymentMethods'],
  lists: {
    paymentMethods: { fields: ['type', 'value'] },
    items: {
      fields: ['type', 'quantity', 'grossPaidPrice', 'taxAmount', 'taxPercent', 'sku', 'articleNumber', 'articleName'],
    },
  },
};

export const requiredReceiptFields = (assumption: (id: string) => string): RequiredFields | undefined =>
  assumption('A-21') === 'lenient' ? undefined : allRequiredFields;
