/** Holds what several heavy calls send, or send before them. */
import { astrid, bo } from '../../test/support/people.ts';
import { receiptOf } from '../../test/support/receipt.ts';
import { many, post, put, times } from './heavy-call.ts';

/** Holds how many contacts a large state has. */
export const contacts = 10_000;

export const crowd = (street: string, prefix = 'crowd') =>
  times(4000, (n) => ({
    email: `${prefix}${n}@example.com`,
    firstName: `First ${n}`,
    lastName: `Last ${n}`,
    street,
    consents: [{ id: 'newsletter', value: true }],
  }));

export const createCrowd = post('/api/v3/contacts/bulk', crowd('Storgatan 1'));

export const points = times(1000, (n) => ({
  contactId: n % 2 ? astrid : bo,
  definitionId: 1,
  amount: 10,
  description: `n${n}`,
}));

export const line = (n: number) => ({
  type: 'PURCHASE',
  quantity: 1,
  grossPaidPrice: 1,
  taxAmount: 0.2,
  taxPercent: 25,
  sku: `${n}-M`,
  articleNumber: String(n),
  articleName: 'T-shirt',
});

export const receipt = (n: number, lines = 3, fields: object = {}) =>
  receiptOf(astrid, `long-${n}`, { items: times(lines, line), totalGrossPrice: lines, ...fields });

/** Returns fields that nobody reads. */
export const unknown = (count: number) => Object.fromEntries(times(count, (n) => [`field${n}`, n]));

export const receipts = many(3000, (n) => ({ method: 'POST', path: '/api/v3/receipts', body: receipt(n) }));

/** Sends receipts, changes of a contact and points, some of which look alike. */
export const work = many(30_000, (n) => {
  if (n % 3 === 0) return { method: 'POST', path: '/api/v3/receipts', body: receipt(n) };
  if (n % 3 === 1) return { method: 'PATCH', path: `/api/v3/contacts/${astrid}`, body: { street: `Street ${n}` } };
  const row = { contactId: bo, definitionId: 1, amount: 1, description: `n${n % 500}` };
  return { method: 'POST', path: '/api/v3/point-accounts/transactions', body: [row] };
});

export const rules = (count: number) =>
  times(count, (n) => ({
    match: { method: 'POST', path: '/api/v3/receipts', body: { uniqueReceiptId: `r-${n}` } },
    fault: '500',
  }));

export const expectations = times(1000, (n) => ({
  request: { endpoint: 'createReceipt', body: { uniqueReceiptId: `r-${n}` } },
  exactly: 0,
}));

/** Holds as many values as a body may hold, none of which fits. */
export const ones = times(398_000, () => 1);

export const scenario = (fields: object) => put('/__admin/scenario', fields);

export const firstRule = (fields: object) => scenario({ rules: [{ match: {}, fault: '500', ...fields }] });

export const fieldsOf = (count: number, value: () => unknown) =>
  Object.fromEntries(times(count, (n) => [`x${n}`, value()]));

export const wide = (n: number) =>
  post('/api/v3/contacts', { email: `wide${n}@example.com`, a: times(390_000, () => 1) });

export const tall = (n: number) =>
  post('/api/v3/contacts', { email: `tall${n}@example.com`, ...fieldsOf(15, () => 'x'.repeat(990_000)) });

/** Creates 15 contacts with as much in their fields as a body may hold. */
export const big = (prefix: string) =>
  post(
    '/api/v3/contacts/bulk',
    times(15, (n) => ({ email: `${prefix}${n}@example.com`, firstName: 'x', street: 'ä'.repeat(480_000) })),
  );

/** Returns a pattern of about so many steps, each of which a character of some texts takes. */
export const slow = (n: number, steps = 200): string => `[a-e${n}]{${steps - 10}}[x-z]`;

export const patterns = (count: number, steps: number, first = 0) =>
  Object.fromEntries(times(count, (n) => [`f${n}`, { matches: slow(first * count + n, steps) }]));

export const patternOrder = times(300, (n) => ({ endpoint: 'createReceipt', body: patterns(20, 200, n) }));

/** Saves the state in the folder that the command runs in. */
export const saved = ['--data', 'state.json'];

export const adjustment = { event: 'adjustPoints', contactId: astrid, definitionId: 1, amount: 5, by: 'manual' };
