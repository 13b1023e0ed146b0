import { afterEach, describe, expect, it } from 'vitest';
import { readFileSync, writeFileSync } from 'node:fs';
import { failPower, recordRuns } from '../../support/power-failures.ts';
import { leftBehind, newFile, openSavedSim, tidySaved } from '../../support/saved.ts';

afterEach(tidySaved);

describe('a power failure', () => {
  it('loses nothing that was responded to, when changes are forced to the disk before', async () => {
    const disk = await recordRuns({ durable: true, contacts: 8 });
    expect(await failPower(disk, { seed: 11, count: 60, durable: true })).toEqual({ lost: 0, wrong: [] });
  });

  it('leaves large states of other tenants whole, or as they were before', async () => {
    const disk = await recordRuns({ durable: true, contacts: 6, isLarge: true });
    expect(await failPower(disk, { seed: 13, count: 30, durable: true })).toEqual({ lost: 0, wrong: [] });
  });

  it('loses nothing that had been forced to the disk, and tells of what else it loses', async () => {
    const disk = await recordRuns({ durable: false, contacts: 20 });
    const { lost, wrong } = await failPower(disk, { seed: 12, count: 60, durable: false });
    expect([wrong, lost > 0]).toEqual([[], true]);
  });
});

/** Two contacts, of which the second commit says that the first had been forced to the disk, and a third. */
async function savedLog(): Promise<{ file: string; lines: string[] }> {
  const file = newFile();
  const client = await openSavedSim(file, { durable: true });
  for (const name of ['kim', 'sam', 'ali']) await client.post('/api/v3/contacts', { email: `${name}@example.com` });
  const left = leftBehind(file);
  return { file: left, lines: readFileSync(`${left}.log`, 'utf8').trim().split('\n') };
}

const zeros = (line = ''): string => line.replace(/.{40}$/, '\0'.repeat(40));

describe('a log with zeros in it', () => {
  it('is taken up to there, with a note, when nothing says that it had been forced to the disk', async () => {
    const { file, lines } = await savedLog();
    writeFileSync(`${file}.log`, `${[...lines.slice(0, 3), zeros(lines[3])].join('\n')}\n`);
    const notes: string[] = [];
    const client = await openSavedSim(file, { onWarning: (note) => void notes.push(note) });
    expect((await client.get('/api/v3/contacts/count')).body).toBe(2);
    expect(notes).toEqual([expect.stringMatching(/last complete commit, 2\. Its last \d+ bytes are left out/)]);
  });

  it('is refused when a later line says that it had been forced to the disk', async () => {
    const { file, lines } = await savedLog();
    writeFileSync(`${file}.log`, `${[lines[0], zeros(lines[1]), ...lines.slice(2)].join('\n')}\n`);
    await expect(openSavedSim(file)).rejects.toThrow('.log:2: there are zeros in what had been forced to the disk');
  });
});
