import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderWith, tidyFolders } from '../../support/folders.ts';
import { openEmptySim } from '../../support/open-sim.ts';

afterEach(tidyFolders);

let folder: string;
beforeEach(() => {
  folder = folderWith({ 'secret.json': '{"planted": "4711"}', 'planted.txt': 'planted', 'bad.yaml': 'planted: 4711' });
});

const wordsOf = (errors: readonly { field: string; errorDescription: string }[]): string =>
  errors.map(({ field, errorDescription }) => `${field}: ${errorDescription}`).join('\n');

describe('a fixture that a call names', () => {
  it.each(['secret.json', 'none.json', 'planted.txt', 'none', '', 'planted.txt/a.json', 'a\0.json'])(
    'is refused in the same words, whatever stands there: %j',
    async (name) => {
      const { post, call } = await openEmptySim();
      const fixtures = `${folder}/${name}`;
      const made = await post('/__admin/tenants', { name: 'shop', fixtures });
      const words = `"${fixtures}" can't be used as a .json file, a folder of them, or a built-in fixture: default, empty; the simulator's log says why, and so does: loyalty-sim validate ${fixtures}`;
      expect([made.status, wordsOf(made.body.validationErrors)]).toEqual([400, `fixtures: ${words}`]);
      const taken = await call('PUT', '/__admin/scenario', { body: { fixtures } });
      expect([taken.status, taken.body.validationErrors]).toEqual([400, made.body.validationErrors]);
    },
  );

  it('is named in the log with all that is wrong', async () => {
    const notes: string[] = [];
    const { post } = await openEmptySim({ onWarning: (note) => notes.push(note) });
    await post('/__admin/tenants', { name: 'shop', fixtures: `${folder}/secret.json` });
    await post('/__admin/tenants', { name: 'shop', fixtures: `${folder}/planted.txt` });
    expect(notes).toEqual([
      expect.stringContaining('secret.json:1:2: planted: is not a section of a fixture'),
      `fixtures: a call named "${folder}/planted.txt", which is no .json file and no folder.`,
    ]);
  });
});

it.each(['fixtures', 'scenario'])('a name of two lines writes no second line into the log: %s', async (field) => {
  const notes: string[] = [];
  const { post } = await openEmptySim({ onWarning: (note) => notes.push(note) });
  await post('/__admin/tenants', { name: 'shop', [field]: 'a.b\nsecond.json' });
  expect(notes).toEqual([expect.stringContaining('a call named "a.b\\nsecond.json", which is no')]);
});

describe('a scenario that a call names', () => {
  it.each(['bad.yaml', 'none.yaml', 'planted.txt', 'secret.json'])('is refused in the same words: %s', async (name) => {
    const scenario = `${folder}/${name}`;
    const { status, body } = await (await openEmptySim()).post('/__admin/tenants', { name: 'shop', scenario });
    const words = `"${scenario}" can't be used as a .yaml or .json file, or a built-in scenario; the simulator's log says why, and so does: loyalty-sim validate ${scenario}`;
    expect([status, wordsOf(body.validationErrors)]).toEqual([400, `scenario: ${words}`]);
  });

  it('is refused with the nearest built-in one', async () => {
    const { body } = await (await openEmptySim()).post('/__admin/tenants', { name: 'shop', scenario: 'lost-redem' });
    expect(wordsOf(body.validationErrors)).toContain('did you mean "lost-redeem"?');
  });
});
