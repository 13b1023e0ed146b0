import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { folderWith, tidyFolders } from '../../support/folders.ts';
import { receiptOf } from '../../support/receipt.ts';
import { accountsOf, addRows, held, kinds, movesOf, setClock } from '../../support/points.ts';
import { astrid } from '../../support/people.ts';
import { openPointsSim } from '../../support/open-sim.ts';

afterEach(tidyFolders);

const expiry = (amount: number) => [-amount, 'Expiry', '@@(RemovedDueToTimeLimit)'];
const added = (amount: number) => [amount, amount < 0 ? 'Deduction' : 'Addition', 'for a test'];

describe('pending points', () => {
  it('are active from the very millisecond of their validFrom', async () => {
    const client = await openPointsSim();
    await addRows(client, { validFrom: '2026-03-01T13:00:00.001+01:00' });
    expect(await held(client)).toEqual([0, 10]);
    await setClock(client, '2026-03-01T12:00:00.001Z');
    expect(await held(client)).toEqual([10, 0]);
  });

  it('are active when their validFrom is now', async () => {
    const client = await openPointsSim();
    await addRows(client, { validFrom: '2026-03-01T14:00:00+02:00' });
    expect(await held(client)).toEqual([10, 0]);
  });

  it('pay what an overdrawn account owes as soon as they are active', async () => {
    const client = await openPointsSim();
    await addRows(client, { validFrom: '2026-03-02T00:00:00Z', validTo: '2026-04-01T00:00:00Z' }, { amount: -4 });
    expect(await held(client)).toEqual([-4, 10]);
    await setClock(client, '2026-04-01T00:00:00Z');
    expect(await movesOf(client)).toEqual([added(10), added(-4), expiry(6)]);
    expect(await held(client)).toEqual([0, 0]);
  });
});

