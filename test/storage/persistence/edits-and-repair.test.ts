import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { repairState } from '../../../src/storage/persistence/repair.ts';
import { runCommand, tidy } from '../../support/command.ts';
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
import { bo } from '../../support/people.ts';

afterEach(async () => {
  await tidySaved();
  await tidy();
});

const emails = ['kim', 'sam', 'ali', 'eva', 'bo'].map((name) => `${name}@example.com`);

/** Names those of the people who are there. */
async function peopleOf(client: Client): Promise<string[]> {
  const found = await Promise.all(emails.map((email) => client.get(`/api/v3/contacts/id?email=${email}`)));
  return emails.filter((_, i) => found[i]?.status === 200).map((email) => email.split('@')[0] ?? '');
}

/** Two people in the snapshot and three in the log of a killed process. */
async function savedFile(): Promise<string> {
  const file = newFile();
  let client = await openSavedSim(file);
  for (const [i, email] of emails.entries()) {
    if (i === 2) client = await reopenSim(client, file);
    await client.post('/api/v3/contacts', { email, contactType: 'Member' });
  }
  return leftBehind(file);
}

const change = (file: string, edit: (text: string) => string): void =>
  writeFileSync(file, edit(readFileSync(file, 'utf8')));

async function notesOf(file: string, acceptEdits: boolean): Promise<{ client: Client; notes: string[] }> {
  const notes: string[] = [];
  const client = await openSavedSim(file, { acceptEdits, onWarning: (note) => void notes.push(note) });
  return { client, notes };
}

describe('edits that are accepted', () => {
  it('are taken with a note, and need not be accepted again', async () => {
    const file = await savedFile();
    change(file, (text) => text.replaceAll('kim@', 'zoe@'));
    change(`${file}.log`, (text) => text.replace(/^.*ali@.*\n/m, ''));
    const { client, notes } = await notesOf(file, true);
    expect(notes.at(-1)).toMatch(/state\.json: edits are accepted, and saved again: .*state\.json:\d+, and 1 more\.$/);
    expect(await peopleOf(client)).toEqual(['sam', 'eva', 'bo']);
    await closeSavedSim(client);
    const next = await notesOf(file, false);
    expect([await peopleOf(next.client), next.notes]).toEqual([['sam', 'eva', 'bo'], []]);
  });

  it('may be rows without sums, in lines that end as on Windows', async () => {
    const file = await savedFile();
    change(file, (text) => text.replaceAll(/,"sum":"\w*"/g, '').replaceAll('\n', '\r\n'));
    await expect(openSavedSim(file)).rejects.toThrow('state.json:1: this line is not as it was written');
    const { client } = await notesOf(file, true);
    expect(await peopleOf(client)).toHaveLength(5);
  });

  it('do not change a file that nobody edited', async () => {
    const file = await savedFile();
    const before = bytesOf(file);
    const { client, notes } = await notesOf(file, true);
    expect([await peopleOf(client), bytesOf(file), notes.length]).toEqual([
      ['kim', 'sam', 'ali', 'eva', 'bo'],
      before,
      1,
    ]);
  });
});

