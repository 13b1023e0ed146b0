/** Names what the programs of these tests send: each write, the look that shows it, and the same look at somebody else. */
import { receiptOf } from '../../support/receipt.ts';
import { astrid, bo, nils } from '../../support/people.ts';
import type { Reply, Send } from '../../support/programs.ts';

const coupon = '9b1d0c00-aaaa-4000-8000-000000000002';
/** Another coupon of the same customer. */
export const nextCoupon = '9b1d0c00-aaaa-4000-8000-000000000001';
const visits = '9b1d0c00-cccc-4000-8000-000000000001';
export const reviews = '9b1d0c00-cccc-4000-8000-000000000002';

export const row = (contactId: string, description = 'welcome'): object => ({
  contactId,
  definitionId: 1,
  amount: 120,
  timeStamp: '2026-03-01T11:00:00Z',
  source: 'Adjustment',
  description,
});

export const emailOf = { astrid: 'astrid.lindqvist@example.com', bo: 'johan.bergstrom@example.com' } as const;

type Sent = Promise<Reply | undefined>;

export const lookUp = (send: Send, email: string): Sent => send('GET', `/api/v3/contacts/id?email=${email}`);
export const createContact = (send: Send, fields: object): Sent =>
  send('POST', '/api/v3/contacts', { firstName: 'Nils', lastName: 'Ny', ...fields });
export const redeem = (send: Send, id = coupon): Sent =>
  send('POST', `/api/v3/promotions/codes/${id}/redeem`, { redemptionChannel: 'POS' });
export const coupons = (send: Send, id: string): Sent =>
  send('GET', `/api/v3/promotion-assignments?contactId=${id}&redemptionChannelType=POS`);
export const sell = (send: Send, key: string, fields: object = {}, contactId = astrid): Sent =>
  send('POST', '/api/v3/receipts', receiptOf(contactId, key, fields));
export const purchases = (send: Send, id: string): Sent => send('GET', `/api/v3/transactions?contactId=${id}`);
export const addPoints = (send: Send, rows: readonly object[] = [row(astrid)], headers = {}): Sent =>
  send('POST', '/api/v3/point-accounts/transactions', rows, headers);
export const accounts = (send: Send, id: string): Sent => send('GET', `/api/v3/point-accounts?contactId=${id}`);
export const award = (send: Send, contactId = astrid): Sent =>
  send('POST', '/api/v3/challenges/checkpoints', [{ contactId, definitionId: visits, checkpointAmount: 1 }]);
export const challenges = (send: Send, id: string): Sent => send('GET', `/api/v3/challenges?contactId=${id}`);
export const person = (send: Send, id: string): Sent => send('GET', `/api/v3/contacts/${id}`);
export const move = (send: Send, fields: object, id = astrid): Sent => send('PATCH', `/api/v3/contacts/${id}`, fields);

interface Write {
  readonly what: string;
  readonly endpoint: string;
  readonly write: (send: Send) => Sent;
  /** Shows whether the write took effect. */
  readonly look: (send: Send) => Sent;
  /** Reads the same of somebody else. */
  readonly otherLook: (send: Send) => Sent;
}

export const writes: readonly Write[] = [
  {
    what: 'a new contact',
    endpoint: 'createContact',
    write: (send) => createContact(send, nils),
    look: (send) => lookUp(send, nils.email),
    otherLook: (send) => lookUp(send, emailOf.bo),
  },
  {
    what: 'a redeemed coupon',
    endpoint: 'redeemPromotion',
    write: (send) => redeem(send),
    look: (send) => coupons(send, astrid),
    otherLook: (send) => coupons(send, bo),
  },
  {
    what: 'a receipt',
    endpoint: 'createReceipt',
    write: (send) => sell(send, 'till-1'),
    look: (send) => purchases(send, astrid),
    otherLook: (send) => purchases(send, bo),
  },
  {
    what: 'points in bulk',
    endpoint: 'addPointTransactions',
    write: (send) => addPoints(send),
    look: (send) => accounts(send, astrid),
    otherLook: (send) => accounts(send, bo),
  },
  {
    what: 'a checkpoint',
    endpoint: 'awardCheckpoints',
    write: (send) => award(send),
    look: (send) => challenges(send, astrid),
    otherLook: (send) => challenges(send, bo),
  },
];