describe('expiry', () => {
  it('takes points at the very millisecond of their validTo', async () => {
    const client = await openPointsSim();
    await addRows(client, { validTo: '2026-03-01T12:00:00.002Z' });
    await setClock(client, '2026-03-01T12:00:00.001Z');
    expect(await held(client)).toEqual([10, 0]);
    const { body } = await setClock(client, '2026-03-01T12:00:00.002Z');
    expect(body.executed.map(({ kind, at }: Record<string, string>) => [kind, at])).toEqual([
      ['points.settle', '2026-03-01T12:00:00.002Z'],
    ]);
    expect([await held(client), await movesOf(client)]).toEqual([
      [0, 0],
      [added(10), expiry(10)],
    ]);
  });

  it('takes the oldest points first, and deductions take those that expire first', async () => {
    const client = await openPointsSim();
    await addRows(
      client,
      { amount: 10, validTo: '2026-05-01T00:00:00Z' },
      { amount: 20, validTo: '2026-04-01T00:00:00Z' },
    );
    await addRows(client, { amount: -15 });
    await setClock(client, '2026-04-15T00:00:00Z');
    expect(await held(client)).toEqual([10, 0]);
    await setClock(client, '2026-06-01T00:00:00Z');
    expect(await movesOf(client)).toEqual([added(10), added(20), added(-15), expiry(5), expiry(10)]);
  });

  it('never takes more than the balance', async () => {
    const client = await openPointsSim();
    await addRows(
      client,
      { amount: 10, validTo: '2026-04-01T00:00:00Z' },
      { amount: -25 },
      { amount: 5, validTo: '2026-04-01T00:00:00Z' },
    );
    await setClock(client, '2026-06-01T00:00:00Z');
    expect(await movesOf(client)).toEqual([added(10), added(-25), added(5)]);
    expect(await held(client)).toEqual([-10, 0]);
  });

  it('takes points that were over when they came, and leaves a debt as it is', async () => {
    const client = await openPointsSim();
    await addRows(client, { amount: -200 });
    await addRows(client, { amount: 9, validTo: '2026-02-01T00:00:00Z' });
    expect([await held(client), await movesOf(client)]).toEqual([
      [-200, 0],
      [added(-200), added(9), expiry(9)],
    ]);
  });

  it('comes so many months after the points became active, by age', async () => {
    const client = await openPointsSim();
    const pending = { definitionId: kinds.byAge, validFrom: '2026-03-31T22:00:00Z' };
    await addRows(client, pending);
    expect((await accountsOf(client))[0].balanceExpires).toBe('2026-03-31T22:00:00.000Z');
    await setClock(client, '2026-04-01T00:00:00Z');
    expect((await accountsOf(client))[0].balanceExpires).toBe('2027-03-31T22:00:00.000Z');
    await setClock(client, '2027-03-31T22:00:00Z');
    expect(await held(client)).toEqual([0, 0]);
  });

  it('counts whole months, whatever their length and whether clocks were changed', async () => {
    const client = await openPointsSim({ now: '2026-08-31T12:00:00+02:00' });
    await addRows(client, { definitionId: kinds.byInactivity });
    expect((await accountsOf(client))[0].pointsWillExpireDueToInactivity).toBe('2027-02-28T10:00:00.000Z');
  });

  it.each([
    ['UTC', '2026-08-28T23:30:00.000Z'],
    [undefined, '2026-08-31T22:30:00.000Z'],
    ['America/New_York', '2026-08-28T22:30:00.000Z'],
  ])('counts months in the time zone %s of the retailer, or in Stockholm', async (timeZone, end) => {
    const fixture = JSON.parse(readFileSync('test/support/points.json', 'utf8'));
    const fixtures = folderWith({ 'points.json': { ...fixture, retailer: { ...fixture.retailer, timeZone } } });
    const client = await openPointsSim({ now: '2026-02-28T23:30:00Z', fixtures });
    await addRows(client, { definitionId: kinds.byInactivity });
    expect((await accountsOf(client))[0].pointsWillExpireDueToInactivity).toBe(end);
  });

  it('takes all active points of a contact who bought nothing for so many months', async () => {
    const client = await openPointsSim();
    await addRows(client, { definitionId: kinds.byInactivity }, { definitionId: kinds.byInactivity, amount: 5 });
    await addRows(client, { definitionId: kinds.byInactivity, amount: 7, validFrom: '2026-09-02T00:00:00Z' });
    await setClock(client, '2026-09-01T11:59:59.999Z');
    expect(await held(client)).toEqual([15, 7]);
    await setClock(client, '2026-09-01T12:00:00Z');
    expect(await held(client)).toEqual([0, 7]);
    expect((await movesOf(client)).at(-1)).toEqual(expiry(15));
  });

  it('is put off by a purchase', async () => {
    const client = await openPointsSim();
    await addRows(client, { definitionId: kinds.byInactivity });
    await setClock(client, '2026-08-01T00:00:00Z');
    await client.post('/api/v3/receipts', receiptOf(astrid, 'r-1', { createdDate: '2026-08-01T00:00:00Z' }));
    await setClock(client, '2026-12-01T00:00:00Z');
    expect(await held(client)).toEqual([10, 0]);
    await setClock(client, '2027-02-01T00:00:00Z');
    expect(await held(client)).toEqual([0, 0]);
  });

  it('is not hastened by a later purchase at the end of a month', async () => {
    const client = await openPointsSim({ now: '2026-08-29T16:00:00Z' });
    await addRows(client, { definitionId: kinds.byInactivity });
    await client.post('/api/v3/receipts', receiptOf(astrid, 'r-1', { createdDate: '2026-08-31T10:00:00Z' }));
    await setClock(client, '2027-02-28T15:59:59Z');
    expect((await accountsOf(client))[0].pointsWillExpireDueToInactivity).toBe('2027-02-28T16:00:00.000Z');
    expect(await held(client)).toEqual([10, 0]);
    await setClock(client, '2027-02-28T16:00:00Z');
    expect(await held(client)).toEqual([0, 0]);
  });

  it('says when points expire by inactivity for that method alone', async () => {
    const client = await openPointsSim();
    await addRows(client, { definitionId: kinds.byAge }, { definitionId: kinds.byInactivity });
    const [byAge, byInactivity] = await accountsOf(client);
    expect('pointsWillExpireDueToInactivity' in byAge).toBe(false);
    expect(byInactivity.pointsWillExpireDueToInactivity).toBe('2026-09-01T12:00:00.000Z');
  });

  it('comes whether or not the queue is held, and is not hastened when it is drained', async () => {
    const client = await openPointsSim();
    await addRows(client, { validTo: '2026-03-02T00:00:00Z' });
    await client.post('/__admin/queue', { drain: true });
    expect(await held(client)).toEqual([10, 0]);
    await client.post('/__admin/queue', { hold: true });
    await setClock(client, '2026-03-03T00:00:00Z');
    expect(await held(client)).toEqual([0, 0]);
  });

  it('goes back with a snapshot and comes again', async () => {
    const client = await openPointsSim();
    await addRows(client, { validTo: '2026-03-02T00:00:00Z' });
    await client.post('/__admin/snapshots/before');
    await setClock(client, '2026-03-03T00:00:00Z');
    await client.post('/__admin/snapshots/before/restore');
    expect(await held(client)).toEqual([10, 0]);
    await setClock(client, '2026-03-03T00:00:00Z');
    expect(await held(client)).toEqual([0, 0]);
  });

  it('outlives a reset of the queue', async () => {
    const client = await openPointsSim();
    await addRows(client, { validTo: '2026-03-02T00:00:00Z' });
    await client.post('/__admin/reset', { scopes: ['queue'] });
    await setClock(client, '2026-03-03T00:00:00Z');
    expect(await held(client)).toEqual([0, 0]);
  });
});
