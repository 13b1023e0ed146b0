/** What a till sends. The content is written once: every attempt sends the same text. */

export const timestamp = () => new Date().toISOString();

export const lookupPath = (email) => `/api/v3/contacts/id?email=${encodeURIComponent(email)}`;

const change = (method, path, body, rest = {}) => ({ method, path, text: JSON.stringify(body), ...rest });

export const creation = ({ email, firstName }) =>
  change('POST', '/api/v3/contacts', { email, firstName, contactType: 'Member' }, { look: 'contact', email });

export const update = (contactId, firstName) =>
  change('PATCH', `/api/v3/contacts/${contactId}`, { firstName, street: 'Storgatan 1' });

export const redeem = (id) => change('POST', `/api/v3/promotions/codes/${id}/redeem`, { redemptionChannel: 'POS' });

/** A customer who could not be looked up is named by e-mail. */
export const receipt = ({ key, contactId, email, promotion, lines }) => {
  const total = lines.reduce((sum, { price }) => sum + price, 0);
  return change('POST', '/api/v3/receipts', {
    contact: contactId
      ? { matchKey: contactId, matchKeyType: 'contactId' }
      : { matchKey: email, matchKeyType: 'email', contactType: 'Member' },
    uniqueReceiptId: key,
    createdDate: timestamp(),
    storeExternalId: '100',
    currency: 'SEK',
    totalGrossPrice: total,
    paymentMethods: [{ type: 'CARD', value: total }],
    ...(promotion && { usedPromotions: [{ couponId: promotion.id }] }),
    items: lines.map(({ sku, price }) => ({
      type: 'PURCHASE',
      quantity: 1,
      grossPaidPrice: price,
      taxAmount: price / 5,
      taxPercent: 25,
      sku,
      articleNumber: sku,
      articleName: sku,
    })),
  });
};

export const bonus = ({ key, contactId, definitionId }) =>
  change(
    'POST',
    '/api/v3/point-accounts/transactions',
    [{ contactId, definitionId, amount: 10, timeStamp: timestamp(), source: 'Adjustment', description: key }],
    { look: 'points', contactId, definitionId, reference: key },
  );

/** Names no account yet: it may still have to be created by what is sent before. */
export const addition = ({ key, contactId, definitionId }) =>
  change(
    'POST',
    '/api/v3/point-transactions',
    {
      transactionId: key,
      transactionType: 'Addition',
      amount: 5,
      description: 'Welcome',
      source: 'Adjustment',
      transactionDate: timestamp(),
    },
    { needsAccount: true, contactId, definitionId },
  );

export const checkpoint = ({ contactId, definitionId }) =>
  change(
    'POST',
    '/api/v3/challenges/checkpoints',
    [{ contactId, definitionId, checkpointAmount: 1, timeStamp: timestamp() }],
    { look: 'checkpoints', contactId, definitionId },
  );

export const balances = (list) => change('POST', '/api/v3/point-accounts/balances', list);
