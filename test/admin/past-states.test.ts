import { describe, expect, it } from 'vitest';
import { diffStates } from '../../src/core/state/state.ts';
import type { State } from '../../src/core/state/state.ts';
import { momentOf } from '../../src/core/tenant/past-tenant.ts';
import type { Tenant } from '../../src/core/tenant/tenant.ts';
import { finish } from '../../src/core/time/steps.ts';
import type { Client } from '../support/client.ts';
import { openEmptySim, openSim } from '../support/open-sim.ts';
import { astrid, astridPath, ella } from '../support/people.ts';
import { customers, randomDay } from '../support/random-day.ts';
import { receiptOf } from '../support/receipt.ts';

const cardsOf = async ({ get }: Client, query = '') =>
  Promise.all(
    customers.map(async (id) => {
      const { status, body } = await get(`/__admin/contacts/${id}/card${query}`);
      return status === 200 ? body : { errorCode: body.errorCode };
    }),
  );

/** All that two states differ in: rows, sequences and indexes. */
function differences(left: State, right: State): unknown[] {
  const found: unknown[] = [...diffStates(left, right)];
  if (JSON.stringify(sorted(left.sequences)) !== JSON.stringify(sorted(right.sequences))) found.push(left.sequences);
  for (const name of Object.keys({ ...left.tables, ...right.tables })) {
    const [a, b] = [left.tables[name], right.tables[name]];
    if (JSON.stringify(indexesOf(a)) !== JSON.stringify(indexesOf(b))) found.push({ table: name });
  }
  return found;
}

const sorted = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));

const indexesOf = (table: State['tables'][string] | undefined) =>
  table && table.rows.size > 0
    ? {
        unique: Object.entries(table.unique).map(([name, index]) => [name, [...index.entries()].toSorted()]),
        lists: Object.entries(table.lists).map(([name, index]) => [
          name,
          [...index.entries()].map(([of, list]) => [of, [...list]]).toSorted(),
        ]),
      }
    : null;

interface Seen {
  readonly id: string;
  readonly cards: unknown;
  readonly now: number;
  readonly isHeld: boolean;
  /** Taken now and then: whoever looks at a state changes how the next one is written. */
  readonly state: State | undefined;
}

const clockOf = ({ clock }: Tenant): number => clock.now();

