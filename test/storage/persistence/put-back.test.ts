import { existsSync, rmSync, statSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import {
  closeSavedSim,
  fixtureBeside,
  leftBehind,
  newFile,
  openSavedSim,
  reopenSim,
  tidySaved,
  unfinishedSnapshot,
} from '../../support/saved.ts';
import type { Client } from '../../support/client.ts';

afterEach(tidySaved);

const logSize = (file: string): number => statSync(`${file}.log`).size;
const countIn = async (client: Client, tenant = 'default'): Promise<number> =>
  (await client.get(`/t/${tenant}/api/v3/contacts/count`)).body;
const delayIn = async (client: Client): Promise<number> => (await client.get('/__admin/tenants/till')).body.queueDelay;
const restore = (client: Client) => client.post('/__admin/snapshots/full/restore');

/** More contacts than are saved at once, with long names: 4 MB in the log. */
const crowd = Array.from({ length: 4000 }, (_, i) => ({ email: `kim${i}@example.com`, street: 'x'.repeat(400) }));

/** Opens a sim with one contact, then a crowd, then a snapshot of both; returns the id of the request that made the crowd. */
async function openCrowd(file: string): Promise<{ readonly client: Client; readonly request: string }> {
  const client = await openSavedSim(file);
  await client.post('/api/v3/contacts', { email: 'sam@example.com' });
  await client.post('/api/v3/contacts/bulk', crowd);
  await client.post('/__admin/snapshots/full');
  return { client, request: 'default-2' };
}

describe('what a tenant is put back to', () => {
  it('is saved as what it started from, however much there was', async () => {
    const file = newFile();
    const { client } = await openCrowd(file);
    const before = logSize(file);
    expect((await client.post('/__admin/reset')).status).toBe(200);
    expect(logSize(file) - before).toBeLessThan(1000);
    await client.post('/api/v3/contacts', { email: 'ali@example.com' });
    expect(await countIn(await openSavedSim(leftBehind(file)))).toBe(1);
  });

  it('is saved by a new snapshot where it is far from all that was saved', async () => {
    const file = newFile();
    const { client } = await openCrowd(file);
    await client.post('/__admin/reset');
    expect((await restore(client)).status).toBe(200);
    expect(logSize(file)).toBeLessThan(10_000);
    await client.post('/api/v3/contacts', { email: 'ali@example.com' });
    const again = await openSavedSim(leftBehind(file));
    expect(await countIn(again)).toBe(4002);
    // It is what later changes are told from, and not the start of the tenant.
    await again.post('/__admin/reset');
    expect(await countIn(again)).toBe(0);
  });

  it('is saved by what differs where that is little', async () => {
    const file = newFile();
    const { client } = await openCrowd(file);
    await client.post('/api/v3/contacts', { email: 'ali@example.com' });
    const [before, { mtimeMs }] = [logSize(file), statSync(file)];
    await restore(client);
    expect([logSize(file) - before < 3000, statSync(file).mtimeMs]).toEqual([true, mtimeMs]);
    expect(await countIn(await openSavedSim(leftBehind(file)))).toBe(4001);
  });

  it('is there once, however many put a tenant back to it at the same time', async () => {
    const file = newFile();
    const { client } = await openCrowd(file);
    await client.post('/__admin/reset');
    const restored = await Promise.all([restore(client), restore(client), restore(client)]);
    expect(restored.map(({ status }) => status)).toEqual([200, 200, 200]);
    const again = await reopenSim(client, file);
    expect(await countIn(again)).toBe(4001);
    await closeSavedSim(again);
    expect(statSync(file).size).toBeLessThan(1.5 * 4001 * 1500);
  });

  it('is told from nothing that is still being written, when two are put back at once', async () => {
    const file = newFile();
    const { client } = await openCrowd(file);
    await client.post('/api/v3/contacts', { email: 'ali@example.com' });
    await client.post('/__admin/snapshots/more');
    await client.post('/__admin/reset');
    const second = client.post('/__admin/snapshots/more/restore');
    expect((await Promise.race([restore(client), second])).status).toBe(200);
    const left = [leftBehind(file)];
    await second;
    left.push(leftBehind(file));
    for (const copy of left) expect([4001, 4002]).toContain(await countIn(await openSavedSim(copy)));
  });

  it('is not written again for each tenant that nothing was saved of, nor by a reset after each restored snapshot', async () => {
    const file = newFile();
    await closeSavedSim(await openSavedSim(file));
    const client = await openSavedSim(file, { fixtures: fixtureBeside(file, crowd) });
    const resetAll = async () => {
      for (const name of ['a', 'b', 'c']) {
        await client.get(`/t/${name}/api/v3/contacts/count`);
        expect((await client.post(`/__admin/reset?tenant=${name}`, { scopes: ['journal'] })).status).toBe(200);
        expect((await client.post(`/__admin/reset?tenant=${name}`)).status).toBe(200);
      }
      return statSync(file).size;
    };
    const once = await resetAll();
    expect(once).toBeGreaterThan(2_000_000);
    await client.post(
      '/t/a/api/v3/contacts/bulk',
      crowd.map(({ street }, i) => ({ email: `sam${i}@example.com`, street })),
    );
    await client.post('/__admin/snapshots/full?tenant=a');
    await client.post('/__admin/reset?tenant=a');
    expect([await resetAll(), statSync(file).mtimeMs]).toEqual([once, statSync(file).mtimeMs]);
    const times: number[] = [];
    for (let i = 0; i < 3; i++) {
      await client.post('/__admin/snapshots/full/restore?tenant=a');
      await client.post('/__admin/reset?tenant=a');
      times.push(statSync(file).mtimeMs);
    }
    expect(new Set(times).size).toBe(1);
    const again = await reopenSim(client, file, { fixtures: 'empty' });
    expect([await countIn(again, 'a'), await countIn(again, 'b'), await countIn(again, 'c')]).toEqual([
      4000, 4000, 4000,
    ]);
  });

  it('is saved for a tenant that is branched off from one that was put back, or in a later run', async () => {
    const file = newFile();
    const { client } = await openCrowd(file);
    await client.post('/__admin/reset');
    await restore(client);
    const { headers } = await client.post('/api/v3/contacts', { email: 'ali@example.com' });
    const before = logSize(file);
    const request = headers.get('x-request-id');
    expect((await client.post('/__admin/tenants', { name: 'other', branch: { request } })).status).toBe(201);
    expect(logSize(file) - before).toBeLessThan(5000);
    const again = await reopenSim(client, file);
    await again.post('/api/v3/contacts', { email: 'eva@example.com' });
    const branched = await again.post('/__admin/tenants', { name: 'late', branch: { request: 'default-1' } });
    expect([branched.status, logSize(file) < 10_000]).toEqual([201, true]);
    const last = await openSavedSim(leftBehind(file));
    expect([await countIn(last), await countIn(last, 'other'), await countIn(last, 'late')]).toEqual([
      4003, 4002, 4003,
    ]);
  });

  it('is saved for a tenant that is branched off', async () => {
    const file = newFile();
    const { client, request } = await openCrowd(file);
    const made = await client.post('/__admin/tenants', { name: 'other', branch: { request } });
    expect([made.status, logSize(file) < 5_000_000]).toEqual([201, true]);
    await client.post('/t/other/api/v3/contacts', { email: 'ali@example.com' });
    const again = await openSavedSim(leftBehind(file));
    expect([await countIn(again), await countIn(again, 'other')]).toEqual([4001, 4002]);
  });

  it('is there whole or not at all when the simulator is killed meanwhile', async () => {
    const file = newFile();
    const { client } = await openCrowd(file);
    await client.post('/__admin/reset');
    const progress = { isOver: false };
    const restoring = restore(client).finally(() => (progress.isOver = true));
    const left: string[] = [];
    let isWritten = false;
    while (!progress.isOver) {
      if (existsSync(unfinishedSnapshot(file)) !== isWritten) {
        isWritten = !isWritten;
        left.push(leftBehind(file));
      }
      await new Promise(setImmediate);
    }
    await restoring;
    expect(left.length).toBeGreaterThan(0);
    for (const copy of left) expect([0, 4001]).toContain(await countIn(await openSavedSim(copy)));
    expect(await countIn(await openSavedSim(leftBehind(file)))).toBe(4001);
  });
});

it('a tenant whose fixtures are gone is named by the start that it ends', async () => {
  const file = newFile();
  const client = await openSavedSim(file);
  const fixtures = fixtureBeside(file, [{ email: 'sam@example.com' }]);
  await client.post('/__admin/tenants', { name: 'till', fixtures });
  await closeSavedSim(client);
  rmSync(fixtures);
  await expect(openSavedSim(file)).rejects.toThrow(
    /^The tenant "till", which is saved in .+state\.json, can't be set up as it was: fixtures: there is no file or folder/,
  );
});

it('a tenant that is created in the place of another starts anew, and is that after a restart', async () => {
  const file = newFile();
  const client = await openSavedSim(file);
  client.sim.createTenant('till', { queueDelay: 3_600_000 });
  await client.post('/t/till/api/v3/contacts', { email: 'sam@example.com' });
  client.sim.createTenant('till', { queueDelay: 7_200_000 });
  expect([await countIn(client, 'till'), await delayIn(client)]).toEqual([0, 7_200_000]);
  const again = await reopenSim(client, file);
  expect([await countIn(again, 'till'), await delayIn(again)]).toEqual([0, 7_200_000]);
});
