import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { afterEach, describe, expect, it } from 'vitest';
import { createSim } from '../../src/sim.ts';
import { fixtureJsonSchema } from '../../src/storage/fixture-schema.ts';
import { openClient } from '../support/client.ts';
import { folderWith, tidy } from '../support/command.ts';

afterEach(tidy);

const setup = {
  contactTypes: [{ id: 'Member', name: 'Member', keyAttribute: 'memberNumber' }],
  stores: [{ externalId: '100', name: 'Stockholm' }],
};
const astrid = '5a0e7c1e-0001-4000-8000-000000000001';
const nobody = '5a0e7c1e-0001-4000-8000-0000000000ff';

/** What is said of a fixture file that holds this, without the folder it lies in. */
async function saidOf(content: unknown): Promise<string> {
  const folder = folderWith({ 'shop.json': content });
  const said = await createSim({ fixtures: join(folder, 'shop.json') }).then(() => 'nothing', String);
  return said.replace(/^InputError: /, '').replaceAll(`${folder}/`, '');
}

describe('a fixture', () => {
  it.each(['default', 'empty'])('%s comes along, and is valid by its own schema', async (name) => {
    const file = `fixtures/${name}.json`;
    await expect(createSim({ fixtures: file })).resolves.toBeDefined();
    const content = JSON.parse(readFileSync(file, 'utf8'));
    expect(z.fromJSONSchema(fixtureJsonSchema()).safeParse(content).error).toBeUndefined();
  });

  it('named by nobody is the default one', async () => {
    const { get } = await openClient({ fixtures: undefined });
    expect((await get('/api/v3/contacts/count')).body).toBe(40);
  });

  it('empty has contact types, and nobody yet', async () => {
    const { get, post } = await openClient({ fixtures: 'empty' });
    expect((await get('/api/v3/contacts/count')).body).toBe(0);
    expect((await post('/api/v3/contacts', { email: 'a@example.com' })).body.memberNumber).toBe('100001');
    expect((await post('/api/v3/contacts', { contactType: 'contact', email: 'a@example.com' })).status).toBe(201);
  });

  it('may hold one contact alone: a Member then', async () => {
    const folder = folderWith({ 'shop.json': { contacts: [{ email: 'a@example.com' }] } });
    const { get, post } = await openClient({ fixtures: join(folder, 'shop.json') });
    const { body } = await get('/contactoverview?contactType=Member&email=a@example.com');
    expect([body.contactType, body.memberNumber]).toEqual(['Member', '100001']);
    expect((await post('/api/v3/contacts', { email: 'b@example.com' })).status).toBe(201);
  });

  it('may leave out the texts of a consent', async () => {
    const metaData = { displayText: { 'sv-SE': 'Ja' } };
    const folder = folderWith({
      'shop.json': {
        consents: [
          { id: 'a', name: 'A' },
          { id: 'b', name: 'B', metaData },
        ],
      },
    });
    const { body } = await (await openClient({ fixtures: join(folder, 'shop.json') })).get('/consents');
    const empty = { displayText: {}, linkText: {}, conditionText: {} };
    expect(body).toEqual([
      { id: 'a', name: 'A', metaData: empty },
      { id: 'b', name: 'B', metaData: { ...empty, ...metaData } },
    ]);
  });

  it('may be a folder, whose files are put together', async () => {
    const folder = folderWith({
      'a.json': { ...setup, contacts: [{ email: 'a@example.com' }] },
      'b.json': { contacts: [{ email: 'b@example.com' }], stores: [{ externalId: '200', name: 'Helsinki' }] },
      'notes.txt': 'not looked at',
    });
    const { get } = await openClient({ fixtures: folder });
    expect((await get('/api/v3/contacts/count')).body).toBe(2);
    expect((await get('/api/v3/stores')).body).toHaveLength(2);
  });

  it('is never written to', async () => {
    const folder = folderWith({ 'shop.json': { ...setup, contacts: [{ id: astrid, email: 'a@example.com' }] } });
    const file = join(folder, 'shop.json');
    const before = readFileSync(file, 'utf8');
    const { patch } = await openClient({ fixtures: file });
    expect((await patch(`/api/v3/contacts/${astrid}`, { firstName: 'Astrid' })).status).toBe(200);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('may begin with a byte order mark', async () => {
    const folder = folderWith({ 'shop.json': `\uFEFF${JSON.stringify(setup)}` });
    const { get } = await openClient({ fixtures: join(folder, 'shop.json') });
    expect((await get('/api/v3/stores')).body).toHaveLength(1);
  });
});

describe('a relative date', () => {
  const contacts = [{ id: astrid, email: 'a@example.com', createdOn: '-P1Y2M3DT4H', modifiedOn: '+P30D' }];

  it.each([
    ['2026-03-01T12:00:00Z', '2024-12-29T08:00:00.000Z', '2026-03-31T12:00:00.000Z'],
    ['2030-06-15T00:00:00Z', '2029-04-11T20:00:00.000Z', '2030-07-15T00:00:00.000Z'],
  ])('counts from now: %s', async (now, createdOn, modifiedOn) => {
    const folder = folderWith({ 'shop.json': { ...setup, contacts } });
    const { get } = await openClient({ fixtures: join(folder, 'shop.json'), now, assume: { 'A-10': 'envelope' } });
    expect((await get(`/api/v3/contacts/${astrid}`)).body.meta).toMatchObject({ createdOn, modifiedOn });
  });
});

describe('contacts of a fixture', () => {
  it('are given the member numbers that nobody has', async () => {
    const contacts = [{ email: 'a@example.com' }, { memberNumber: '100001' }, { memberNumber: '100003' }];
    const folder = folderWith({ 'shop.json': { ...setup, contacts } });
    const { get, post } = await openClient({ fixtures: join(folder, 'shop.json') });
    const { body: id } = await get('/api/v3/contacts/id?email=a@example.com');
    expect((await get(`/api/v3/contacts/${id}`)).body.memberNumber).toBe('100002');
    expect((await post('/api/v3/contacts', { email: 'b@example.com' })).body.memberNumber).toBe('100004');
  });

  it('have the answers to consents that the file gives, dated when they were made unless it says', async () => {
    const folder = folderWith({
      'shop.json': {
        ...setup,
        consents: [{ id: 'sms', name: 'SMS', metaData: { displayText: {}, linkText: {}, conditionText: {} } }],
        contacts: [{ id: astrid, createdOn: '2025-01-01T00:00:00Z', consents: [{ id: 'sms', value: false }] }],
      },
    });
    const { get } = await openClient({ fixtures: join(folder, 'shop.json') });
    const { consents } = (await get(`/contactoverview?contactId=${astrid}`)).body;
    expect(consents).toEqual([{ id: 'sms', value: false, date: '2025-01-01T00:00:00Z', source: null, comment: null }]);
  });
});

describe('what is wrong in a fixture is told with its place:', () => {
  const contact = (fields: object): object => ({ ...setup, contacts: [{ email: 'a@example.com' }, fields] });

  it.each([
    [
      'an unknown section',
      { storess: [] },
      'shop.json:2:3: storess: is not a section of a fixture; did you mean "stores"?',
    ],
    [
      'an unknown field',
      { stores: [{ externalId: '1', name: 'A', citi: 'B' }] },
      'shop.json:6:7: stores[0].citi: is not a field here; did you mean "city"?',
    ],
    [
      'an unknown field of a contact',
      contact({ emial: 'x@example.com' }),
      'shop.json:20:7: contacts[1].emial: is not a field of a contact; did you mean "email"?',
    ],
    [
      'a wrong type',
      { stores: [{ externalId: 5, name: 'A' }] },
      'shop.json:4:7: stores[0].externalId: must be a text, not 5',
    ],
    ['a missing field', { stores: [{ name: 'A' }] }, 'shop.json:3:5: stores[0].externalId: is required: a text'],
    [
      'a word that is not one of several',
      { stores: [{ externalId: '1', name: 'A', type: 'SHOP' }] },
      'shop.json:6:7: stores[0].type: must be one of STORE, ECOM, not "SHOP"',
    ],
    [
      'a malformed key',
      contact({ mobilePhone: '0701' }),
      'shop.json:20:7: contacts[1].mobilePhone: must be a phone number with its country code, as +46701234567, not "0701"',
    ],
    [
      'a personal number, without repeating it',
      contact({ socialSecurityNumber: '19850709-9806' }),
      'shop.json:20:7: contacts[1].socialSecurityNumber: must be a Swedish or Finnish personal identity number',
    ],
    [
      'a key that another contact has',
      contact({ email: 'A@example.com' }),
      'shop.json:20:7: contacts[1].email: "A@example.com" is the email of contacts[0] already, of type Member too',
    ],
    [
      'a contact type that is not there',
      contact({ contactType: 'Membr' }),
      'shop.json:20:7: contacts[1].contactType: there is no contact type "Membr": contactTypes holds Member; did you mean "Member"?',
    ],
    [
      'a consent that is not there',
      contact({ consents: [{ id: 'sms', value: true }] }),
      'shop.json:22:11: contacts[1].consents[0].id: there is no consent "sms"',
    ],
    [
      'an id that stands twice',
      { stores: [setup.stores[0], setup.stores[0]] },
      'shop.json:8:7: stores[1].externalId: "100" is the externalId of stores[0] already',
    ],
    [
      'a reference that leads nowhere',
      { challenges: [{ definitionId: nobody, contactId: nobody }] },
      `shop.json:5:7: challenges[0].contactId: no contact of this fixture has the id ${nobody}`,
    ],
    [
      'a bad date',
      contact({ createdOn: '-P30X' }),
      'shop.json:20:7: contacts[1].createdOn: must be an ISO 8601 timestamp',
    ],
    [
      'a default contact type without its type',
      { ...setup, retailer: { name: 'A', groupCurrency: 'SEK', defaultContactType: 'Kund' } },
      `shop.json:2:3: contactTypes: must hold the retailer's defaultContactType "Kund", and holds Member`,
    ],
    [
      'a default contact type without any types',
      { retailer: { name: 'A', groupCurrency: 'SEK', defaultContactType: 'Kund' } },
      `shop.json:1:1: contactTypes: must hold the retailer's defaultContactType "Kund", and holds Member`,
    ],
    ['another kind of file', [], 'shop.json:1:1: must be an object with sections such as retailer, contacts, receipts'],
    [
      'broken JSON',
      '{\n  "stores": [1,]\n}',
      'shop.json:2:16: stores[1]: is not valid JSON: expected a value, got "]"',
    ],
    [
      'a name that stands twice',
      '{\n  "stores": [],\n  "stores": []\n}',
      'shop.json:3:3: stores: stands twice in the same object',
    ],
  ])('%s', async (_, content, said) => {
    expect(await saidOf(content)).toContain(said);
  });

  it('everything at once, in the order of the file', async () => {
    const stores = [
      { externalId: 1, name: 'A' },
      { externalId: '2', nam: 'B' },
    ];
    expect((await saidOf({ stores, contacts: {} })).split('\n')).toEqual([
      'shop.json:4:7: stores[0].externalId: must be a text, not 1',
      'shop.json:7:5: stores[1].name: is required: a text',
      'shop.json:9:7: stores[1].nam: is not a field here; did you mean "name"?',
      'shop.json:12:3: contacts: must be a list',
    ]);
  });

  it('no more than twenty lines, and how many more there are', async () => {
    const stores = Array.from({ length: 25 }, (_, i) => ({ externalId: i, name: 'A' }));
    const lines = (await saidOf({ stores })).split('\n');
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('and 5 more problems');
  });

  it('the right file of a folder', async () => {
    const stores = [{ externalId: '1', name: 'A' }];
    const folder = folderWith({
      'a.json': { stores },
      'b.json': { stores: [...setup.stores, { externalId: '1', name: 'B' }] },
    });
    await expect(createSim({ fixtures: folder })).rejects.toThrow(
      `${folder}/b.json:8:7: stores[1].externalId: "1" is the externalId of stores[0] already`,
    );
  });

  it('a file that is not there', async () => {
    const folder = folderWith({ 'shop.json': setup });
    await expect(createSim({ fixtures: join(folder, 'shp.json') })).rejects.toThrow(
      `there is no file or folder ${join(folder, 'shp.json')}; name a JSON file, a folder of them, or one that comes along: default, empty; did you mean "shop.json"?`,
    );
  });
});
