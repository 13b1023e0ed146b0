/** Makes a retailer with a point definition of every kind, and short ways to add points and look at them. */
import type { Answered, Client } from './client.ts';
import { receiptOf } from './receipt.ts';
import { astrid } from './people.ts';

/** Lists definitions by what becomes of their points. */
export const kinds = { kept: 1, byAge: 2, byInactivity: 3, neverPending: 4, forVouchers: 5 } as const;

export const buy = ({ post }: Client, id: string, items: readonly object[], fields: object = {}): Promise<Answered> =>
  post('/api/v3/receipts', receiptOf(astrid, id, { items, ...fields }));

export const row = (fields: object = {}): object => ({
  contactId: astrid,
  definitionId: kinds.kept,
  amount: 10,
  source: 'Adjustment',
  description: 'for a test',
  ...fields,
});

export const addRows = ({ post }: Client, ...rows: object[]): Promise<Answered> =>
  post('/api/v3/point-accounts/transactions', rows.map(row));

export const accountsOf = async ({ get }: Client, contactId = astrid) =>
  (await get(`/api/v3/point-accounts?contactId=${contactId}`)).body.items;

/** Returns the active and pending points of the contact's first account. */
export const held = async (client: Client): Promise<readonly number[]> => {
  const [account] = await accountsOf(client);
  return [account.balance, account.pendingPoints];
};

/** Returns the transactions of the contact's first account, the oldest first, as far as they are looked at. */
export const movesOf = async (client: Client): Promise<readonly (readonly unknown[])[]> => {
  const [{ id }] = await accountsOf(client);
  const { body } = await client.get(`/api/v3/point-transactions?id=${id}&sortBy=createdOn&sortOrder=asc`);
  return body.items.map(({ amount, type, description }: Record<string, unknown>) => [amount, type, description]);
};

export const setClock = ({ post }: Client, set: string): Promise<Answered> => post('/__admin/clock', { set });

export const trigger = ({ post }: Client, event: object): Promise<Answered> => post('/__admin/trigger', event);
