/** Plays a till that repeats a lost receipt with another key, so that the customer gets the points twice. */
import type { Client } from './client.ts';
import { astrid, astridPath } from './people.ts';
import { receiptOf } from './receipt.ts';

const count = '/api/v3/contacts/count';

/** Looks the customer up, loses the response to a receipt, and sends it again with another key. */
export async function loseReceipt({ post, get }: Client): Promise<void> {
  await get(astridPath);
  const lost = { phase: 'after', respond: 'none', end: 'reset' };
  await post('/__admin/faults', { id: 'lost', match: { endpoint: 'createReceipt' }, fault: lost, times: 1 });
  await post('/api/v3/receipts', receiptOf(astrid, 'till-7-1')).catch(() => 'lost');
  await post('/api/v3/receipts', receiptOf(astrid, 'till-7-2'));
}

/** Does the same among other work: an address that is changed against a busy service, and a clock that is moved. */
export async function playDayAtTill(client: Client): Promise<void> {
  const { get, patch, post } = client;
  await loseReceipt(client);
  await post('/__admin/faults', { id: 'busy', match: { endpoint: 'updateContact' }, fault: '503', times: 2 });
  for (let i = 0; i < 3; i++) await patch(astridPath, { street: 'Drottninggatan 1' });
  await post('/api/v3/receipts', { ...receiptOf(astrid, 'till-7-3'), totalGrossPrice: 'much' });
  await post('/__admin/clock', { advance: '15d' });
  await get(astridPath);
  await get(count);
}

/** Writes down when each request came and how long it took, so that pictures of them are the same each time. */
export function setTimes({ sim }: Client): void {
  for (const exchange of sim.tenants.default.journal.exchanges()) {
    const startedAt = exchange.number * 250;
    const finishedAt = startedAt + (exchange.fault ? 120 : 40);
    Object.assign(exchange, { startedAt, finishedAt });
    if (exchange.delivered) exchange.delivered.observableAt = finishedAt;
  }
}
