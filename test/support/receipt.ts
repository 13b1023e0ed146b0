/** Makes a receipt of one line for 249 SEK, bought in Stockholm by a contact, and whatever else it is to hold. */
export const receiptOf = (contactId: string, uniqueReceiptId: string, fields: object = {}): object => ({
  contact: { matchKey: contactId, matchKeyType: 'contactId' },
  uniqueReceiptId,
  receiptNumber: uniqueReceiptId,
  createdDate: '2026-03-01T11:00:00Z',
  storeExternalId: '100',
  currency: 'SEK',
  totalGrossPrice: 249,
  paymentMethods: [{ type: 'CARD', value: 249 }],
  items: [
    {
      type: 'PURCHASE',
      quantity: 1,
      grossPaidPrice: 249,
      taxAmount: 49.8,
      taxPercent: 25,
      sku: '1001-M',
      articleNumber: '1001',
      articleName: 'T-shirt',
    },
  ],
  ...fields,
});
