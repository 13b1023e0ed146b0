/** Makes a receipt of somebody who buys socks. */
export const receiptOf = ({ contactId, id, createdDate }) => ({
  contact: { matchKey: contactId, matchKeyType: 'contactId' },
  uniqueReceiptId: id,
  createdDate,
  storeExternalId: '100',
  currency: 'SEK',
  totalGrossPrice: 100,
  paymentMethods: [{ type: 'CARD', value: 100 }],
  items: [
    {
      type: 'PURCHASE',
      quantity: 1,
      grossPaidPrice: 100,
      taxAmount: 20,
      taxPercent: 25,
      sku: '1',
      articleNumber: '1',
      articleName: 'Socks',
    },
  ],
});
