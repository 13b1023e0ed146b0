import { expect } from 'vitest';
import { refused } from '../world.ts';
import type { Case } from '../world.ts';
import { astrid, bo, nobody } from '../../support/people.ts';
import { openRetailerSim } from '../../support/open-sim.ts';

const contactPath = `/api/v3/contacts/${astrid}`;

const patched = async (body: object) => (await openRetailerSim()).patch(contactPath, body);

const patchKeepsType: Case = async () => {
  const { status, body, warnings } = await patched({ contactType: 'Contact' });
  expect([status, body.contactType]).toEqual([200, 'Member']);
  expect(warnings).toContain('contact-type-unmoved');
};

const upgrade: Case = async () => {
  const client = await openRetailerSim();
  const { body } = await client.post('/api/v3/contacts', { email: 'eva@example.com', contactType: 'Contact' });
  const moved = await client.post(`/api/v3/contacts/${body.id}/updateContactType?contactTypeId=Member`);
  expect([moved.status, moved.body.contactType]).toEqual([200, 'Member']);
  expect((await client.get(`/api/v3/contacts/${body.id}`)).body.contactType).toBe('Member');
};

export const contactRules = {
  'general.rule.3': async () => {
    const client = await openRetailerSim();
    const { body } = await client.post('/api/v3/contacts', { email: 'eva@example.com' });
    expect((await client.get('/api/v3/contacts/id?email=eva@example.com')).body).toBe(body.id);
    expect((await client.get(`/api/v3/contacts/${body.id}`)).body).toEqual(body);
  },
  'contact.rule.1': async () => {
    const { status, body } = await patched({ frstName: 'Eva', lastName: 'Ek' });
    expect([status, body.firstName, body.lastName, body.frstName]).toEqual([200, 'Astrid', 'Ek', undefined]);
  },
  'contact.rule.2': async () => {
    const { body } = await patched({ firstName: 'Eva', lastName: '', street: null });
    expect([body.firstName, body.lastName, body.street, body.countryCode]).toEqual(['Eva', '', null, 'SE']);
  },
  // externalId is the primary key of no type here.
  'contact.rule.3': async () => {
    const client = await openRetailerSim();
    expect((await client.get('/api/v3/contacts/id?externalId=crm-1')).body).toBe(astrid);
    const taken = await client.post('/api/v3/contacts', { email: 'eva@example.com', externalId: 'crm-1' });
    expect(refused(taken)).toEqual([409, 'ApprovedContactWithKeyExists']);
  },
  'contact.memberNumber': async () => {
    const client = await openRetailerSim();
    const numberOf = async (email: string) => (await client.post('/api/v3/contacts', { email })).body.memberNumber;
    expect([await numberOf('a@example.com'), await numberOf('b@example.com')]).toEqual(['100003', '100004']);
  },
  'contact.contactType': patchKeepsType,
  'contactType.patch': patchKeepsType,
  'contactType.upgrading': upgrade,
  'contact.consents': async () => {
    const { body } = await patched({ consents: [{ id: 'newsletter', value: false }] });
    expect(body.consents.map(({ id, value }: { id: string; value: boolean }) => [id, value])).toEqual([
      ['newsletter', false],
    ]);
  },
  'contact.matchKeys': async () => {
    const { get } = await openRetailerSim();
    const keys = 'email=astrid.lindqvist@example.com mobilePhone=%2B46701740601 memberNumber=100001 externalId=crm-1';
    const found = [...keys.split(' '), 'socialSecurityNumber=19850709-9805'].map((key) =>
      get(`/api/v3/contacts/id?${key}`),
    );
    expect((await Promise.all(found)).map(({ body }) => body)).toEqual(Array.from({ length: 5 }, () => astrid));
  },
  'contacts.bulkUpdates': async () => {
    const client = await openRetailerSim();
    const bulk = [
      { id: astrid, street: 'New 1' },
      { id: bo, street: 'New 2' },
    ];
    expect(refused(await client.patch(contactPath, bulk))).toEqual([400, 'NoData']);
    expect((await client.patch('/api/v3/contacts/bulk', bulk)).status).toBe(202);
    expect((await client.get(`/api/v3/contacts/${bo}`)).body.street).toBe('New 2');
  },
  'error.rule.2': async () => {
    const { status, warnings } = await patched({ emial: 'x@example.com' });
    expect([status, warnings]).toEqual([200, expect.stringContaining('did you mean "email"?')]);
  },
  'error.rule.3': async () => {
    const client = await openRetailerSim();
    const contact = { email: 'eva@example', mobilePhone: '+46701740602' };
    expect(refused(await client.post('/api/v3/contacts', contact))).toEqual([400, 'ValidationError']);
    expect((await client.post('/api/v3/contacts', { ...contact, email: 'eva@example.com' })).status).toBe(201);
  },
  'version.rule.1': async () => {
    const { body } = await (await openRetailerSim()).get(`/contactoverview?contactId=${astrid}`);
    expect(Object.keys(body).filter((name) => /points?/i.test(name))).toEqual([]);
  },
} satisfies Record<string, Case>;

export const contactTransitions = { 'contactType.any→given': upgrade } satisfies Record<string, Case>;

export const contactErrors = {
  'error.noData': async () => expect(refused(await patched({}))).toEqual([400, 'NoData']),
  'error.notFound': async () => {
    const { status, body } = await (await openRetailerSim()).patch(`/api/v3/contacts/${nobody}`, { firstName: 'Eva' });
    expect([status, body.errorCode, body.message]).toEqual([404, 'NotFound', expect.stringContaining('Not Found')]);
  },
  'error.contactNotFound': async () => {
    const { status, body } = await (await openRetailerSim()).get('/api/v3/contacts/id?email=nobody@example.com');
    expect([status, body.errorCode]).toEqual([404, 'ContactNotFound']);
    expect(body.message).toContain('contact not found');
  },
} satisfies Record<string, Case>;
