/**
 * Plays a day of a shop at random, by a seed: requests of every kind, jobs, deletions, clock moves, resets and
 * snapshots.
 */
import type { Client } from './client.ts';
import { astrid, bo, emil } from './people.ts';
import { receiptOf } from './receipt.ts';

export const customers = [astrid, bo, emil] as const;

/** Draws whole numbers below a limit, the same ones for the same seed. */
function drawsOf(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    // A linear congruential generator; its high bits are the good ones.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const person = (n: number) => ({ firstName: `P${n}`, lastName: 'Ny', email: `p${n}@example.com` });

type Step = (client: Client) => Promise<unknown>;

/** Returns the steps of a day. */
export function randomDay(seed: number, length: number): Step[] {
  const draw = drawsOf(seed);
  const someone = (): string => customers[draw(customers.length)] ?? astrid;
  const added: string[] = [];
  let number = 0;
  const kinds: readonly (() => Step)[] = [
    () => {
      const [of, id, price] = [someone(), `day-${++number}`, draw(2000) + 1];
      const item = { type: 'PURCHASE', quantity: 1, grossPaidPrice: price, sku: '1', articleNumber: '1' };
      return ({ post }) => post('/api/v3/receipts', receiptOf(of, id, { totalGrossPrice: price, items: [item] }));
    },
    () => {
      const [of, id] = [someone(), `day-${draw(number + 1)}`];
      return ({ post }) => post('/api/v3/receipts', receiptOf(of, id));
    },
    () => {
      const [of, street] = [someone(), `Street ${draw(9)}`];
      return ({ patch }) => patch(`/api/v3/contacts/${of}`, { street });
    },
    () => {
      const n = ++number;
      return async ({ post }) => {
        const { body } = await post('/api/v3/contacts', person(n));
        if (body.id) added.push(body.id);
      };
    },
    () => {
      const n = ++number;
      return ({ post }) => post('/api/v3/contacts/bulk', [person(n), person(n), {}]);
    },
    () => {
      const place = draw(5);
      return ({ call }) => call('DELETE', `/api/v3/contacts/${added[place] ?? 'nobody'}`);
    },
    () => {
      const [contactId, amount, id] = [someone(), draw(300) - 50, `move-${draw(40)}`];
      const body = { contactId, definitionId: 2, amount, transactionId: id, source: 'Adjustment', description: id };
      return ({ post }) => post('/api/v3/point-accounts/transactions', [body]);
    },
    () => {
      const [contactId, amount] = [someone(), draw(90) + 1];
      const event = { event: 'adjustPoints', contactId, definitionId: 2, amount, description: 'x', by: 'manual' };
      return ({ post }) => post('/__admin/trigger', event);
    },
    () => {
      const of = someone();
      return ({ get }) => get(`/api/v3/contacts/${of}`);
    },
    () => {
      const advance = ['10s', '3m', '1h', '20d', '3mo'][draw(5)] ?? '1h';
      return ({ post }) => post('/__admin/clock', { advance });
    },
    () => {
      const body = [{ hold: true }, { release: true }, { step: true }, { drain: true }, { fail: true }][draw(5)];
      return ({ post }) => post('/__admin/queue', body);
    },
    () => {
      const [name, isTaken] = [`s${draw(2)}`, draw(3) > 0];
      return ({ post }) => post(`/__admin/snapshots/${name}${isTaken ? '' : '/restore'}`);
    },
    () => {
      const scopes = [['queue'], ['clock'], ['state', 'webhooks'], ['faults']][draw(4)];
      const isMeant = draw(4) === 0;
      return async ({ post }) => isMeant && post('/__admin/reset', { scopes });
    },
    () => {
      const phase = draw(2) === 0 ? 'before' : 'after';
      return ({ post }) =>
        post('/__admin/faults', {
          match: { method: 'POST' },
          fault: { phase, respond: 'none', end: 'reset' },
          times: 1,
        });
    },
  ];
  const weights = [9, 2, 5, 3, 2, 2, 6, 2, 3, 4, 1, 1, 1, 1];
  const urn = kinds.flatMap((kind, place) => Array.from({ length: weights[place] ?? 1 }, () => kind));
  return Array.from({ length }, () => (urn[draw(urn.length)] as () => Step)());
}