describe('an earlier state', () => {
  it.each([1, 2, 3])('tells what was there after each request of a random day (seed %i)', async (seed) => {
    const client = await openSim({ queueDelay: '5m', journalBytes: 4_000_000 });
    const tenant = client.sim.tenants.default;
    const seen: Seen[] = [];
    for (const [place, step] of randomDay(seed, 250).entries()) {
      const before = tenant.journal.size;
      await step(client).catch(() => {});
      if (tenant.journal.size === before) continue;
      const id = [...tenant.journal.exchanges()].at(-1)?.id ?? '';
      const state = place % 5 === 0 ? tenant.state : undefined;
      seen.push({ id, cards: await cardsOf(client), now: clockOf(tenant), isHeld: tenant.scheduler.isHeld, state });
    }
    expect(seen.length).toBeGreaterThan(120);
    for (const { id, cards, now, isHeld, state } of seen.toReversed()) {
      expect(await cardsOf(client, `?at=${id}`), id).toEqual(cards);
      const exchange = tenant.journal.get(id);
      const steps = exchange && momentOf(tenant, exchange, 'after');
      const moment = steps && finish(steps);
      expect([moment?.at, moment?.isHeld], id).toEqual([now, isHeld]);
      if (state) expect(moment && differences(moment.state, state), id).toEqual([]);
    }
  });

  it('branches a tenant from a request: state, clock and queue as they were, and another future', async () => {
    const client = await openEmptySim({ queueDelay: '1h', assumptions: { 'A-24': 'twice' } });
    const { get, patch, post } = client;
    const { id } = (await post('/api/v3/contacts', ella)).body;
    await post('/api/v3/contacts/bulk', [{ email: 'new@example.com' }]);
    await patch(`/api/v3/contacts/${id}`, { firstName: 'Elin' });
    await post('/__admin/clock', { advance: '2h' });
    await patch(`/api/v3/contacts/${id}`, { firstName: 'Elsa' });
    const branched = await post('/__admin/tenants', { name: 'b', branch: { request: 'default-3' } });
    expect([branched.status, branched.body.now, branched.body.frozen]).toEqual([201, '2026-03-01T12:00:00.000Z', true]);
    expect(branched.body.assumptions).toEqual({ 'A-24': 'twice' });
    expect((await get(`/t/b/api/v3/contacts/${id}`)).body.firstName).toBe('Elin');
    expect((await get('/__admin/queue?tenant=b')).body.queued).toBe(1);
    const before = { name: 'c', branch: { request: 'default-3', side: 'before' } };
    await post('/__admin/tenants', before);
    expect((await get(`/t/c/api/v3/contacts/${id}`)).body.firstName).toBe('Ella');
    await patch(`/t/b/api/v3/contacts/${id}`, { firstName: 'Ellen' });
    expect((await get(`/api/v3/contacts/${id}`)).body.firstName).toBe('Elsa');
    await post('/__admin/clock?tenant=b', { advance: '1h' });
    expect((await get('/t/b/api/v3/contacts/count')).body).toEqual((await get('/api/v3/contacts/count')).body);
  });

  it('compares the state after a request with another', async () => {
    const { get, patch } = await openSim();
    await patch(astridPath, { street: 'One' });
    await patch(astridPath, { street: 'Two' });
    const { body } = await get('/__admin/snapshots/diff?from=request:default-1');
    expect(body.effects[0].fields['attributes.street']).toEqual({ from: 'One', to: 'Two' });
    expect(body.counts).toEqual({ contacts: { created: 0, updated: 1, deleted: 0 } });
  });

  it('keeps the states of the requests that the journal holds, and says which it has not', async () => {
    const { get, post, sim } = await openSim({ journalBytes: 40_000 });
    const receipt = (n: number) => post('/api/v3/receipts', receiptOf(astrid, `r-${n}`));
    for (let n = 1; n <= 30; n++) await receipt(n);
    const { journal, history } = sim.tenants.default;
    expect(journal.evicted).toBeGreaterThan(10);
    expect(history.version - history.oldest).toBeLessThanOrEqual(journal.size);
    const gone = await get(`/__admin/contacts/${astrid}/card?at=default-1`);
    expect([gone.status, gone.body.message]).toEqual([
      404,
      expect.stringMatching(/none with the id "default-1", and \d+ older/),
    ]);
    const oldest = journal.evicted + 1;
    const card = await get(`/__admin/contacts/${astrid}/card?at=default-${oldest}`);
    const latest = (await get(`/__admin/contacts/${astrid}/card`)).body.receipts.totalCount;
    expect(card.body.receipts.totalCount).toBe(latest - (30 - oldest));
  });

  it('tells no state from which more has changed than is kept, and says so', async () => {
    const { get, patch, post } = await openSim({ journalBytes: 40_000 });
    await patch(astridPath, { street: 'One' });
    const event = {
      event: 'adjustPoints',
      contactId: astrid,
      definitionId: 2,
      amount: 1,
      description: 'x',
      by: 'manual',
    };
    for (let n = 0; n < 80; n++) await post('/__admin/trigger', event);
    for (const refused of [
      await get(`/__admin/contacts/${astrid}/card?at=default-1`),
      await post('/__admin/tenants', { name: 'b', branch: { request: 'default-1' } }),
    ]) {
      expect([refused.status, refused.body.message]).toEqual([
        409,
        expect.stringMatching(
          /^The state right after the request "default-1" can't be shown any more: more has changed/,
        ),
      ]);
    }
    expect((await get('/__admin/tenants/b')).status).toBe(404);
  });

  it.each([
    [{ request: 'default-9' }, 404, /none with the id "default-9"/],
    [{ request: 'default-1', tenant: 'nobody' }, 404, /no tenant "nobody"/],
    [{ request: 'default-1', side: 'during' }, 400, /before or after/],
  ])('refuses to branch from %j', async (branch, status, words) => {
    const { get, post } = await openSim();
    await get('/api/v3/contacts/count');
    const refused = await post('/__admin/tenants', { name: 'b', branch });
    expect(refused.status).toBe(status);
    expect([refused.body.message, ...(refused.body.validationErrors ?? []).map(Object.values)].join()).toMatch(words);
  });

  it('lets a branch start from nothing else', async () => {
    const { get, post } = await openSim();
    await get('/api/v3/contacts/count');
    const { status, body } = await post('/__admin/tenants', {
      name: 'b',
      now: '2026-05-01T12:00:00Z',
      branch: { request: 'default-1' },
    });
    expect([status, body.validationErrors[0].field]).toEqual([400, 'now']);
  });
});
