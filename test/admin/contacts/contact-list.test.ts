import { describe, expect, it } from 'vitest';
import { openSim } from '../../support/open-sim.ts';
import { astrid, astridPath } from '../../support/people.ts';

describe('the list of contacts', () => {
  it('lists contacts in the order of their names, page by page', async () => {
    const { get } = await openSim();
    const { count, items } = (await get('/__admin/contacts?limit=3&offset=2')).body;
    expect([count, items.map(({ name }: { name: string }) => name)]).toEqual([
      40,
      ['Anton Kjær', 'Astrid Lindqvist', 'Birgitta Sjögren'],
    ]);
    expect(items[1]).toEqual({
      id: astrid,
      contactType: 'Member',
      name: 'Astrid Lindqvist',
      email: 'astrid.lindqvist@example.com',
      mobilePhone: '+46701740610',
      memberNumber: '100001',
      modifiedOn: expect.any(String),
    });
  });

  it.each([
    ['ASTRID lind', 1],
    ['19850709-9821', 1],
    ['CRM-20413', 1],
    ['0701740610', 1],
    [astrid, 1],
    ['dubbel', 2],
    ['astrid johan', 0],
  ])('finds contacts by %s', async (search, count) => {
    const { get } = await openSim();
    expect((await get(`/__admin/contacts?search=${encodeURIComponent(search)}`)).body.count).toBe(count);
  });

  it('finds contacts as they were at a request', async () => {
    const { get, patch } = await openSim();
    await patch(astridPath, { firstName: 'Maja-Stina' });
    await patch(astridPath, { firstName: 'Astrid' });
    const countOf = async (query: string) => (await get(`/__admin/contacts?search=maja-stina${query}`)).body.count;
    expect([await countOf(''), await countOf('&at=default-1'), await countOf('&at=default-2')]).toEqual([0, 1, 0]);
  });
});
