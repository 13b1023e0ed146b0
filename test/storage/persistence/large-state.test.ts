import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { receiptOf } from '../../support/receipt.ts';
import {
  bytesOf,
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

const sizeOf = (file: string): number => statSync(file).size;
const contactCount = async (client: Client): Promise<number> => (await client.get('/api/v3/contacts/count')).body;

/** What a bulk call sends: 4000 contacts with long names, 2 MB in all. */
const crowd = (name: string, size = 4000, street = 'x'.repeat(400)): object[] =>
  Array.from({ length: size }, (_, i) => ({ email: `${name}${i}@example.com`, street }));

/** Writes a saved state of so many contacts, all alike but for what must differ. */
async function writeStore(file: string, contacts: number): Promise<void> {
  const client = await openSavedSim(file);
  const { body } = await client.post('/api/v3/contacts', { email: 'kim@example.com' });
  await closeSavedSim(client);
  const lines = readFileSync(file, 'utf8').split('\n');
  const last = lines.splice(-2).length;
  const line = lines.pop() ?? '';
  for (let i = 0; i < contacts; i++) {
    const id = body.id.slice(0, -6) + String(i).padStart(6, '0');
    const own = line
      .replaceAll(body.id, id)
      .replace('kim@', `kim${i}@`)
      .replace(body.memberNumber, `${200_000 + i}`);
    lines.push(i + 1 < contacts ? `${own},` : own);
  }
  writeFileSync(file, `${lines.join('\n')}\n]}\n`);
  await closeSavedSim(await openSavedSim(file, { acceptEdits: true }));
  expect([last, line.includes('kim@')]).toEqual([2, true]);
}

describe('the saved state', () => {
  it('writes for a call what it changed, however much there is', async () => {
    const file = newFile();
    await writeStore(file, 30_000);
    const client = await openSavedSim(file);
    expect(await contactCount(client)).toBe(30_000);
    const before = sizeOf(file);
    const log = sizeOf(`${file}.log`);
    await client.post('/api/v3/contacts', { email: 'sam@example.com' });
    expect(sizeOf(`${file}.log`) - log).toBeLessThan(1000);
    await client.post('/t/other/api/v3/contacts', { email: 'sam@example.com' });
    await closeSavedSim(client);
    expect(sizeOf(file)).toBe(before);
  });

  it('puts a long log into a new snapshot while calls go on, and loses none of them', async () => {
    const file = newFile();
    const first = await openSavedSim(file);
    let calls = 0;
    for (const name of ['a', 'b', 'c', 'd']) await first.post('/api/v3/contacts/bulk', crowd(name));
    // On a busy machine, part of it may be in the snapshot by now.
    expect(sizeOf(file) + sizeOf(`${file}.log`)).toBeGreaterThan(8_000_000);
    while (sizeOf(`${file}.log`) > 8_000_000 || calls < 10) {
      await first.post('/api/v3/contacts', { email: `kim${calls++}@example.com` });
      await new Promise(setImmediate);
    }
    expect(sizeOf(file)).toBeGreaterThan(8_000_000);
    expect(await contactCount(await openSavedSim(leftBehind(file)))).toBe(16_000 + calls);
    expect(await contactCount(await reopenSim(first, file))).toBe(16_000 + calls);
  });

  it('writes the fixtures of a later run once they are needed, however large', async () => {
    const file = newFile();
    await closeSavedSim(await openSavedSim(file));
    const fixtures = fixtureBeside(file, crowd('kim', 30, 'x'.repeat(300_000)));
    const second = await openSavedSim(file, { fixtures });
    for (const name of ['a', 'b']) await second.post(`/t/${name}/api/v3/contacts`, { email: 'sam@example.com' });
    while (sizeOf(`${file}.log`) > 8_000_000) await new Promise(setImmediate);
    const third = await openSavedSim(leftBehind(file), { fixtures: 'empty' });
    const counts = ['', '/t/a', '/t/b', '/t/c'].map((prefix) => third.get(`${prefix}/api/v3/contacts/count`));
    expect((await Promise.all(counts)).map(({ body }) => body)).toEqual([0, 31, 31, 0]);
    expect(sizeOf(file)).toBeLessThan(10_000_000);
  });

  it('serves others while the first write of a tenant has the fixtures of a later run saved', async () => {
    const file = newFile();
    await closeSavedSim(await openSavedSim(file));
    const fixtures = fixtureBeside(file, crowd('kim', 4000, 'x'.repeat(3000)));
    const second = await openSavedSim(file, { fixtures });
    const progress = { isOver: false };
    const writing = second.post('/t/a/api/v3/contacts', { email: 'sam@example.com' });
    void writing.finally(() => (progress.isOver = true));
    let served = 0;
    for (; !progress.isOver; served++) {
      await contactCount(second);
      await new Promise(setImmediate);
    }
    expect([(await writing).status, served > 3]).toEqual([201, true]);
    expect(sizeOf(`${file}.log`)).toBeLessThan(1_000_000);
    const third = await openSavedSim(leftBehind(file), { fixtures: 'empty' });
    expect((await third.get('/t/a/api/v3/contacts/count')).body).toBe(4001);
  });

  it('saves the large fixture of a new tenant before it, and keeps nothing of one that was not complete', async () => {
    const file = newFile();
    const first = await openSavedSim(file);
    const fixtures = fixtureBeside(file, crowd('kim', 4000, 'x'.repeat(3000)));
    const progress = { isOver: false };
    const creating = first.post('/__admin/tenants', { name: 'a', fixtures });
    void creating.finally(() => (progress.isOver = true));
    let calls = 0;
    // When it is being read, and when a snapshot is being written with it.
    const isBeingWritten = (): boolean => existsSync(unfinishedSnapshot(file));
    const moments = [() => true, isBeingWritten];
    const left: { readonly copy: string; readonly made: number }[] = [];
    while (!progress.isOver) {
      await first.post('/api/v3/contacts', { email: `sam${calls++}@example.com` });
      if (moments[left.length]?.()) left.push({ copy: leftBehind(file), made: calls });
      await new Promise(setImmediate);
    }
    expect([(await creating).status, left.length]).toEqual([201, moments.length]);
    expect(sizeOf(`${file}.log`)).toBeLessThan(1_000_000);
    for (const { copy, made } of left) {
      const killed = await openSavedSim(copy);
      const { tenants } = (await killed.get('/__admin/tenants')).body;
      expect([await contactCount(killed), tenants]).toMatchObject([made, [{ name: 'default' }]]);
      await killed.post('/__admin/tenants', { name: 'b', fixtures: 'default' });
      const again = await reopenSim(killed, copy);
      expect((await again.get('/t/b/api/v3/contacts/count')).body).toBe(40);
      await closeSavedSim(again);
      expect(sizeOf(copy)).toBeLessThan(1_000_000);
    }
    const last = await openSavedSim(leftBehind(file));
    expect([await contactCount(last), (await last.get('/t/a/api/v3/contacts/count')).body]).toEqual([calls, 4000]);
  });

  it('calls off a snapshot that is being written when it is closed', async () => {
    const file = newFile();
    const first = await openSavedSim(file);
    const before = bytesOf(file);
    const isBeingWritten = (): boolean => existsSync(unfinishedSnapshot(file));
    const calls: Promise<{ readonly status: number }>[] = [];
    for (let i = 0; !isBeingWritten(); i++) {
      const call = first.post('/api/v3/contacts/bulk', crowd(`kim${i}-`));
      calls.push(call);
      const progress = { isOver: false };
      void call.finally(() => (progress.isOver = true));
      // At the first turn in which it is there: on a slow machine, it would be whole before the call is answered.
      while (!progress.isOver && !isBeingWritten()) await new Promise(setImmediate);
    }
    await closeSavedSim(first);
    expect(bytesOf(file)).toBe(before);
    expect(isBeingWritten()).toBe(false);
    const done = (await Promise.all(calls)).filter(({ status }) => status === 202);
    expect(await contactCount(await openSavedSim(file))).toBe(4000 * done.length);
  });

  it('drops the fixtures of a run from the file when no tenant stems from them any more', async () => {
    const file = newFile();
    await closeSavedSim(await openSavedSim(file));
    const before = sizeOf(file);
    const second = await openSavedSim(file, { fixtures: 'default' });
    await second.post('/__admin/tenants', { name: 'a' });
    expect(sizeOf(`${file}.log`)).toBeGreaterThan(100_000);
    await second.call('DELETE', '/__admin/tenants/a');
    await closeSavedSim(second);
    expect(sizeOf(file) - before).toBeLessThan(100);
  });

  it('removes what a killed process had begun to write', async () => {
    const file = newFile();
    const begun = unfinishedSnapshot(file);
    writeFileSync(begun, '{');
    await openSavedSim(file);
    expect(existsSync(begun)).toBe(false);
  });

  it('writes a short log into the snapshot when it is closed', async () => {
    const file = newFile();
    const first = await openSavedSim(file);
    const { id } = (await first.post('/api/v3/contacts', { email: 'kim@example.com' })).body;
    await first.post('/api/v3/receipts', receiptOf(id, 'R-1'));
    await closeSavedSim(first);
    expect(JSON.parse(bytesOf(file) ?? '')).toMatchObject({ format: 'loyalty-sim/2', logAfter: expect.any(String) });
    // Its first line, and the one that closes it.
    expect(bytesOf(`${file}.log`)?.trim().split('\n')).toHaveLength(2);
    expect(await contactCount(await openSavedSim(file))).toBe(1);
  });
});
