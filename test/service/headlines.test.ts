import { describe, expect, it } from 'vitest';
import { tableValue } from '../../src/core/state/state.ts';
import type { Table } from '../../src/core/state/state.ts';
import { challenges } from '../../src/service/challenges/schema.ts';
import { endpoints } from '../../src/service/endpoints.ts';
import { headline } from '../../src/service/resource/headline.ts';
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
    const empty = tables.map(({ name }) => name).filter((name) => rows.get(name)?.length === 0);
    expect(empty.toSorted()).toEqual(emptyTables.toSorted());
    const missing = tableOwners
      .flatMap(({ headlines = [] }) => headlines)
      .filter(({ table }) => !emptyTables.includes(table))
      .flatMap(({ table, fields }) =>
        fields.filter((field) => !rows.get(table)?.some((row) => has(row, field))).map((field) => `${table}.${field}`),
      );
    expect(missing).toEqual([]);
  });
});

/** Tables that the examples of the endpoints leave empty; the type of `headline` alone checks their fields. */
const emptyTables = ['webhookDeliveries', 'pointBonuses', 'importBatches', 'importedFiles'];

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
