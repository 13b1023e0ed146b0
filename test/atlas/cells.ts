/** Lists the requests and the faults of the retry atlas: each request meets each fault once. */
import type { RuleInput } from '../../src/faults/rule-schema.ts';
import { astrid } from '../support/people.ts';

const coupon = '9b1d0c00-aaaa-4000-8000-000000000001';

export const callNames = ['read', 'update', 'receipt', 'points', 'contact', 'redeem'] as const;

export type CallName = (typeof callNames)[number];

/** One request that a program makes once. */
export interface Call {
  readonly name: CallName;
  readonly title: string;
  readonly endpoint: string;
  readonly method: 'GET' | 'PATCH' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  /** Names the operation in an `Idempotency-Key`, where the service takes one. */
  readonly key?: string;
  /** Says by 200 or 404 whether the write took effect. */
  readonly look?: string;
}

/** The reads that every client begins with, so that its connection is open when the fault comes. */
export const warmUp = '/api/v3/contacts/count';

export const calls: readonly Call[] = [
  { name: 'read', title: 'GET contact', endpoint: 'getContact', method: 'GET', path: `/api/v3/contacts/${astrid}` },
  {
    name: 'update',
    title: 'PATCH contact',
    endpoint: 'updateContact',
    method: 'PATCH',
    path: `/api/v3/contacts/${astrid}`,
    body: { street: 'Storgatan 1' },
  },
  {
    name: 'receipt',
    title: 'POST receipt',
    endpoint: 'createReceipt',
    method: 'POST',
    path: '/api/v3/receipts',
    body: {
      contact: { matchKey: astrid, matchKeyType: 'contactId' },
      uniqueReceiptId: 'atlas-1',
      createdDate: '2026-02-28T11:00:00Z',
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
    },
  },
  {
    name: 'points',
    title: 'POST points in bulk',
    endpoint: 'addPointTransactions',
    method: 'POST',
    path: '/api/v3/point-accounts/transactions',
    body: [
      {
        contactId: astrid,
        definitionId: 1,
        amount: 120,
        timeStamp: '2026-02-28T11:00:00Z',
        source: 'Adjustment',
        description: 'Thank you',
      },
    ],
    key: '6f1c3c52-6d53-4f0b-9d0f-3a9c1f5f7a10',
  },
  {
    name: 'contact',
    title: 'POST contact',
    endpoint: 'createContact',
    method: 'POST',
    path: '/api/v3/contacts',
    body: { contactType: 'Member', firstName: 'Ella', email: 'ella.ek@example.com' },
    look: '/api/v3/contacts/id?email=ella.ek%40example.com',
  },
  {
    name: 'redeem',
    title: 'POST redeem',
    endpoint: 'redeemPromotion',
    method: 'POST',
    path: `/api/v3/promotions/codes/${coupon}/redeem`,
    body: { redemptionChannel: 'POS' },
  },
];

export const faultNames = [
  '500',
  '503',
  '504',
  '504-after',
  'reset',
  'reset-after',
  'closed',
  'cut',
  '429',
  '400',
  '404',
  'hang',
] as const;

export type FaultName = (typeof faultNames)[number];

/** The pause in seconds that the 429 asks for; longer than the usual first pauses, so that heeding it shows. */
export const retryAfter = 3;

export interface FaultColumn {
  readonly name: FaultName;
  readonly title: string;
  readonly description: string;
  readonly fault: NonNullable<RuleInput['fault']>;
}

export const faults: readonly FaultColumn[] = [
  { name: '500', title: '500', description: 'status 500; nothing was done', fault: ['500'] },
  { name: '503', title: '503', description: 'status 503; nothing was done', fault: ['503'] },
  { name: '504', title: '504', description: 'status 504; nothing was done', fault: ['504'] },
  {
    name: '504-after',
    title: '504 done',
    description: 'status 504; it was done',
    fault: [{ phase: 'after', status: 504 }],
  },
  {
    name: 'reset',
    title: 'reset',
    description: 'a reset; nothing was done',
    fault: [{ respond: 'none', end: 'reset' }],
  },
  {
    name: 'reset-after',
    title: 'reset done',
    description: 'a reset; it was done',
    fault: [{ phase: 'after', respond: 'none', end: 'reset' }],
  },
  {
    name: 'closed',
    title: 'closed done',
    description: 'the connection is closed without a response; it was done',
    fault: [{ phase: 'after', respond: 'none', end: 'close' }],
  },
  {
    name: 'cut',
    title: 'cut done',
    description: 'half of the response, then the connection is closed; it was done',
    fault: [{ phase: 'after', respond: 'partial', end: 'close' }],
  },
  {
    name: '429',
    title: '429',
    description: `status 429 with Retry-After: ${retryAfter}; nothing was done`,
    fault: [{ status: 429, headers: { 'Retry-After': String(retryAfter) } }],
  },
  { name: '400', title: '400', description: 'status 400', fault: ['400'] },
  { name: '404', title: '404', description: 'status 404', fault: ['404'] },
  // The last, since most clients wait for ever.
  {
    name: 'hang',
    title: 'hang done',
    description: 'no response, and the connection stays open; it was done',
    fault: [{ phase: 'after', respond: 'none', end: 'hang' }],
  },
];

/** The scenario of one cell. */
export const scenarioOf = (call: Call, { fault }: FaultColumn): { rules: RuleInput[] } => ({
  rules: [{ id: 'atlas', match: { endpoint: call.endpoint }, fault, times: 1 }],
});
