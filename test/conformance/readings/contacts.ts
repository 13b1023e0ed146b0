import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { folderWith, tidyFolders } from '../../support/folders.ts';
import type { Answered, Client } from '../../support/client.ts';
import { refused, wrongFields } from '../world.ts';
import type { Case } from '../world.ts';
import { astrid, bo, nobody, astridOfStaff } from '../../support/people.ts';
import { openRetailerSim } from '../../support/open-sim.ts';

const contactPath = `/api/v3/contacts/${astrid}`;

const find = ({ get }: Client, query: string): Promise<Answered> => get(`/api/v3/contacts/id?${query}`);

const lookups = [
  'email=astrid.lindqvist@example.com',
  'mobilePhone=%2B46701740601',
  'socialSecurityNumber=198507099805',
  'customKey=100001',
  'customKey=crm-1',
  'memberNumber=100001',
  'externalId=crm-1',
  'any=Astrid.Lindqvist@example.com',
  'any=850709-9805',
  'any=0046701740601',
  'any=crm-1',
  'email=astrid.lindqvist@example.com&contactType=member',
];

const lookupRefusals: readonly (readonly [string, number, string])[] = [
  ['email=nobody@example.com', 404, 'ContactNotFound'],
  ['email=nobody', 400, 'InvalidEmailAddress'],
  ['mobilePhone=0701740601', 400, 'InvalidPhoneNumber'],
  ['socialSecurityNumber=1', 400, 'InvalidSocialSecurityNumber'],
  ['email=bo@example.com&contactType=Guest', 400, 'InvalidContactType'],
  ['', 400, 'InvalidSearchQuery'],
  ['email=bo@example.com&externalId=crm-1', 404, 'ContactNotFound'],
  ['email=bo@example.com', 409, 'MultipleMatches'],
];

const get = async (options: object): Promise<Answered> => (await openRetailerSim(options)).get(contactPath);

const fields =
  'id firstName lastName street email mobilePhone memberNumber externalId socialSecurityNumber countryCode';

/** What a status of 4xx is refused with when a validation error occurs. */
const invalidContact = async (options = {}): Promise<Answered> =>
  (await openRetailerSim(options)).post('/api/v3/contacts', { email: 'no' });

const patchedStatus = async (options = {}): Promise<number> =>
  (await (await openRetailerSim(options)).patch(contactPath, { firstName: 'Eva' })).status;

const bulk = async (client: Client): Promise<Answered> =>
  client.post('/api/v3/contacts/bulk?contactType=contact', [{ email: 'eva@example.com' }, { firstName: 'No key' }]);

/** The preferences of a new contact who named one of them, under a reading of A-65. */
async function preferencesUnder(variant: string): Promise<unknown> {
  const { post, get: ask } = await openRetailerSim({ assumptions: { 'A-65': variant } });
  const { body } = await post('/api/v3/contacts', { email: 'eva@example.com', preferences: { acceptsSms: true } });
  expect((await ask(`/contactoverview?contactId=${body.id}`)).body.preferences).toEqual(body.preferences);
  return body.preferences;
}

const consentFixture = JSON.parse(readFileSync('test/conformance/retailer.json', 'utf8'));

/** The consents of a new contact of a retailer whose consent has a default value. */
async function defaultConsents(variant: string): Promise<unknown> {
  const consents = [{ id: 'news', name: 'News', type: 'Consent', defaultValue: true }];
  const contacts = consentFixture.contacts.map((contact: object) => ({ ...contact, consents: [] }));
  const fixtures = folderWith({ 'retailer.json': { ...consentFixture, contacts, consents } });
  const client = await openRetailerSim({ fixtures, assumptions: { 'A-70': variant } });
  tidyFolders();
  expect((await client.get('/consents')).body).toMatchObject([{ id: 'news', type: 'Consent', defaultValue: true }]);
  const answers = [undefined, [{ id: 'news', value: false }]];
  const made = await Promise.all(
    answers.map((given, i) => client.post('/api/v3/contacts', { email: `e${i}@example.com`, consents: given })),
  );
  return made.map(({ body }) => body.consents.map(({ value }: { value: boolean }) => value));
}

