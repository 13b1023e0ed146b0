import { resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, startCommand, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';
import { astrid, bo } from '../../support/people.ts';
import { receiptOf } from '../../support/receipt.ts';

afterEach(tidy);

describe('verify', () => {
  it('says what is not known, and ends with 3; without a simulator with 4', async () => {
    const { url } = await startCommand();
    const judged = await runCommand(['verify', '--url', url]);
    expect(judged).toEqual({
      code: 3,
      stdout: '? there is something to judge: no request arrived\nINCONCLUSIVE: 0 of 1 as expected, 0 requests\n',
      stderr: '',
    });
    const json = await runCommand(['verify', '--url', url, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ verdict: 'INCONCLUSIVE', requests: 0, evicted: 0 });
    expect((await runCommand(['verify', '--url', 'http://127.0.0.1:1'])).code).toBe(4);
  });

  it('holds a simulator against the expectations of a file, and names the mistakes of one', async () => {
    const { url } = await startCommand();
    const folder = folderWith({
      'one.yaml': 'state: { count: { contacts: 0 } }\n',
      'list.json': [{ get: '/api/v3/contacts/count', body: 1 }],
      'wrong.yaml': '- request: { endpoint: createReceit }\n- state: { balnce: 1 }\n',
      'none.yaml': 'expectations: []\n',
    });
    const verify = (file: string) => runCommand(['verify', '--url', url, '--expect', file], { folder });
    expect((await verify('one.yaml')).stdout).toBe(
      '✓ numbers of rows: as expected\nPASS: 1 of 1 as expected, 0 requests\n',
    );
    expect(await verify('list.json')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('body is 0, expected 1'),
    });
    const { code, stderr } = await verify('wrong.yaml');
    expect(stderr).toMatch(/wrong\.yaml:1:14: \[0\]\.request\.endpoint: .*did you mean "createReceipt"/);
    expect(stderr).toMatch(/wrong\.yaml:2:12: \[1\]\.state\.balnce: is not a field here; did you mean "balance"/);
    expect(code).toBe(2);
    expect((await verify('none.yaml')).stderr).toContain('has no expectations');
  });

  it('finds in the state what a till booked on the wrong customer, by the same work without faults', async () => {
    const { url } = await startCommand(['--fixtures', resolve('fixtures/default.json')]);
    const folder = folderWith({ 'till.mjs': till });
    const env = { BASE: url, RECEIPT: JSON.stringify(receiptOf(astrid, 'sale')) };
    const fault = { match: { endpoint: 'createReceipt' }, fault: ['503'] };
    const play = async (name: string, rules: readonly unknown[]) => {
      const body = JSON.stringify({ name, scenario: { rules, policy: { giveUp: 'note' } } });
      await fetch(`${url}/__admin/tenants`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      await runCommand([name, astrid, bo], { folder, env, program: [process.execPath, 'till.mjs'] });
    };
    await play('clean', []);
    await play('faulty', [fault]);
    const verify = (...more: string[]) => runCommand(['verify', '--url', url, '--tenant', 'faulty', ...more]);
    expect((await verify()).code).toBe(0);
    const { code, stdout } = await verify('--reference', 'clean');
    expect(stdout).toContain('a receipt of 249 SEK with 1 line is on contact 100002, not on contact 100001');
    expect(code).toBe(1);
  });

  it('finds in the state a newer value that a late delivery has overwritten', async () => {
    const { url } = await startCommand(['--fixtures', resolve('fixtures/default.json')]);
    const fault = { match: { endpoint: 'updateContact' }, fault: ['504'] };
    await fetch(`${url}/__admin/scenario`, {
      method: 'PUT',
      body: JSON.stringify({ rules: [fault] }),
      headers: { 'content-type': 'application/json' },
    });
    const client = `
    for (const street of ['Old street 1', 'New street 2', 'Old street 1'])
      await fetch('${url}/api/v3/contacts/${astrid}', { method: 'PATCH', headers: { 'content-type': 'application/json', 'x-sim-client': 'till-1' }, body: JSON.stringify({ street }) });`;
    await runCommand([], { folder: folderWith({ 'client.mjs': client }), program: [process.execPath, 'client.mjs'] });
    const { code, stdout } = await runCommand(['verify', '--url', url, '--client-ended']);
    expect(stdout).toContain('✗ R16: the street "New street 2" of contact 100001 is missing');
    expect(code).toBe(1);
  });
});

/** A till that sells to a customer, and after a lost response to the next one: no single request of it is wrong. */
const till = `
const [tenant, id, other] = process.argv.slice(2);
const base = process.env.BASE + '/t/' + tenant;
const sell = (matchKey, key) => fetch(base + '/api/v3/receipts', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'user-agent': 'till/1.0' },
  body: JSON.stringify({ ...JSON.parse(process.env.RECEIPT), contact: { matchKey, matchKeyType: 'contactId' }, uniqueReceiptId: key, receiptNumber: key }),
}).then(({ status }) => status);
if (await sell(id, 'sale-1') !== 202) await sell(other, 'sale-1b');`;
