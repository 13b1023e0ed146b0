import { afterEach, expect, it } from 'vitest';
import { runCommand, startCommand, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';

afterEach(tidy);

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
