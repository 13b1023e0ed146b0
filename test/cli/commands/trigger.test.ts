import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, startCommand, tidy } from '../../support/command.ts';
import type { Ended } from '../../support/command.ts';
import { emil } from '../../support/people.ts';

afterEach(tidy);

async function startSim() {
  const { url } = await startCommand(['--fixtures', 'default', '--now', '2026-03-01T12:00:00Z']);
  const run = (...args: readonly string[]): Promise<Ended> =>
    runCommand(['trigger', ...args, '--contact-id', emil, '--url', url]);
  const get = async (path: string) => JSON.parse(await (await fetch(`${url}/api/v3/${path}`)).text());
  return { run, get };
}

describe('trigger', () => {
  it('gives a contact a challenge, and tells what changed', async () => {
    const { run, get } = await startSim();
    const { code, stdout } = await run('assignChallenge', '--definition-id', '1');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^assignChallenge is done\n {2}created challenges /)]);
    expect((await get(`challenges?contactId=${emil}`)).totalCount).toBe(1);
    const again = await run('assignChallenge', '--definition-id', '1');
    expect(again.stdout).toBe('assignChallenge is done\n  nothing changed\n');
  });

  it('gives a contact a promotion', async () => {
    const { run, get } = await startSim();
    const before = (await get(`promotion-assignments?contactId=${emil}`)).length;
    expect((await run('assignPromotion', '--promotion-id', '9b1d0c00-0001-4000-8000-000000000001')).code).toBe(0);
    expect(await get(`promotion-assignments?contactId=${emil}`)).toHaveLength(before + 1);
  });

  it('adjusts points', async () => {
    const { run, get } = await startSim();
    const balance = async (): Promise<number> => {
      const { items } = await get(`point-accounts?contactId=${emil}`);
      return items.find(({ definitionId }: { definitionId: number }) => definitionId === 2)?.balance ?? 0;
    };
    const before = await balance();
    const flags = ['--definition-id', '2', '--amount', '25', '--description', 'Sorry', '--by', 'manual', '--json'];
    expect(JSON.parse((await run('adjustPoints', ...flags)).stdout).event).toBe('adjustPoints');
    expect(await balance()).toBe(before + 25);
  });

  it.each([
    [['assignChallenge', '--definition-id', '99'], 'No challenge definition has the id 99'],
    [['assignChallenge'], 'error: --definition-id: is required'],
    [['switchPendingPoints', '--definition-id', '2'], '--active or --no-active: is required: true or false'],
    [['adjustPoints', '--definition-id', '2', '--amount', 'many'], '--amount: must be a number, not "many"'],
    [['assignChalenge'], 'event'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await (await startSim()).run(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

it('trigger makes the built-in point master send its balances, and prints how many', async () => {
  const { url } = await startCommand(['--fixtures', 'default', '--now', '2026-03-01T12:00:00Z', '--with-point-master']);
  const run = (...args: readonly string[]): Promise<Ended> => runCommand(['trigger', ...args, '--url', url]);
  await run('syncBalances');
  expect((await run('syncBalances')).stdout).toBe('syncBalances is done\n  the point master sent 0 balances\n');
  await run('adjustPoints', '--contact-id', emil, '--definition-id', '2', '--amount', '5');
  expect((await run('syncBalances')).stdout).toBe('syncBalances is done\n  the point master sent 1 balance\n');
});
