import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { fixtureJsonSchema } from '../../src/storage/fixtures/fixture-json-schema.ts';
import { folderWith, tidyFolders } from '../support/folders.ts';
import { openSim } from '../support/open-sim.ts';

const page = readFileSync('docs/fixtures.md', 'utf8');

afterEach(tidyFolders);

describe('docs/fixtures.md', () => {
  it('tells of every section of a fixture', () => {
    const { properties } = fixtureJsonSchema() as { readonly properties: object };
    const sections = Object.keys(properties).filter((name) => name !== '$schema');
    expect(sections.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('shows a fixture that is one', async () => {
    const [, shown = ''] = /```json\n(.*?)```/s.exec(page) ?? [];
    const { get } = await openSim({ fixtures: folderWith({ 'shop.json': shown }) });
    expect((await get('/api/v3/contacts/count')).body).toBe(1);
  });
});
