import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runCommand, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';
import { openSim } from '../../support/open-sim.ts';
import { astrid, astridPath } from '../../support/people.ts';
import { receiptOf } from '../../support/receipt.ts';

afterAll(tidy);

const rules = [
  { match: { endpoint: 'createReceipt' }, fault: { status: 500, phase: 'after' }, times: 1 },
  { match: { endpoint: 'createReceipt' }, fault: { end: 'reset', phase: 'after' }, times: 1 },
  { match: { endpoint: 'createReceipt' }, fault: ['500', { end: 'close' }] },
  { match: { endpoint: 'getContact' }, fault: 503 },
  { match: { method: 'PATCH', path: '/api/v3/contacts/{id}' }, fault: 504, nth: 2 },
  { match: { endpoint: 'addPointTransactions' }, fault: { status: 500, phase: 'after' }, skip: 0, times: 2 },
  { fault: { status: 429 }, times: 1, skip: 1 },
];

describe('the scenario of a rule', () => {
  it('writes scenarios from rules that run plays, with examples where nothing was sent yet', async () => {
    const { get, post } = await openSim();
    const folder = folderWith();
    const files: string[] = [];
    for (const rule of rules) {
      const { id } = (await post('/__admin/faults', rule)).body;
      const { body } = await get(`/__admin/faults/${id}/scenario`);
      expect(parse(body.text).rules[0]).toMatchObject(rule);
      writeFileSync(join(folder, body.file), body.text);
      files.push(body.file);
    }
    expect(files.slice(0, 1)).toEqual(['createReceipt-fault-1.yaml']);
    const { code, stdout, stderr } = await runCommand(['run', ...files], { folder });
    expect(stderr).toBe('');
    expect(stdout).toContain(`${rules.length} scenarios: ${rules.length} PASS`);
    expect(code).toBe(0);
  });

  it('takes the request that the rule has hit, otherwise the newest that it would hit', async () => {
    const { get, post } = await openSim();
    for (const key of ['r-1', 'r-2']) await post('/api/v3/receipts', receiptOf(astrid, key));
    const own = {
      id: 'own',
      match: { endpoint: 'createReceipt', body: { uniqueReceiptId: 'r-1' } },
      fault: '500',
      times: 1,
    };
    await post('/__admin/faults', own);
    const keyIn = async (): Promise<string> =>
      parse((await get('/__admin/faults/own/scenario')).body.text).steps[0].request.body.uniqueReceiptId;
    expect(await keyIn()).toBe('r-1');
    await post('/__admin/faults', { id: 'next', match: { endpoint: 'createReceipt' }, fault: '500', times: 1 });
    await post('/api/v3/receipts', receiptOf(astrid, 'r-3'));
    await post('/api/v3/receipts', receiptOf(astrid, 'r-4'));
    const { text } = (await get('/__admin/faults/next/scenario')).body;
    expect(text).toContain('with the request default-3');
    expect(text).not.toMatch(/r-4/);
  });

  it('says why there is none, and leaves keys and the name of the tenant out', async () => {
    const { get, post } = await openSim();
    expect((await get('/__admin/faults/none/scenario')).status).toBe(404);
    await post('/__admin/faults', { id: 'odd', match: { endpoint: 'getContact', query: { x: '1' } }, fault: '500' });
    const { status, body } = await get('/__admin/faults/odd/scenario');
    expect([status, body.message]).toEqual([409, expect.stringContaining('send one, then write the file')]);
    const keyed = { id: 'keyed', match: { tenant: 'default', headers: { apikey: 'secret-key' } }, fault: '500' };
    await post('/__admin/faults', keyed);
    await get(astridPath);
    const { text } = (await get('/__admin/faults/keyed/scenario')).body;
    expect(text ?? '').not.toMatch(/secret-key|tenant:/);
  });

  it('leaves the steps to the reader of a rule that fires by chance', async () => {
    const { get, post } = await openSim();
    await post('/__admin/faults', { match: { endpoint: 'getContact' }, fault: '500', probability: 0.5 });
    const { text } = (await get('/__admin/faults/fault-1/scenario')).body;
    expect(parse(text).steps).toEqual([{ note: expect.stringContaining('Add the requests') }]);
  });
});
