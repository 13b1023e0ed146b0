import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { packTablesFrom } from '../../../src/core/state/state.ts';
import { receiptOf } from '../../support/receipt.ts';
import { closeSavedSim, newFile, openSavedSim, reopenSim, tidySaved } from '../../support/saved.ts';

let takeBack = (): void => {};

afterEach(async () => {
  takeBack();
  await tidySaved();
});

const options = { fixtures: './fixtures/default.json', now: '2026-03-01T12:00:00Z' };

/** The lines of a file but for the first, which has an id of its own that the sums of all lines depend on. */
const linesOf = (file: string): string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .slice(1)
        .map((line) => line.replace(/,"sum":"(.{8}).{8}"/, ',"sum":"$1"'))
    : [];

/** What three runs save that change many rows, and one at last. */
async function savedBy(work: 'few' | 'many'): Promise<unknown> {
  const file = newFile();
  let client = await openSavedSim(file, options);
  const saved = [linesOf(file)];
  const rows = [...(client.sim.tenants.default.state.tables['contacts']?.rows.values() ?? [])];
  const ids = rows.map((row) => (row as { readonly id: string }).id);
  for (const [i, id] of ids.entries()) {
    if (work === 'few' && i > 2) break;
    if (i % 2 === 0) await client.patch(`/api/v3/contacts/${id}`, { firstName: `Name ${i}` });
    else await client.post('/api/v3/receipts', receiptOf(id, `own ${i}`));
  }
  saved.push(linesOf(`${file}.log`));
  for (const street of ['Storgatan 1', 'Storgatan 2']) {
    client = await reopenSim(client, file, options);
    saved.push(linesOf(file));
    await client.patch(`/api/v3/contacts/${ids[0]}`, { street });
    await client.post('/t/other/api/v3/contacts', { email: 'sam@example.com' });
    saved.push(linesOf(`${file}.log`));
  }
  await closeSavedSim(client);
  return [...saved, linesOf(file)];
}

describe('the saved state', () => {
  it.each(['few', 'many'] as const)(
    'saves of packed tables what it saves of others, when %s rows change',
    async (work) => {
      const plain = await savedBy(work);
      takeBack = packTablesFrom(1);
      expect(await savedBy(work)).toEqual(plain);
    },
  );

  it('takes the last of several versions of a row, wherever a table begins to be packed', async () => {
    const file = newFile();
    let client = await openSavedSim(file, { now: options.now });
    const { body } = await client.post('/api/v3/contacts', { email: 'kim@example.com' });
    for (const firstName of ['A', 'B', 'C']) await client.patch(`/api/v3/contacts/${body.id}`, { firstName });
    await client.post('/api/v3/contacts', { email: 'sam@example.com' });
    takeBack = packTablesFrom(1);
    client = await reopenSim(client, file, { now: options.now });
    expect((await client.get(`/api/v3/contacts/${body.id}`)).body.firstName).toBe('C');
    expect((await client.get('/api/v3/contacts/count')).body).toBe(2);
  });
});
