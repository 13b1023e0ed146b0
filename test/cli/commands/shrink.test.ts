import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { withFetch } from '../../support/clients.ts';
import { runCommand, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';
import { astrid } from '../../support/people.ts';

afterEach(tidy);

/** Adds points, and adds them again until there is a response. */
const till = `${withFetch}
  const url = process.env.LOYALTY_SIM_URL;
  await fetch(url + '/api/v3/contacts/${astrid}').then((one) => one.text());
  const points = { contactId: '${astrid}', definitionId: 1, amount: 10, timeStamp: '2026-03-01T11:00:00Z', source: 'Adjustment' };
  for (let attempt = 1; attempt <= 3; attempt++) {
    if (attempt > 1) await new Promise((resolve) => setTimeout(resolve, 80 * attempt));
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify([points]) };
    const response = await fetch(url + '/api/v3/point-accounts/transactions', init).catch(() => undefined);
    if (response && (await response.text()) !== undefined && response.status < 500) break;
  }`;

const scenario = `# kept
name: A bad day
rules:
  - match: { endpoint: getContact }
    delay: 5ms
    fault: { delay: 5ms }
  - id: lost
    match: { endpoint: addPointTransactions }
    fault: [{ phase: after, respond: none, end: reset }, { status: 500, delay: 5ms }]
    times: 2
`.replace('    delay: 5ms\n', '');

describe('shrink', () => {
  it('shrinks a scenario to what the failure takes, and explore plays it again', async () => {
    const folder = folderWith({ 'till.mjs': till, 'day.yaml': scenario });
    const command = ['--', process.execPath, 'till.mjs'];
    const shrunk = await runCommand(['shrink', 'day.yaml', ...command], { folder });
    expect([shrunk.code, shrunk.stderr]).toEqual([0, expect.stringContaining('day.min.yaml: 1 fault of 4')]);
    const text = readFileSync(join(folder, 'day.min.yaml'), 'utf8');
    expect(text).toMatch(/^# kept\nname: A bad day\nrules:\n/);
    expect(text.match(/endpoint/g)).toHaveLength(1);
    const replayed = await runCommand(['explore', '--replay', 'day.min.yaml', ...command], { folder });
    expect([replayed.code, replayed.stderr]).toEqual([1, expect.stringContaining('FAIL: shown in 3 of 3 runs')]);
  });

  it('says that there is nothing to shrink', async () => {
    const rules = [{ match: { endpoint: 'countContacts' }, fault: '504' }];
    const folder = folderWith({ 'till.mjs': till, 'day.json': { rules }, 'none.json': { name: 'none' } });
    const command = ['--', process.execPath, 'till.mjs'];
    expect(await runCommand(['shrink', 'day.json', ...command], { folder })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('PASS: nothing fails with day.json'),
    });
    expect(await runCommand(['shrink', 'none.json', ...command], { folder })).toMatchObject({
      code: 2,
      stderr: 'error: none.json has no rules\n',
    });
  });
});
