/** Makes a line of a receipt for 100 EUR or whatever the currency is, of which 20 are tax. */
export const lineOf = (fields: object = {}): object => ({
  type: 'PURCHASE',
  quantity: 1,
  grossPaidPrice: 100,
  taxAmount: 20,
  taxPercent: 25,
  sku: '1001-M',
  articleNumber: '1001',
  articleName: 'T-shirt',
  ...fields,
});

/** Returns a line that was taken back, with the signs of A-23. */
export const returnOf = (fields: object = {}): object => lineOf({ type: 'RETURN', quantity: -1, ...fields });
