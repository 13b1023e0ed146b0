import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { StateFiles } from '../../../src/storage/persistence/state-files.ts';
import {
  bytesOf,
  closeSavedSim,
  fixtureBeside,
  leftBehind,
  newFile,
  openSavedSim,
  tidySaved,
  unfinishedSnapshot,
} from '../../support/saved.ts';
import type { Client } from '../../support/client.ts';
import { folderWith } from '../../support/folders.ts';
import { transactionsXml } from '../../support/receipt-files.ts';
import { replaceFs } from '../../support/replace-fs.ts';

const { fsyncSync, fdatasync, renameSync, writeSync, openSync } = fs;

afterEach(async () => {
  replaceFs({ fsyncSync, fdatasync, renameSync, writeSync, openSync });
  await tidySaved();
});

const jsonHeaders = { 'content-type': 'application/json', 'user-agent': 'test' };
const diskError = (): Error => Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
const many = Array.from({ length: 2100 }, (_, i) => ({ email: `kim${i}@example.com` }));
const countIn = async (client: Client): Promise<number> => (await client.get('/api/v3/contacts/count')).body;

describe('a disk that fails', () => {
  it('loses nothing when it can not keep the name of a new log', async () => {
    const file = newFile();
    const client = await openSavedSim(file);
    for (let i = 0; i < 20; i++) await client.post('/api/v3/contacts', { email: `sam${i}@example.com` });
    const progress = { isRenamed: false };
    replaceFs({
      renameSync: (from: string, to: string) => {
        renameSync(from, to);
        progress.isRenamed ||= to.endsWith('.log');
      },
      fsyncSync: (handle: number) => {
        if (progress.isRenamed) throw diskError();
        fsyncSync(handle);
      },
    });
    await client.post('/__admin/tenants', { name: 'a', fixtures: fixtureBeside(file, many) });
    expect(progress.isRenamed).toBe(true);
    replaceFs({ fsyncSync, renameSync });
    expect((await client.post('/api/v3/contacts', { email: 'ali@example.com' })).status).toBe(201);
    expect(await countIn(await openSavedSim(leftBehind(file)))).toBe(21);
  });

  it('is not believed again with --durable, once it could not keep something', async () => {
    const file = newFile();
    const client = await openSavedSim(file, { durable: true, onWarning: () => {} });
    const create = async (name: string) =>
      (await client.post('/api/v3/contacts', { email: `${name}@example.com` })).status;
    expect(await create('sam')).toBe(201);
    replaceFs({ fdatasync: (_handle: number, done: (error: Error) => void) => setImmediate(done, diskError()) });
    expect(await create('kim')).toBe(500);
    replaceFs({ fdatasync });
    expect(await create('ali')).toBe(500);
    const { headers, body } = await client.post('/api/v3/contacts', { email: 'eva@example.com' });
    expect(body.message).toContain('what was written may be lost with the next failure of power');
    expect(body.requestId).toBe(headers.get('x-request-id'));
    // The journal shows what the client got.
    expect((await client.get(`/__admin/requests/${body.requestId}`)).body).toMatchObject({ status: 500 });
    expect((await client.get('/__admin/health')).status).toBe(200);
    const { url } = await client.sim.listen();
    const init = { method: 'POST', headers: jsonHeaders, body: JSON.stringify({ email: 'bo@example.com' }) };
    const response = await fetch(`${url}/api/v3/contacts`, init);
    const told = (await response.json()) as { readonly message: string };
    expect([response.status, told.message]).toEqual([500, body.message]);
  });

  it('leaves no half of a tenant that is branched off', async () => {
    const file = newFile();
    const client = await openSavedSim(file, { onWarning: () => {} });
    await client.post('/api/v3/contacts/bulk', many);
    const branch = { name: 'other', branch: { request: 'default-1' } };
    let writes = 0;
    replaceFs({
      writeSync: (...written: Parameters<typeof writeSync>) => {
        // The tenant, which there is room for, and what it is put back to.
        if (++writes === 2) throw diskError();
        return writeSync(...written);
      },
      openSync: (path: string, ...how: [string]) => {
        if (path.endsWith('.tmp')) throw diskError();
        return openSync(path, ...how);
      },
    });
    expect((await client.post('/__admin/tenants', branch)).status).toBe(500);
    replaceFs({ writeSync, openSync });
    expect(client.sim.tenants.get('other')).toBeUndefined();
    expect((await client.post('/__admin/tenants', branch)).status).toBe(201);
  });

  it('takes the whole of a tenant that is branched off where one write has room', async () => {
    const file = newFile();
    const client = await openSavedSim(file, { onWarning: () => {} });
    await client.post('/api/v3/contacts', { email: 'sam@example.com' });
    let writes = 0;
    replaceFs({
      writeSync: (...written: Parameters<typeof writeSync>) => {
        if (++writes > 1) throw diskError();
        return writeSync(...written);
      },
    });
    const branch = { name: 'other', branch: { request: 'default-1', side: 'before' } };
    expect((await client.post('/__admin/tenants', branch)).status).toBe(201);
    replaceFs({ writeSync });
    const again = await openSavedSim(leftBehind(file));
    const counts = ['default', 'other'].map(async (name) => {
      const { body } = await again.get(`/t/${name}/api/v3/contacts/count`);
      return body;
    });
    expect(await Promise.all(counts)).toEqual([1, 0]);
  });

  it.each([
    ['created', 'POST', '/__admin/tenants', { name: 'other', importEvery: '1s' }, []],
    ['set up anew', 'PUT', '/__admin/scenario', { name: 'other', importEvery: '1s' }, ['default']],
  ] as const)('leaves nothing at work of a tenant that can not be %s', async (_, method, path, body, names) => {
    const file = newFile();
    const folder = folderWith();
    const options = { importFolder: folder, onWarning: () => {} };
    const client = await openSavedSim(file, options);
    replaceFs({
      writeSync: () => {
        throw diskError();
      },
    });
    expect((await client.call(method, path, { body })).status).toBe(500);
    replaceFs({ writeSync });
    const imports = names.length > 0 ? folder : join(folder, 't/other');
    const dropped = join(imports, 'integration/transactionImport/20260301120000_1_transactions.xml');
    fs.writeFileSync(dropped, transactionsXml({ id: 'f-1' }));
    expect((await client.post('/api/v3/contacts', { email: 'sam@example.com' })).status).toBe(201);
    // Past the time at which what was refused would read the file.
    await sleep(2500);
    expect(fs.existsSync(dropped)).toBe(true);
    const again = await openSavedSim(leftBehind(file));
    expect([...again.sim.tenants].map(({ name }) => name)).toEqual(['default']);
    expect(await countIn(again)).toBe(1);
  });

  it('says that what a call did before the change that it could not keep stays', async () => {
    const client = await openSavedSim(newFile(), { queueDelay: '1h', onWarning: () => {} });
    for (const name of ['sam', 'kim']) await client.post('/api/v3/contacts/bulk', [{ email: `${name}@example.com` }]);
    let writes = 0;
    replaceFs({
      writeSync: (...written: Parameters<typeof writeSync>) => {
        if (++writes > 1) throw diskError();
        return writeSync(...written);
      },
    });
    const { status, body } = await client.post('/__admin/queue', { drain: true });
    expect([status, body.message]).toEqual([500, expect.stringMatching(/it was not made\..* those before it stay\.$/)]);
    expect(await countIn(client)).toBe(1);
  });

  it('keeps what was acknowledged where somebody removes the snapshot of a run', async () => {
    const file = newFile();
    const client = await openSavedSim(file);
    await client.post('/api/v3/contacts', { email: 'sam@example.com' });
    fs.rmSync(file);
    await closeSavedSim(client);
    expect(await countIn(await openSavedSim(file))).toBe(1);
  });
});

