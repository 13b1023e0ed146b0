import { array, assert, asyncProperty, integer, oneof, option, pre, record } from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { row } from '../support/points.ts';
import { heldAt } from './ledger.model.ts';
import type { Move } from './ledger.model.ts';
import { astrid } from '../support/people.ts';
import { openPointsSim } from '../support/open-sim.ts';

const start = Date.parse('2026-03-01T12:00:00Z');
const hours = (count: number): number => start + count * 3_600_000;
const timestampOf = (hour: number | undefined) => (hour === undefined ? null : new Date(hours(hour)).toISOString());

/** What is done one after the other: points come or go, or time passes. */
const step = oneof(
  { weight: 3, arbitrary: record({ pass: integer({ min: 1, max: 8 }) }) },
  {
    weight: 5,
    arbitrary: record({
      amount: integer({ min: -12, max: 20 }).filter((amount) => amount !== 0),
      // From now on; validTo counts from validFrom.
      validFrom: option(integer({ min: -2, max: 9 }), { nil: undefined }),
      validTo: option(integer({ min: 1, max: 12 }), { nil: undefined }),
    }),
  },
);

type Step = typeof step extends Arbitrary<infer Drawn> ? Drawn : never;

const steps = array(step, { minLength: 1, maxLength: 14, size: 'max' });

/** The same steps at hours of their own. */
function movesOf(drawn: readonly Step[]): { readonly moves: Move[]; readonly now: number } {
  let now = 0;
  const moves = drawn.flatMap((one): Move[] => {
    if ('pass' in one) {
      now += one.pass;
      return [];
    }
    const validFrom = one.validFrom === undefined ? undefined : now + one.validFrom;
    const validTo = one.validTo === undefined ? undefined : (validFrom ?? now) + one.validTo;
    return [{ at: now, amount: one.amount, validFrom, validTo }];
  });
  return { moves, now };
}

/** A shop in which every run has a tenant, and so an account, of its own. */
async function openLedger() {
  const client = await openPointsSim();
  let runs = 0;
  return async function play(moves: readonly Move[], stops: readonly number[]) {
    const tenant = `run-${++runs}`;
    const base = `/t/${tenant}/api/v3`;
    for (const stop of stops) {
      await client.post(`/__admin/clock?tenant=${tenant}`, { set: timestampOf(stop) });
      for (const move of moves.filter(({ at }) => at === stop)) await add(client, base, move);
    }
    const [account] = (await client.get(`${base}/point-accounts?contactId=${astrid}`)).body.items;
    const { items } = (await client.get(`${base}/point-transactions?id=${account.id}&count=1000`)).body;
    client.sim.tenants.remove(tenant);
    return { account, items };
  };
}

function add({ post }: Client, base: string, { amount, validFrom, validTo }: Move) {
  const valid = { validFrom: timestampOf(validFrom), validTo: timestampOf(validTo) };
  return post(`${base}/point-accounts/transactions`, [row({ amount, ...valid })]);
}

type Item = { readonly amount: number; readonly type: string };

const sumOf = (items: readonly Item[]): number => items.reduce((sum, { amount }) => sum + amount, 0);

/** The hours at which something is done, and the last one. */
const stopsOf = (moves: readonly Move[], now: number): number[] =>
  [...new Set([...moves.map(({ at }) => at), now])].toSorted((a, b) => a - b);

describe('a point account', () => {
  it('keeps the balance, pending and expired points of the model', async () => {
    const play = await openLedger();
    const check = asyncProperty(steps, async (drawn) => {
      const { moves, now } = movesOf(drawn);
      pre(moves.length > 0);
      const { account, items } = await play(moves, stopsOf(moves, now));
      const expired = 0 - sumOf(items.filter(({ type }: Item) => type === 'Expiry'));
      const { balance, pendingPoints } = account;
      expect({ balance, pending: pendingPoints, expired }).toEqual(heldAt(moves, now));
      expect(balance + pendingPoints + expired).toBe(sumOf(items.filter(({ type }: Item) => type !== 'Expiry')));
    });
    await assert(check, { numRuns: 500 });
  }, 120_000);

  it('holds the same however many steps time takes', async () => {
    const play = await openLedger();
    const check = asyncProperty(steps, async (drawn) => {
      const { moves, now } = movesOf(drawn);
      pre(moves.length > 0);
      const atOnce = await play(moves, stopsOf(moves, now));
      const hourByHour = await play(
        moves,
        Array.from({ length: now + 1 }, (_, hour) => hour),
      );
      const looks = ({ account, items }: typeof atOnce) => [
        account.balance,
        account.balanceExpires,
        items.map(({ amount, type, transactionDate }: Item & { transactionDate: string }) => [
          amount,
          type,
          transactionDate,
        ]),
      ];
      expect(looks(hourByHour)).toEqual(looks(atOnce));
    });
    await assert(check, { numRuns: 200 });
  }, 120_000);
});
