/** Receipts of Astrid in the shop of test/support/shop.json. */
import type { Transaction } from '../../src/service/receipts/schema.ts';
import type { SimOptions } from '../../src/simulator/create-sim.ts';
import { openClient } from './client.ts';
import type { Client } from './client.ts';
import { receiptOf } from './receipt.ts';

export const astrid = '5a0e7c1e-0001-4000-8000-000000000001';

export const open = (options: SimOptions = {}): Promise<Client> =>
  openClient({ fixtures: 'test/support/shop.json', ...options });

export const send = ({ post }: Client, fields: object = {}, id = 'r-1') =>
  post('/api/v3/receipts', receiptOf(astrid, id, fields));

export const transactions = async ({ get }: Client): Promise<Transaction[]> =>
  (await get(`/api/v3/transactions?contactId=${astrid}`)).body.items;

/** The receipts that were stored, as the journal shows them. */
export const kept = ({ sim }: Client): readonly unknown[] => {
  const changes = [...sim.tenants.default.journal.exchanges()].flatMap(({ sideEffects: outcome }) => outcome.changes);
  return changes.filter(({ table }) => table === 'receipts').map(({ after }) => after);
};
