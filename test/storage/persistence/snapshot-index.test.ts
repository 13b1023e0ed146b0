import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { packTablesFrom } from '../../../src/core/state/state.ts';
import type { State } from '../../../src/core/state/state.ts';
import { Edits } from '../../../src/storage/persistence/line-sums.ts';
import { SnapshotFile } from '../../../src/storage/persistence/snapshot-file.ts';
import type { StateSnapshot } from '../../../src/storage/persistence/snapshot-file.ts';
import { folderWith } from '../../support/folders.ts';
import { closeSavedSim, leftBehind, newFile, openSavedSim, tidySaved } from '../../support/saved.ts';

let takeBack = (): void => {};

afterEach(async () => {
  takeBack();
  await tidySaved();
});

const now = '2026-03-01T12:00:00Z';

/** A state that was saved with all its tables packed, and one change after that. */
async function savedState(fixtures = oddShop()): Promise<string> {
  takeBack = packTablesFrom(1);
  const file = newFile();
  const client = await openSavedSim(file, { now, fixtures });
  await client.post('/api/v3/contacts', { email: 'new@example.com', contactType: 'Member' });
  await closeSavedSim(client);
  return file;
}

/** Returns a copy with the index of the first, and one without. */
function copies(file: string): [withIndex: string, without: string] {
  const [one, other] = [leftBehind(file), leftBehind(file)];
  copyFileSync(`${file}.index`, `${one}.index`);
  return [one, other];
}

/** All that a state tells, with the order in which it tells it. */
const toldOf = ({ tables, sequences }: State): unknown => ({
  sequences,
  tables: Object.entries(tables).map(([name, { rows, unique, lists }]) => [
    name,
    [...rows.entries()],
    [...rows.entries()].map(([key]) => [rows.has(key), rows.get(key)]),
    Object.values(unique).map((index) => [...index.entries()]),
    Object.values(lists).map((index) => [...index.entries()].map(([of, list]) => [of, [...list], list.sums()])),
  ]),
});

async function read(
  file: string,
  edits = new Edits(false),
): Promise<{ content: StateSnapshot; isByIndex: boolean; told: unknown }> {
  const snapshot = new SnapshotFile(file, edits);
  const content = await snapshot.read();
  const tenants = [...content.tenants].map(([name, { state, ...rest }]) => [name, rest, toldOf(state)]);
  const told = [content.id, content.sequence, [...content.seeds].map(([id, seed]) => [id, toldOf(seed)]), tenants];
  return { content, isByIndex: !snapshot.lacksIndex, told };
}

/** A small shop with odd texts, and keys that JSON escapes. */
function oddShop(): string {
  const { stores: _, ...rest } = JSON.parse(readFileSync('fixtures/empty.json', 'utf8'));
  const stores = ['a"b', 'å\n', ',{"', '\ud800'].map((externalId) => ({ externalId, name: 'x' }));
  const contacts = [{ email: 'åsa@example.com', firstName: 'Åsa 漢字 \u2028 "quoted" \\' }];
  return join(folderWith({ 'shop.json': { ...rest, stores, contacts } }), 'shop.json');
}

it.each([
  ['points and receipts', () => './test/support/points.json'],
  ['a fixture with odd texts and keys', oddShop],
])('a state is the same by its index and row by row: %s', async (_, fixtures) => {
  const [one, other] = copies(await savedState(fixtures()));
  const [byIndex, byRow] = [await read(one), await read(other)];
  expect([byIndex.isByIndex, byRow.isByIndex]).toEqual([true, false]);
  expect(byIndex.told).toEqual(byRow.told);
});

it('what is saved of a state that was read by its index is what was read', async () => {
  for (const file of copies(await savedState())) {
    const { content } = await read(file);
    const copy = newFile();
    await new SnapshotFile(copy).write(content);
    expect(readFileSync(copy, 'utf8')).toBe(readFileSync(file, 'utf8'));
    expect((await read(copy)).isByIndex).toBe(true);
  }
});

it('a row that was edited by hand is read when edits are accepted, with an index beside it', async () => {
  const [file] = copies(await savedState());
  const text = readFileSync(file, 'utf8');
  const [name = ''] = /"firstName":"Åsa/.exec(text) ?? [];
  const edited = name.replace('s', 'z');
  writeFileSync(file, text.replace(name, edited));
  await expect(read(file)).rejects.toThrow('this line is not as it was written');
  const { isByIndex, told } = await read(file, new Edits(true));
  expect([isByIndex, name === edited]).toEqual([false, false]);
  expect(JSON.stringify(told)).toContain(edited);
});

it('a damaged line is reported, with an index beside it', async () => {
  const [file] = copies(await savedState());
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('"rows":[["contacts"', '"rows":[["contracts"').replace('",', '"'));
  await expect(read(file)).rejects.toThrow(/state\.json:\d+: /);
});

it.each([
  ['is cut short', (index: string) => truncateSync(index, 1000)],
  ['is damaged', (index: string) => writeFileSync(index, readFileSync(index).fill(7, 3000, 3010))],
  ['is no index', (index: string) => writeFileSync(index, 'hello')],
  ['is gone', (index: string) => rmSync(index)],
])('an index that %s is done without, and written again', async (_, spoil) => {
  const [file, other] = copies(await savedState());
  const index = `${file}.index`;
  spoil(index);
  expect((await read(file)).isByIndex).toBe(false);
  const client = await openSavedSim(file, { now });
  await closeSavedSim(client);
  expect((await read(file)).isByIndex).toBe(true);
  const [{ content }, { content: plain }] = [await read(file), await read(other)];
  expect([...content.seeds.values()].map(toldOf)).toEqual([...plain.seeds.values()].map(toldOf));
});

it('an index of another snapshot is not used', async () => {
  const [file, other] = copies(await savedState());
  const client = await openSavedSim(other, { now });
  await client.post('/api/v3/contacts', { email: 'later@example.com', contactType: 'Member' });
  await closeSavedSim(client);
  copyFileSync(`${other}.index`, `${file}.index`);
  expect((await read(file)).isByIndex).toBe(false);
});

it('small tables have no index, and what a killed process had begun of one is removed', async () => {
  const file = newFile();
  const begun = join(dirname(file), '.state.json.index.tmp');
  writeFileSync(begun, 'half');
  await closeSavedSim(await openSavedSim(file, { now }));
  expect([existsSync(begun), existsSync(`${file}.index`)]).toEqual([false, false]);
});
