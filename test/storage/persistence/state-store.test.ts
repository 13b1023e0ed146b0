import { appendFileSync, copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { receiptOf } from '../../support/receipt.ts';
import {
  bytesOf,
  closeSavedSim,
  leftBehind,
  newFile,
  openSavedSim,
  reopenSim,
  tidySaved,
} from '../../support/saved.ts';
import type { Client } from '../../support/client.ts';

afterEach(tidySaved);

const kim = { email: 'kim@example.com', contactType: 'Member' };
const contactCount = async (client: Client, prefix = ''): Promise<number> =>
  (await client.get(`${prefix}/api/v3/contacts/count`)).body;
const transactionsOf = async (client: Client, id: string) =>
  (await client.get(`/api/v3/transactions?contactId=${id}`)).body;

const clockOf = async (client: Client) => (await client.get('/__admin/clock')).body;
const turned = async (file: string, ...turns: object[]): Promise<Client> => {
  const client = await openSavedSim(file);
  for (const turn of turns) await client.post('/__admin/clock', turn);
  return client;
};

describe('what is kept over a restart', () => {
  it('is every contact, as it was', async () => {
    const file = newFile();
    const first = await openSavedSim(file);
    const { body } = await first.post('/api/v3/contacts', { ...kim, firstName: 'Kim \u2028 \u{1f600} "\\ \n' });
    const second = await reopenSim(first, file);
    expect((await second.get(`/api/v3/contacts/${body.id}`)).body).toEqual(body);
  });

  it('is every receipt, as it was', async () => {
    const file = newFile();
    const first = await openSavedSim(file, { now: '2026-03-01T12:00:00Z' });
    const { id } = (await first.post('/api/v3/contacts', kim)).body;
    await first.post('/api/v3/receipts', receiptOf(id, 'R-1'));
    const before = await transactionsOf(first, id);
    const second = await reopenSim(first, file);
    expect(before.items).toHaveLength(1);
    expect(await transactionsOf(second, id)).toEqual(before);
  });

  it('is how far numbers were given out', async () => {
    const file = newFile();
    const first = await openSavedSim(file);
    const { body: before } = await first.post('/api/v3/contacts', kim);
    const second = await reopenSim(first, file);
    const { body: after } = await second.post('/api/v3/contacts', { ...kim, email: 'sam@example.com' });
    expect(Number(after.memberNumber)).toBe(Number(before.memberNumber) + 1);
    expect(after.id).not.toBe(before.id);
  });

  it('is the queue, whose work is then no part of any call of the new run', async () => {
    const file = newFile();
    const first = await openSavedSim(file, { queueDelay: 60_000 });
    await first.post('/api/v3/contacts/bulk', [kim]);
    const second = await reopenSim(first, file, { queueDelay: 60_000 });
    expect(await contactCount(second)).toBe(0);
    await second.post('/__admin/queue', { drain: true });
    expect(await contactCount(second)).toBe(1);
    const { body } = await second.get('/__admin/requests/default-1');
    expect(body).toMatchObject({ path: '/api/v3/contacts/count', jobs: [] });
  });

  it('is each tenant by itself, with how it was set up, and not the ones that were removed', async () => {
    const file = newFile();
    const first = await openSavedSim(file);
    for (const name of ['a', 'b', 'c'])
      await first.post('/__admin/tenants', { name, assumptions: { 'A-08': 'object' } });
    await first.post('/t/a/api/v3/contacts', kim);
    await first.call('DELETE', '/__admin/tenants/c');
    const second = await reopenSim(first, file);
    const { tenants } = (await second.get('/__admin/tenants')).body;
    const seen = tenants.map(({ name, assumptions, rows }: never) => [
      name,
      assumptions,
      (rows as { contacts?: number }).contacts,
    ]);
    expect(seen).toEqual([
      ['default', {}, undefined],
      ['a', { 'A-08': 'object' }, 1],
      ['b', { 'A-08': 'object' }, undefined],
    ]);
  });

  it('is a tenant that a call made', async () => {
    const file = newFile();
    const first = await openSavedSim(file);
    await first.post('/t/shop-2/api/v3/contacts', kim);
    const second = await reopenSim(first, file);
    expect(await contactCount(second, '/t/shop-2')).toBe(1);
    expect(await contactCount(second)).toBe(0);
  });

  it('is a reset, and a snapshot that was restored', async () => {
    const file = newFile();
    const first = await openSavedSim(file);
    await first.post('/api/v3/contacts', kim);
    await first.post('/__admin/snapshots/one');
    await first.post('/__admin/reset');
    const afterReset = await openSavedSim(leftBehind(file));
    expect(await contactCount(afterReset)).toBe(0);
    await first.post('/__admin/snapshots/one/restore');
    expect(await contactCount(await reopenSim(first, file))).toBe(1);
  });

  it('is the state, when the fixtures are others: a reset takes those', async () => {
    const file = newFile();
    const first = await openSavedSim(file);
    await first.post('/api/v3/contacts', kim);
    const second = await reopenSim(first, file, { fixtures: 'default' });
    expect(await contactCount(second)).toBe(1);
    await second.post('/__admin/reset');
    expect(await contactCount(await reopenSim(second, file))).toBeGreaterThan(20);
  });
});

describe('the clock', () => {
  it('stands where it was frozen', async () => {
    const file = newFile();
    const first = await turned(file, { set: '2027-05-01T10:00:00Z' }, { freeze: true });
    const before = await clockOf(first);
    expect(await clockOf(await reopenSim(first, file))).toEqual(before);
  });

  it('runs on from what it was set to', async () => {
    const file = newFile();
    const first = await turned(file, { freeze: true }, { resume: true }, { set: '2027-05-01T10:00:00Z' });
    const { now, frozen } = await clockOf(await reopenSim(first, file));
    expect(frozen).toBe(false);
    expect(now).toMatch(/^2027-05-01T10:00:/);
  });

  it('is put back by a reset, for the next run as well', async () => {
    const file = newFile();
    const first = await turned(file, { set: '2027-05-01T10:00:00Z' }, { freeze: true });
    await first.post('/__admin/reset', { scopes: ['clock'] });
    expect((await clockOf(await reopenSim(first, file))).frozen).toBe(false);
  });

  it('is what the option says, when it says something', async () => {
    const file = newFile();
    const first = await turned(file, { set: '2027-05-01T10:00:00Z' });
    const second = await reopenSim(first, file, { now: '2026-01-01T00:00:00Z' });
    expect(await clockOf(second)).toEqual({ now: '2026-01-01T00:00:00.000Z', frozen: true });
  });

  it('has let work fall due by the time it is opened again', async () => {
    const file = newFile();
    const options = { queueDelay: 60_000 };
    const first = await openSavedSim(file, options);
    await first.post('/api/v3/contacts/bulk', [kim]);
    await first.post('/__admin/clock', { advance: '1h' });
    expect(await contactCount(await reopenSim(first, file, options))).toBe(1);
  });
});

describe('the saved state', () => {
  it('is readable by its owner alone, as it holds keys of webhooks', async () => {
    const file = newFile();
    const client = await openSavedSim(file);
    await client.post('/api/v3/contacts', kim);
    const modes = ['', '.log', '.lock'].map((ending) => statSync(`${file}${ending}`).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    await closeSavedSim(client);
    expect([file, `${file}.log`].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  });
});

describe('a process that was killed', () => {
  it('leaves everything behind that it answered', async () => {
    const file = newFile();
    const client = await openSavedSim(file);
    for (let i = 1; i <= 20; i++) await client.post('/api/v3/contacts', { ...kim, email: `kim${i}@example.com` });
    expect(await contactCount(await openSavedSim(leftBehind(file)))).toBe(20);
  });

  it('while it wrote a commit leaves all others; the torn line is left out, with a note', async () => {
    const file = newFile();
    const client = await openSavedSim(file);
    await client.post('/api/v3/contacts', kim);
    const left = leftBehind(file);
    appendFileSync(`${left}.log`, `{"n":2,"tenant":"default","rows":[["contacts","5a0e${'x'.repeat(2000)}`);
    const notes: string[] = [];
    const onWarning = (note: string): unknown => notes.push(note);
    const next = await openSavedSim(left, { onWarning });
    expect(notes).toEqual([expect.stringMatching(/not close it.* commit, 1\. Its last 2051 bytes are left out/)]);
    await next.post('/api/v3/contacts', { ...kim, email: 'sam@example.com' });
    expect(await contactCount(await openSavedSim(leftBehind(left), { onWarning }))).toBe(2);
    expect(notes).toEqual([notes[0], expect.stringMatching(/not close it.* commit, 2\.$/)]);
  });

  it('while it wrote a commit of several lines leaves none of them', async () => {
    const file = newFile();
    const client = await openSavedSim(file);
    const people = Array.from({ length: 1200 }, (_, i) => ({ ...kim, email: `kim${i}@example.com` }));
    await client.post('/api/v3/contacts/bulk', people);
    const left = leftBehind(file);
    const lines = readFileSync(`${left}.log`, 'utf8').trim().split('\n');
    expect(lines.length).toBeGreaterThan(3);
    writeFileSync(`${left}.log`, `${lines.slice(0, -1).join('\n')}\n`);
    expect(await contactCount(await openSavedSim(left))).toBe(0);
  });

  it('between the new snapshot and the new log leaves all commits, those since the snapshot too', async () => {
    const file = newFile();
    const first = await openSavedSim(file);
    await first.post('/api/v3/contacts', kim);
    const early = leftBehind(file);
    await first.post('/api/v3/contacts', { ...kim, email: 'sam@example.com' });
    const late = leftBehind(file);
    // Closing writes a snapshot: here one with the first commit alone, which the log with both is then put beside.
    await closeSavedSim(await openSavedSim(early));
    expect(bytesOf(early)).not.toBe(bytesOf(file));
    copyFileSync(`${late}.log`, `${early}.log`);
    expect(await contactCount(await openSavedSim(early))).toBe(2);
  });

  it('between the new snapshot and the new log leaves no trace of a tenant that was removed', async () => {
    const file = newFile();
    const first = await openSavedSim(file);
    await first.post('/t/shop-2/api/v3/contacts', kim);
    const second = await reopenSim(first, file);
    await second.post('/t/shop-2/api/v3/contacts', { ...kim, email: 'sam@example.com' });
    await second.call('DELETE', '/__admin/tenants/shop-2');
    const log = readFileSync(`${file}.log`);
    await closeSavedSim(second);
    writeFileSync(`${file}.log`, log);
    const third = await openSavedSim(file);
    expect((await third.get('/__admin/tenants')).body.tenants).toHaveLength(1);
  });
});
