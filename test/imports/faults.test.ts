import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileName, importPath, openFileShop, transactionsXml } from '../support/receipt-files.ts';
import type { Shop } from '../support/receipt-files.ts';

const openFaulty = (...imports: object[]): Promise<Shop> =>
  openFileShop({
    scenario: { imports } as Parameters<typeof openFileShop>[0] extends infer O
      ? O extends { scenario?: infer S }
        ? S
        : never
      : never,
  });

describe('a fault of the import', () => {
  it('lets a batch run late', async () => {
    const shop = await openFaulty({ fault: { late: '40m' }, times: 1 });
    shop.drop(fileName(), transactionsXml());
    expect((await shop.batch()).count).toBe(0);
    expect((await shop.batch()).count).toBe(0);
    const { executed } = (await shop.post('/__admin/clock', { advance: '1h' })).body;
    expect(executed).toMatchObject([{ kind: 'imports.batch', at: '2026-03-01T12:55:00.000Z' }]);
    shop.drop(fileName(2), transactionsXml({ id: 'f-2' }));
    expect((await shop.batch()).items[1].at).toBe('2026-03-01T13:45:00.000Z');
  });

  it('lets a batch fail, and the next take the files', async () => {
    const shop = await openFaulty({ id: 'night', fault: 'fail', times: 1 });
    shop.drop(fileName(), transactionsXml());
    const { items } = await shop.batch();
    expect(items).toEqual([
      { batch: 1, at: '2026-03-01T12:15:00.000Z', error: 'made to fail by the rule night', files: [] },
    ]);
    expect(shop.files()).toContain(fileName());
    expect((await shop.batch()).items[1].files[0]).toMatchObject({ status: 'imported' });
    expect((await shop.get('/__admin/scenario')).body.imports).toMatchObject([{ id: 'night', fired: 1 }]);
  });

  it('refuses a file by its name', async () => {
    const shop = await openFaulty({ id: 'bad-day', match: { file: '*_2_*.xml' }, fault: 'refuse' });
    for (const sequence of [1, 2]) shop.drop(fileName(sequence), transactionsXml({ id: `f-${sequence}` }));
    const [{ files }] = (await shop.batch()).items;
    expect(files).toMatchObject([
      { status: 'imported' },
      { reason: { code: 'fault', message: 'is refused by the rule bad-day' } },
    ]);
  });

  it('is added, listed and deleted while the simulator runs', async () => {
    const shop = await openFaulty({ id: 'planned', fault: 'refuse', match: { file: 'none' } });
    const rules = '/__admin/imports/faults';
    const added = await shop.post(rules, { id: 'closed', fault: 'fail', times: 1 });
    expect([added.status, added.body]).toMatchObject([201, { id: 'closed', origin: 'added', fired: 0, remaining: 1 }]);
    shop.drop(fileName(), transactionsXml());
    expect((await shop.batch()).items[0].error).toBe('made to fail by the rule closed');
    expect((await shop.get(rules)).body.rules).toMatchObject([{ id: 'closed', fired: 1 }, { id: 'planned' }]);
    expect((await shop.post(rules, { id: 'closed', fault: 'fail' })).status).toBe(409);
    const taken = await shop.call('PUT', '/__admin/scenario', { body: { imports: [{ id: 'closed', fault: 'fail' }] } });
    expect([taken.status, taken.body.validationErrors[0].errorDescription]).toEqual([
      400,
      expect.stringContaining('DELETE /__admin/imports/faults/closed first'),
    ]);
    expect((await shop.call('DELETE', `${rules}/closed`)).status).toBe(200);
    expect((await shop.call('DELETE', `${rules}/planned`)).status).toBe(409);
    expect((await shop.get(rules)).body.rules).toMatchObject([{ id: 'planned' }]);
  });

  it('is refused while the simulator runs when it can not be, or contradicts itself', async () => {
    const shop = await openFileShop();
    const fieldsOf = async (rule: object) => {
      const { status, body } = await shop.post('/__admin/imports/faults', rule);
      return [status, ...body.validationErrors.map(({ field }: { field: string }) => field)];
    };
    expect(await fieldsOf({ fault: 'explode' })).toEqual([400, 'fault']);
    expect(await fieldsOf({ fault: 'fail', nth: 2, skip: 1 })).toEqual([400, 'skip']);
    const twice = { imports: [1, 2].map(() => ({ id: 'same', fault: 'fail' })) };
    const { body } = await shop.call('PUT', '/__admin/scenario', { body: twice });
    expect(body.validationErrors).toMatchObject([{ field: 'imports[1].id' }]);
  });

  it('is refused with its place when it can not be', async () => {
    const sent = { imports: [{ fault: 'explode' }, { fault: { late: '1h', break: 1 } }] };
    const { status, body } = await (await openFileShop()).call('PUT', '/__admin/scenario', { body: sent });
    expect([status, body.validationErrors.map(({ field }: { field: string }) => field)]).toEqual([
      400,
      ['imports[0].fault', 'imports[1].fault'],
    ]);
  });

  it('shows that a sender deleted its file before the batch took it', async () => {
    const shop = await openFaulty({ fault: 'fail', times: 1 });
    shop.drop(fileName(), transactionsXml({ id: 'f-1' }, { id: 'f-2' }));
    await shop.batch();
    rmSync(join(shop.root, importPath, fileName()));
    const { items } = await shop.batch();
    expect(items[1].files).toMatchObject([{ name: fileName(), status: 'withdrawn', missing: ['f-1', 'f-2'] }]);
    const verdict = (await shop.get('/__admin/verdict')).body;
    expect([verdict.verdict, verdict.reason]).toEqual([
      'FAIL',
      expect.stringContaining('keep a file until the batch has taken it'),
    ]);
    writeFileSync(join(shop.root, importPath, fileName(2)), transactionsXml({ id: 'f-1' }, { id: 'f-2' }));
    await shop.batch();
    expect((await shop.get('/__admin/verdict')).body.verdict).toBe('PASS');
  });
});
