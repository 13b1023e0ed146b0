import { afterEach, expect, it } from 'vitest';
import { runCommand, startCommand, tidy } from '../support/command.ts';

afterEach(tidy);

it('says what is not known, and ends with 3; without a simulator with 4', async () => {
  const { url } = await startCommand();
  const judged = await runCommand(['verify', '--url', url]);
  expect(judged).toEqual({
    code: 3,
    stdout: '? there is something to judge: no call arrived\nINCONCLUSIVE: 0 of 1 as expected, 0 calls\n',
    stderr: '',
  });
  const json = await runCommand(['verify', '--url', url, '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ verdict: 'INCONCLUSIVE', calls: 0, evicted: 0 });
  expect((await runCommand(['verify', '--url', 'http://127.0.0.1:1'])).code).toBe(4);
});