it('work that nobody can do any more fails once, and says why', async () => {
  const file = newFile();
  const options = { now: '2026-03-01T12:00:00Z', fixtures: './test/support/points.json' };
  const first = await openSavedSim(file, options);
  const added = { event: 'adjustPoints', contactId: bo, definitionId: 2, amount: 25, description: 'x', by: 'manual' };
  expect((await first.post('/__admin/trigger', added)).status).toBeLessThan(300);
  await closeSavedSim(first);
  change(file, (text) => text.replace(/("timers",.*?"kind":")/, '$1un'));
  const client = await openSavedSim(file, { acceptEdits: true });
  const { executed } = (await client.post('/__admin/clock', { advance: '3650d' })).body;
  const failed = executed.filter(({ error }: { error?: string }) => error !== undefined);
  expect(failed).toEqual([
    expect.objectContaining({ error: expect.stringContaining('no handler for jobs of kind un') }),
  ]);
  const { jobs } = (await client.get('/__admin/queue')).body;
  expect(jobs).toEqual([expect.objectContaining({ status: 'failed', error: failed[0].error })]);
});

describe('a log that is not the one of its snapshot', () => {
  it('is missed', async () => {
    const file = await savedFile();
    rmSync(`${file}.log`);
    await expect(openSavedSim(file)).rejects.toThrow(`${file}.log: this is missing, and ${file} goes on in it`);
  });

  it('is missed with a note when the first run had just begun', async () => {
    const file = newFile();
    await openSavedSim(file);
    const copy = leftBehind(file);
    rmSync(`${copy}.log`);
    const { notes } = await notesOf(copy, false);
    expect(notes).toEqual([expect.stringContaining(`${copy}.log is missing: the first run was killed`)]);
  });

  it('is refused when it is an older copy', async () => {
    const file = await savedFile();
    const older = readFileSync(`${file}.log`, 'utf8').split('\n').slice(0, 2).join('\n');
    await closeSavedSim(await openSavedSim(file));
    writeFileSync(`${file}.log`, `${older}\n`);
    await expect(openSavedSim(file)).rejects.toThrow('it ends with commit 3, and');
  });
});

describe('repair', () => {
  it('leaves a whole state alone', async () => {
    const file = await savedFile();
    const before = bytesOf(`${file}.log`);
    const { stdout, code } = await runCommand(['repair', '--data', file, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ event: 'repaired', whole: true, lost: [], kept: [] });
    expect(bytesOf(`${file}.log`)).toBe(before);
  });

  it.each([
    ['a row of the snapshot', '', (text: string) => text.replace('sam@', 'tim@'), ['kim', 'ali', 'eva', 'bo']],
    ['a commit', '.log', (text: string) => text.replace('"eva@', 'eva@'), ['kim', 'sam', 'ali', 'bo']],
    ['a line', '.log', (text: string) => text.replace(/^.*eva@.*\n/m, ''), ['kim', 'sam', 'ali', 'bo']],
    ['the header', '', (text: string) => text.replace('"logAfter"', '"logafter"'), ['kim', 'sam', 'ali', 'eva', 'bo']],
    ['the end', '', (text: string) => text.slice(0, -5), ['kim', 'sam', 'ali', 'eva', 'bo']],
    ['the header of the log', '.log', (text: string) => text.slice(3), ['kim', 'sam', 'ali', 'eva', 'bo']],
  ])('takes all but what is lost, and keeps the damaged files: %s', async (_, ending, spoil, people) => {
    const file = await savedFile();
    change(`${file}${ending}`, spoil);
    const damaged = bytesOf(`${file}${ending}`);
    const { lost, kept } = await repairState(file);
    expect([lost.length, kept.length]).toEqual([1, 2]);
    expect(lost[0]?.place).toContain(`${file}${ending}`);
    expect(bytesOf(`${file}${ending}.damaged`)).toBe(damaged);
    const { client, notes } = await notesOf(file, false);
    expect([await peopleOf(client), notes]).toEqual([people, []]);
    await client.post('/api/v3/contacts', { email: 'new@example.com', contactType: 'Member' });
  });

  it('names the row that is lost', async () => {
    const file = await savedFile();
    change(`${file}.log`, (text) => text.replace('"eva@', 'eva@'));
    const { stdout } = await runCommand(['repair', '--data', file]);
    expect(stdout).toMatch(/state\.json\.log:3: commit 4, the row of contacts with the key \S+ is lost: the line/);
    expect(stdout).toMatch(/Taken: \d+ lines of the snapshot, 2 of the log\. Lost: 1 places?\./);
  });

  it.each([
    ['no file', () => newFile(), 'there is no such file'],
    ['a folder', () => dirname(newFile()), 'this is no file, but a folder or a device'],
    ['another file', () => named('hello'), 'this is no saved state of loyalty-sim'],
    ['a file of which nothing is whole', () => named('hello'), 'so there is nothing to repair: put a good copy'],
  ])('refuses %s', async (_, make, message) => {
    const file = make();
    await expect(repairState(file)).rejects.toThrow(message);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});

function named(content: string): string {
  const file = newFile();
  writeFileSync(file, content);
  return file;
}
