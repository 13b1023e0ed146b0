/** Builds what tills send. The text is written once: every attempt sends the same. */

export const timestamp = () => new Date().toISOString();

export const change = (method, path, body, rest = {}) => ({ method, path, text: JSON.stringify(body), ...rest });

export const receiptBody = ({ key, contactId, email, price, sku = '10001', coupon }) => ({
  contact: contactId
    ? { matchKey: contactId, matchKeyType: 'contactId' }
    : { matchKey: email, matchKeyType: 'email', contactType: 'Member' },
  uniqueReceiptId: key,
  createdDate: timestamp(),
  storeExternalId: '100',
  currency: 'SEK',
  totalGrossPrice: price,
  paymentMethods: [{ type: 'CARD', value: price }],
  ...(coupon && { usedPromotions: [{ couponId: coupon }] }),
  items: [
    {
      type: 'PURCHASE',
      quantity: 1,
      grossPaidPrice: price,
      taxAmount: price / 5,
      taxPercent: 25,
      sku,
      articleNumber: sku,
      articleName: `Article ${sku}`,
    },
  ],
});

export const receipt = (sale) => change('POST', '/api/v3/receipts', receiptBody(sale));

export const update = (contactId, fields) => change('PATCH', `/api/v3/contacts/${contactId}`, fields);

export const consents = (contactId, answers) =>
  change('POST', `/api/v3/contacts/${contactId}`, {
    consents: Object.entries(answers).map(([id, value]) => ({
      id,
      value,
      source: 'POS',
      comment: 'Asked at the till',
    })),
  });

export const redemption = (coupon) =>
  change('POST', `/api/v3/promotions/codes/${coupon}/redeem`, { redemptionChannel: 'POS' });

export const bulkRow = ({ contactId, definitionId = 2, amount, description }) => ({
  contactId,
  definitionId,
  amount,
  timeStamp: timestamp(),
  source: 'Adjustment',
  description,
});

export const bulk = (rows, rest) => change('POST', '/api/v3/point-accounts/transactions', rows, rest);

export const addition = ({ key, accountId, amount, description = 'Bonus desk' }) =>
  change('POST', '/api/v3/point-transactions', {
    accountId,
    transactionId: key,
    transactionType: 'Addition',
    amount,
    description,
    source: 'Adjustment',
    transactionDate: timestamp(),
  });

export const checkpointRow = (contactId, definitionId, checkpointAmount = 1) => ({
  contactId,
  definitionId,
  checkpointAmount,
});

export const award = (rows, rest) => change('POST', '/api/v3/challenges/checkpoints', rows, rest);

export const order = ({ number, contactId, price, status = 'OrderConfirmed' }) =>
  change('POST', '/api/v3/orders', {
    contact: { matchKey: contactId, matchKeyType: 'contactId' },
    orderNumber: number,
    orderStatus: status,
    paymentStatus: 'Paid',
    createdDate: timestamp(),
    storeId: '900',
    currency: 'SEK',
    totalGrossPrice: price,
    items: [
      {
        type: 'PURCHASE',
        quantity: 1,
        grossPaidPrice: price,
        taxAmount: price / 5,
        taxPercent: 25,
        sku: '10001',
        articleNumber: '10001',
        articleName: 'Article 10001',
      },
    ],
  });