export const contactReadings = {
  'A-70': {
    default: async () => expect(await defaultConsents('default')).toEqual([[true], [false]]),
    shown: async () => expect(await defaultConsents('shown')).toEqual([[], [false]]),
  },
  'A-65': {
    default: async () => {
      const said = { acceptsEmail: false, acceptsPostal: false, acceptsSms: true };
      expect(await preferencesUnder('default')).toEqual(said);
    },
    null: async () => {
      expect(await preferencesUnder('null')).toEqual({ acceptsEmail: null, acceptsPostal: null, acceptsSms: true });
    },
    true: async () => {
      expect(await preferencesUnder('true')).toEqual({ acceptsEmail: true, acceptsPostal: true, acceptsSms: true });
    },
  },
  'A-07': {
    default: async () => {
      const client = await openRetailerSim();
      const found = await Promise.all(lookups.map((query) => find(client, query)));
      expect(found.map(({ body }) => body)).toEqual(lookups.map(() => astrid));
      // Well formed as an e-mail address, so nothing else is tried.
      await client.patch(contactPath, { externalId: 'astrid@work.example' });
      expect(refused(await find(client, 'any=astrid@work.example'))).toEqual([404, 'ContactNotFound']);
      expect((await find(client, 'memberNumber=100001&email=astrid.lindqvist@example.com')).body).toBe(astrid);
    },
    one: async () => {
      const client = await openRetailerSim({ assumptions: { 'A-07': 'one' } });
      const several = await find(client, 'email=bo@example.com&externalId=crm-1');
      expect(refused(several)).toEqual([400, 'InvalidSearchQuery']);
      expect((await find(client, 'externalId=crm-1')).body).toBe(astrid);
    },
  },
  'A-08': {
    default: async () => expect((await find(await openRetailerSim(), 'externalId=crm-1')).body).toBe(astrid),
    object: async () => {
      const client = await openRetailerSim({ assumptions: { 'A-08': 'object' } });
      expect((await find(client, 'externalId=crm-1')).body).toEqual({ id: astrid });
    },
  },
  'A-09': {
    default: async () => {
      const client = await openRetailerSim();
      const answers = await Promise.all(lookupRefusals.map(([query]) => find(client, query)));
      expect(answers.map(refused)).toEqual(lookupRefusals.map(([, ...expected]) => expected));
      const ids = [astridOfStaff, bo];
      expect(answers.at(-1)?.body.messageDetails.multipleMatchesFound.toSorted()).toEqual(ids.toSorted());
    },
  },
  'A-10': {
    default: async () => {
      const { body } = await get({});
      expect(Object.keys(body)).toEqual([...fields.split(' '), 'contactType', 'preferences', 'consents']);
    },
    envelope: async () => {
      const { body } = await get({ assumptions: { 'A-10': 'envelope' } });
      expect(Object.keys(body)).toEqual(['id', 'attributes', 'meta', 'preferences', 'consents']);
      expect([body.attributes.firstName, body.meta.contactType]).toEqual(['Astrid', 'Member']);
    },
    both: async () => {
      const { body } = await get({ assumptions: { 'A-10': 'both' } });
      expect([body.firstName, body.attributes.firstName]).toEqual(['Astrid', 'Astrid']);
      expect([body.contactType, body.meta.contactType]).toEqual(['Member', 'Member']);
    },
  },
  'A-11': {
    default: async () => {
      const client = await openRetailerSim();
      const { warnings } = await client.patch(contactPath, { zipCode: '111 22', shoeSize: 38 });
      const { body } = await client.get(contactPath);
      expect([body.zipCode, body.shoeSize]).toEqual(['111 22', undefined]);
      expect(warnings).toMatch(/^unknown-field: "shoeSize"/);
    },
  },
  'A-12': {
    default: async () => {
      const client = await openRetailerSim({ assumptions: { 'A-10': 'both' } });
      const query = '?source=POS&storeExternalId=100&createAsUnapproved=true';
      const sent = {
        email: 'eva@example.com',
        contactType: 'Contact',
        preferences: { acceptsSms: true },
        consents: [{ id: 'newsletter', value: true }],
      };
      const { status, body } = await client.post(`/api/v3/contacts${query}`, sent);
      expect(status).toBe(201);
      expect(body.meta).toMatchObject({ source: 'POS', storeExternalId: '100', isApproved: false });
      expect(body).toMatchObject(sent);
    },
  },
  'A-13': {
    default: async () => {
      const client = await openRetailerSim();
      const typeOf = (contactType?: string) =>
        client.post('/api/v3/contacts', { email: `${contactType}@example.com`, contactType });
      expect((await typeOf()).body.contactType).toBe('Member');
      expect((await typeOf('cONTACT')).body.contactType).toBe('Contact');
      expect(refused(await typeOf('Guest'))).toEqual([400, 'InvalidContactType']);
    },
  },
  'A-14': {
    default: async () => {
      const client = await openRetailerSim();
      const taken = await client.post('/api/v3/contacts', { email: 'ASTRID.LINDQVIST@example.com' });
      expect(refused(taken)).toEqual([409, 'ApprovedContactWithKeyExists']);
      expect(taken.body.messageDetails).toMatchObject({ multipleMatchesFound: [astrid] });
      const wrong = { email: 'no', mobilePhone: '0701740602', socialSecurityNumber: '1' };
      expect(wrongFields(await client.post('/api/v3/contacts', wrong))).toEqual(Object.keys(wrong));
      expect(wrongFields(await client.post('/api/v3/contacts', { contactType: 'Contact' }))).toEqual(['email']);
    },
  },
  'A-15': {
    default: async () => expect(refused(await invalidContact())).toEqual([400, 'ValidationError']),
    '422': async () =>
      expect(refused(await invalidContact({ assumptions: { 'A-15': '422' } }))).toEqual([422, 'ValidationError']),
  },
  'A-16': {
    default: async () => expect(await patchedStatus()).toBe(200),
    '202': async () => expect(await patchedStatus({ assumptions: { 'A-16': '202' } })).toBe(202),
  },
  'A-17': {
    default: async () => {
      const { patch } = await openRetailerSim();
      const answers = ['', '{}', '[]', '"text"', 'null', '{"firstName":'].map((body) => patch(contactPath, body));
      expect((await Promise.all(answers)).map(refused)).toEqual(answers.map(() => [400, 'NoData']));
    },
  },
  'A-18': {
    default: async () => {
      const consents = [{ id: 'newsletter', value: true, comment: 'asked', source: 'POS' }];
      const { status, body } = await (await openRetailerSim()).post(contactPath, { consents, firstName: 'Eva' });
      expect([status, body.firstName, body.lastName]).toEqual([200, 'Eva', 'Lindqvist']);
      expect(body.consents).toMatchObject(consents);
    },
  },
  'A-19': {
    default: async () => {
      const client = await openRetailerSim();
      const { status, body: batchId, warnings } = await bulk(client);
      expect([status, typeof batchId]).toEqual([202, 'string']);
      expect(warnings).toContain('bulk-items-refused: 1 of 2 contacts are refused, first [1]: ValidationError');
      const { body } = await client.get(`/api/v3/contacts/bulk/status?batchId=${batchId}`);
      expect(body).toMatchObject({ status: 'CompletedWithErrors', succeededCount: 1, failedCount: 1 });
      const many = Array.from({ length: 4001 }, () => ({}));
      expect(refused(await client.post('/api/v3/contacts/bulk', many))).toEqual([400, 'TooManyItems']);
      expect(refused(await client.patch('/api/v3/contacts/bulk', many))).toEqual([400, 'TooManyItems']);
    },
    upsert: async () => {
      const client = await openRetailerSim({ assumptions: { 'A-19': 'upsert' } });
      const changed = [{ externalId: 'crm-1', firstName: 'Changed' }, { email: 'eva@example.com' }];
      expect((await client.post('/api/v3/contacts/bulk', changed)).warnings).toBe('');
      expect((await client.get(contactPath)).body.firstName).toBe('Changed');
      expect((await find(client, 'email=eva@example.com')).status).toBe(200);
    },
    object: async () => {
      const { body } = await bulk(await openRetailerSim({ assumptions: { 'A-19': 'object' } }));
      expect(body).toEqual({ batchId: expect.any(String) });
    },
  },
  'A-20': {
    default: async () => {
      const client = await openRetailerSim();
      const overview = (query: string) => client.get(`/contactoverview?${query}`);
      const [bare, prefixed] = [await client.get('/consents'), await client.get('/api/v3/consents')];
      expect(bare.body).toEqual(prefixed.body);
      expect((await client.get(`/api/v3/contactoverview?contactId=${astrid}`)).status).toBe(200);
      expect((await overview('contactType=Member&email=bo@example.com')).body.id).toBe(bo);
      const answers = ['', 'email=bo@example.com', 'contactType=Member'].map(overview);
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([400, 400, 400]);
      expect(refused(await overview(`contactId=${nobody}`))).toEqual([404, 'ContactNotFound']);
    },
  },
} satisfies Record<string, Record<string, Case>>;
