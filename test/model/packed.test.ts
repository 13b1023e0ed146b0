import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packTablesFrom } from '../../src/core/state/state.ts';
import type { State } from '../../src/core/state/state.ts';
import type { Client } from '../support/client.ts';
import { openSim } from '../support/open-sim.ts';
import { receiptOf } from '../support/receipt.ts';

/** Has contacts with receipts, points, vouchers, challenges and promotions; named by its path, it is read as any other file. */
const fixtures = './fixtures/default.json';

let plain: Client;
let packed: Client;

beforeAll(async () => {
  plain = await openSim({ fixtures });
  const takeBack = packTablesFrom(1);
  packed = await openSim({ fixtures });
  takeBack();
});

afterAll(async () => {
  await Promise.all([plain, packed].map(({ sim }) => sim.close()));
});

const who = fc.nat({ max: 9 });
const small = fc.integer({ min: 1, max: 400 });
const name = fc.constantFrom('one', 'two');

const step = fc.oneof(
  fc.record({ do: fc.constant('buy' as const), who, small }),
  fc.record({ do: fc.constant('buy' as const), who, small }),
  fc.record({ do: fc.constant('return' as const), who, small }),
  fc.record({ do: fc.constant('points' as const), who, small }),
  fc.record({ do: fc.constant('spend' as const), who, small }),
  fc.record({ do: fc.constant('create' as const), small }),
  fc.record({ do: fc.constant('update' as const), who, small }),
  fc.record({ do: fc.constant('type' as const), who, type: fc.constantFrom('Member', 'Contact') }),
  fc.record({ do: fc.constant('redeem' as const), who }),
  fc.record({ do: fc.constant('look' as const), who }),
  fc.record({ do: fc.constant('advance' as const), by: fc.constantFrom('P1D', 'P40D', 'P13M') }),
  fc.record({ do: fc.constant('reset' as const), scopes: fc.constantFrom(['state'], ['queue'], ['state', 'clock']) }),
  fc.record({ do: fc.constant('snapshot' as const), name }),
  fc.record({ do: fc.constant('restore' as const), name }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The calls that a step makes; each is made of the same things in both simulators. */
async function take({ call }: Client, taken: Step, contacts: readonly string[]): Promise<unknown[]> {
  const told: unknown[] = [];
  const make = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answered = await call(method, path, { ...(body !== undefined && { body }) });
    told.push([answered.status, answered.body, answered.warnings]);
    return answered.body;
  };
  const api = '/t/x/api/v3';
  const contactId = 'who' in taken ? (contacts[taken.who] ?? '') : '';
  if (taken.do === 'buy' || taken.do === 'return') {
    const sign = taken.do === 'buy' ? 1 : -1;
    const item = { type: sign > 0 ? 'PURCHASE' : 'RETURN', quantity: sign, grossPaidPrice: 10 * taken.small };
    const items = [
      { ...item, taxAmount: 2 * taken.small, taxPercent: 25, sku: '1', articleNumber: '1', articleName: 'A' },
    ];
    const total = sign * 10 * taken.small;
    const paid = { totalGrossPrice: total, paymentMethods: [{ type: 'CASH', description: 'Cash', value: total }] };
    await make('POST', `${api}/receipts`, receiptOf(contactId, `${contactId}/${taken.small}`, { items, ...paid }));
  } else if (taken.do === 'points') {
    const item = { contactId, definitionId: 1, amount: taken.small, source: 'Manual', description: 'x' };
    await make('POST', `${api}/point-accounts/transactions`, [item]);
    const trigger = { event: 'adjustPoints', contactId, definitionId: 1, amount: taken.small, by: 'manual' };
    await make('POST', '/__admin/trigger?tenant=x', trigger);
  } else if (taken.do === 'spend') {
    const trigger = { event: 'adjustPoints', contactId, definitionId: 1, amount: -taken.small, by: 'automation' };
    await make('POST', '/__admin/trigger?tenant=x', trigger);
    await make('POST', '/__admin/trigger?tenant=x', { event: 'convertPoints', contactId, definitionId: 1 });
  } else if (taken.do === 'create') {
    await make('POST', `${api}/contacts`, { email: `new.${taken.small % 7}@example.com` });
  } else if (taken.do === 'update') {
    await make('PATCH', `${api}/contacts/${contactId}`, {
      firstName: `Name ${taken.small}`,
      email: `new.${taken.small % 7}@example.com`,
    });
  } else if (taken.do === 'type') {
    await make('POST', `${api}/contacts/${contactId}/updateContactType?contactTypeId=${taken.type}`);
  } else if (taken.do === 'redeem') {
    const assignments = await make('GET', `${api}/promotion-assignments?contactId=${contactId}`);
    const [first] = Array.isArray(assignments) ? assignments : [];
    await make('POST', `${api}/promotions/codes/${first?.promotionId ?? 'none'}/redeem?contactId=${contactId}`);
  } else if (taken.do === 'look') {
    await make('GET', `${api}/contacts/${contactId}`);
    await make('GET', `${api}/transactions?contactId=${contactId}`);
    await make('GET', `${api}/contacts/${contactId}/purchasehistorysummary`);
    await make('GET', `${api}/point-accounts?contactId=${contactId}`);
    await make('GET', `/__admin/contacts/${contactId}/card?tenant=x`);
    await make('GET', `${api}/contacts/count`);
  } else if (taken.do === 'advance') await make('POST', '/__admin/clock?tenant=x', { advance: taken.by });
  else if (taken.do === 'reset') await make('POST', '/__admin/reset?tenant=x', { scopes: taken.scopes });
  else if (taken.do === 'snapshot') await make('POST', `/__admin/snapshots/${taken.name}?tenant=x`);
  else await make('POST', `/__admin/snapshots/${taken.name}/restore?tenant=x`);
  return told;
}

/** All that a state holds, in its order. */
const rowsOf = ({ tables, sequences }: State): unknown => ({
  sequences,
  tables: Object.entries(tables).map(([table, { rows }]) => [table, [...rows.values()]]),
});

const effectsOf = async ({ get }: Client): Promise<unknown> => {
  const { body } = await get('/__admin/requests?tenant=x&limit=500');
  return Promise.all(
    body.items.map(async ({ id }: { id: string }) => (await get(`/__admin/requests/${id}?tenant=x`)).body.effects),
  );
};

describe('the simulator', () => {
  it('answers every call on packed tables as on tables of objects, and does the same', async () => {
    const contacts = [...(plain.sim.tenants.default.state.tables['contacts']?.rows.values() ?? [])]
      .slice(0, 10)
      .map((row) => (row as { readonly id: string }).id);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25, size: 'max' }), async (steps) => {
        for (const { sim, post } of [plain, packed]) {
          sim.tenants.remove('x');
          await post('/__admin/snapshots/start?tenant=x');
        }
        for (const taken of steps) {
          const [told, toldPacked] = [await take(plain, taken, contacts), await take(packed, taken, contacts)];
          expect(toldPacked).toEqual(told);
        }
        const diff = '/__admin/snapshots/diff?tenant=x&from=start';
        expect((await packed.get(diff)).body).toEqual((await plain.get(diff)).body);
        expect(await effectsOf(packed)).toEqual(await effectsOf(plain));
        const states = [plain, packed].map(({ sim }) => rowsOf(sim.tenants.getOrCreate('x').state));
        expect(JSON.stringify(states[1])).toBe(JSON.stringify(states[0]));
      }),
      { numRuns: 40, seed: 24 },
    );
  });
});