describe('the saved state', () => {
  it('does not begin a second snapshot while the first one of a run is written', async () => {
    const first = newFile();
    const client = await openSavedSim(first);
    const crowd = Array.from({ length: 4000 }, (_, i) => ({ email: `kim${i}@example.com`, street: 'x'.repeat(2500) }));
    await client.post('/api/v3/contacts', { email: 'sam@example.com' });
    await closeSavedSim(client);
    const second = await openSavedSim(first);
    const isLong = second.post('/api/v3/contacts/bulk', crowd);
    const progress = { isOver: false };
    void isLong.finally(() => (progress.isOver = true));
    while (!progress.isOver) await new Promise(setImmediate);
    const file = leftBehind(first);
    fs.writeFileSync(file, (bytesOf(file) ?? '').replace('sam@', 'Sam@'), 'latin1');
    const warnings: string[] = [];
    const files = await StateFiles.open({
      file,
      acceptEdits: true,
      onWarning: (warning) => void warnings.push(warning),
    });
    warnings.length = 0;
    const starting = files.start();
    files.append({ tenant: 'default', sequences: { id: 1 } }, () => {});
    await starting;
    await files.close();
    expect(warnings).toEqual([]);
    expect(await countIn(await openSavedSim(file))).toBe(4001);
  });

  it('lets nobody wait for a seed that is being saved when it is closed', async () => {
    const file = newFile();
    const client = await openSavedSim(file);
    const before = bytesOf(file);
    const large = Array.from({ length: 4000 }, (_, i) => ({ email: `kim${i}@example.com`, street: 'x'.repeat(3000) }));
    const creating = client.post('/__admin/tenants', { name: 'a', fixtures: fixtureBeside(file, large) });
    while (!fs.existsSync(unfinishedSnapshot(file))) await new Promise(setImmediate);
    await closeSavedSim(client);
    expect([(await creating).status, bytesOf(file) === before, fs.existsSync(unfinishedSnapshot(file))]).toEqual([
      500,
      true,
      false,
    ]);
  });

  it('removes a log that a killed process had begun to write', async () => {
    const first = newFile();
    const client = await openSavedSim(first);
    await client.post('/api/v3/contacts', { email: 'sam@example.com' });
    const file = leftBehind(first);
    fs.writeFileSync(`${file}.log.tmp`, '{');
    await openSavedSim(file);
    expect(fs.existsSync(`${file}.log.tmp`)).toBe(false);
  });
});
