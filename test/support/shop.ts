/** Sends receipts of Astrid in the shop of test/support/shop.json. */
import type { Transaction } from '../../src/service/receipts/schema.ts';
import type { Client } from './client.ts';
import { receiptOf } from './receipt.ts';
import { astrid } from './people.ts';

export const send = ({ post }: Client, fields: object = {}, id = 'r-1') =>
  post('/api/v3/receipts', receiptOf(astrid, id, fields));

export const transactions = async ({ get }: Client): Promise<Transaction[]> =>
  (await get(`/api/v3/transactions?contactId=${astrid}`)).body.items;

/** Returns the receipts that were stored, as the journal shows them. */
export const storedReceipts = ({ sim }: Client): readonly unknown[] => {
  const changes = [...sim.tenants.default.journal.exchanges()].flatMap(({ sideEffects: outcome }) => outcome.changes);
  return changes.filter(({ table }) => table === 'receipts').map(({ after }) => after);
};
