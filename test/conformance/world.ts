/** The retailer that the cases of this folder play at, and short ways to ask and to send. */
import type { Answered, Client } from '../support/client.ts';
import { receiptOf } from '../support/receipt.ts';
import { astrid } from '../support/people.ts';

/** Has no receipts and no promotions; a contact of another type shares his e-mail. */

export const promotions = {
  spring: '9b1d0c00-0001-4000-8000-000000000001',
  tillOnly: '9b1d0c00-0001-4000-8000-000000000002',
  unassigned: '9b1d0c00-0001-4000-8000-000000000005',
};

/** Astrid's assignments; those of a template that is switched off or of an assignment that is, aren't active. */
export const coupons = {
  spring: '9b1d0c00-aaaa-4000-8000-000000000001',
  tillOnly: '9b1d0c00-aaaa-4000-8000-000000000002',
  ofInactiveTemplate: '9b1d0c00-aaaa-4000-8000-000000000003',
  expired: '9b1d0c00-aaaa-4000-8000-000000000004',
  inactive: '9b1d0c00-aaaa-4000-8000-000000000005',
};

/** Checks one row of the specification, or one reading of an assumption, on a sim of its own. */
export type Case = () => Promise<void>;

export const refused = ({ status, body }: Answered): readonly unknown[] => [status, body.errorCode];

export const wrongFields = ({ body }: Answered): readonly string[] =>
  body.validationErrors.map(({ field }: { field: string }) => field);

export const receipt = (fields: object = {}, id = 'r-1'): object => receiptOf(astrid, id, fields);

export const sendReceipt = ({ post }: Client, fields: object = {}, id = 'r-1'): Promise<Answered> =>
  post('/api/v3/receipts', receipt(fields, id));

export const transactionsOf = async ({ get }: Client, contactId = astrid) =>
  (await get(`/api/v3/transactions?contactId=${contactId}`)).body.items;

export const summaryOf = ({ get }: Client, contactId = astrid): Promise<Answered> =>
  get(`/api/v3/contacts/${contactId}/purchasehistorysummary`);

export const order = (fields: object = {}): object => ({
  contact: { matchKey: 'astrid.lindqvist@example.com', matchKeyType: 'email' },
  orderNumber: 'W-1',
  orderStatus: 'OrderConfirmed',
  paymentStatus: 'Paid',
  createdDate: '2026-03-01T10:00:00Z',
  storeId: '900',
  currency: 'SEK',
  totalGrossPrice: 499,
  items: [{ sku: '1001-M', quantity: 1 }],
  ...fields,
});

export const listPromotions = ({ get }: Client, query = ''): Promise<Answered> =>
  get(`/api/v3/promotion-assignments?contactId=${astrid}${query}`);

export const redeem = ({ post }: Client, id: string, query = '', body?: object): Promise<Answered> =>
  post(`/api/v3/promotions/codes/${id}/redeem${query}`, body);

/** Nobody has any of them yet; the first wants consent, and has three checkpoints and six months. */
export const challengeDefinitions = {
  reviews: '9b1d0c00-cccc-4000-8000-000000000001',
  visits: '9b1d0c00-cccc-4000-8000-000000000002',
  socks: '9b1d0c00-cccc-4000-8000-000000000003',
  coats: '9b1d0c00-cccc-4000-8000-000000000004',
};

export const assign = ({ post }: Client, definitionId: string, contactId = astrid): Promise<Answered> =>
  post(`/api/v3/challenges/definitions/${definitionId}/assign?contactId=${contactId}`);

export const checkpoints = (
  checkpointAmount: number,
  contactId = astrid,
  definitionId = challengeDefinitions.reviews,
): object => ({ definitionId, contactId, checkpointAmount });

export const award = ({ post }: Client, ...blocks: readonly object[]): Promise<Answered> =>
  post('/api/v3/challenges/checkpoints', blocks);

/** How many requests rested on an assumption. */
export const requestsRestingOn = async ({ get }: Client, id: string): Promise<number> => {
  const { assumptions } = (await get('/__admin/assumptions')).body;
  return assumptions.find((row: { id: string }) => row.id === id).exchanges;
};

export const challengesOf = async ({ get }: Client, query = '') =>
  (await get(`/api/v3/challenges?contactId=${astrid}${query}`)).body;

export const advance = async ({ post }: Client, duration: string): Promise<void> => {
  await post('/__admin/clock', { advance: duration });
};
