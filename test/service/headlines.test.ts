import { describe, expect, it } from 'vitest';
import { tableValue } from '../../src/core/state/state.ts';
import type { Table } from '../../src/core/state/state.ts';
import { challenges } from '../../src/service/challenges/schema.ts';
import { endpoints } from '../../src/service/endpoints.ts';
import { headline } from '../../src/service/resource/headline.ts';
import type { Resource } from '../../src/service/resource/resource.ts';
import { resources } from '../../src/service/resources.ts';
import { tableOwners, tables } from '../../src/service/tables.ts';
import { calledPath } from '../support/examples.ts';
import { openSim } from '../support/open-sim.ts';
import { astrid } from '../support/people.ts';

it.each(tableOwners)('$name has one headline for each of its tables', ({ tables: own = [], headlines = [] }) => {
  expect(headlines.map(({ table }) => table)).toEqual(own.map(({ name }) => name));
});

describe('a headline', () => {
  it('takes only fields that rows have', () => {
    // @ts-expect-error Rows of challenges have no status: it follows from progress and clock.
    expect(headline(challenges, ['status']).fields).toEqual(['status']);
  });

  it('names fields that rows of the table have', async () => {
    const rows = await rowsByTable();
    const isEmpty = (table: string): boolean => rows.get(table)?.length === 0;
    expect(tables.map(({ name }) => name).filter((name) => isEmpty(name) && isFilledByCalls(name))).toEqual([]);
    const missing = tableOwners
      .flatMap(({ headlines = [] }) => headlines)
      .filter(({ table }) => !isEmpty(table))
      .flatMap(({ table, fields }) =>
        fields.filter((field) => !rows.get(table)?.some((row) => has(row, field))).map((field) => `${table}.${field}`),
      );
    expect(missing).toEqual([]);
  });
});

/** True for a table of a noun with endpoints. Of one that stays empty, the type of `headline` alone checks the fields. */
const isFilledByCalls = (table: string): boolean =>
  resources.some(
    ({ endpoints: own = [], tables: filled = [] }: Resource) =>
      own.length > 0 && filled.some(({ name }) => name === table),
  );

/** The default fixture gives it to Astrid: its points are what no example earns. */
const usedPromotions = [{ promotionId: '9b1d0c00-0001-4000-8000-000000000002' }];
const receiptExample = endpoints.find(({ id }) => id === 'createReceipt')?.examples[0]?.body ?? {};

/** Returns the rows of every table, before and after all examples have been sent and their jobs executed. */
async function rowsByTable(): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const rows = new Map<string, unknown[]>(tables.map(({ name }) => [name, []]));
  for (const mode of ['standard', 'point-follower'] as const) {
    const { call, post, sim } = await openSim({ mode, queueDelay: '1m' });
    const collect = (table: Table<never>): void => {
      rows.get(table.name)?.push(...tableValue(sim.tenants.default.state, table).rows.values());
    };
    const bulk = { contactId: astrid, definitionId: 1, amount: 5, timeStamp: '2026-03-01T12:00:00Z' };
    await call('POST', '/api/v3/point-accounts/transactions', { body: [bulk], headers: { 'Idempotency-Key': 'one' } });
    await post('/api/v3/point-accounts/balances', [bulk]);
    await post('/api/v3/receipts', { ...receiptExample, uniqueReceiptId: 'bonus', usedPromotions });
    for (const { method, path, examples } of endpoints) {
      for (const example of examples) await call(method, calledPath(path, example), { body: example.body });
    }
    tables.forEach(collect);
    await post('/__admin/queue', { drain: true });
    tables.forEach(collect);
    await sim.close();
  }
  return rows;
}

const has = (row: unknown, path: string): boolean =>
  path.split('.').reduce((inside: unknown, name) => Object(inside)[name], row) !== undefined;
