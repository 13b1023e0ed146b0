import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { folderWith, tidyFolders } from '../../support/folders.ts';
import { receiptOf } from '../../support/receipt.ts';
import { ada } from '../../support/people.ts';
import { openEmptySim, openSim, openSimWithAda } from '../../support/open-sim.ts';

afterEach(tidyFolders);

describe('GET /contacts/id', () => {
  it.each([
    ['email=ada.ek@EXAMPLE.com', 200],
    ['mobilePhone=%2B46701740601', 200],
    ['memberNumber=100001', 200],
    ['customKey=100001', 200],
    ['any=ada.ek@example.com', 200],
    ['any=0046701740601', 200],
    ['any=100001', 200],
    ['email=ada.ek@example.com&contactType=member', 200],
    ['email=ada.ek@example.com&contactType=Contact', 404],
  ])('answers %s with %i', async (query, status) => {
    const { client, id } = await openSimWithAda();
    const answered = await client.get(`/api/v3/contacts/id?${query}`);
    expect(answered.status).toBe(status);
    if (status === 200) expect(answered.body).toBe(id);
  });

  it.each([
    ['', 400, 'InvalidSearchQuery'],
    ['email=a@example.com&memberNumber=1', 404, 'ContactNotFound'],
    ['email=a', 400, 'InvalidEmailAddress'],
    ['mobilePhone=0701', 400, 'InvalidPhoneNumber'],
    ['socialSecurityNumber=1', 400, 'InvalidSocialSecurityNumber'],
    ['email=a@example.com&contactType=x', 400, 'InvalidContactType'],
    ['email=a@example.com', 404, 'ContactNotFound'],
    ['any=a@example.com', 404, 'ContactNotFound'],
  ])('refuses %s with %i %s', async (query, status, errorCode) => {
    const { body, status: answered } = await (await openEmptySim()).get(`/api/v3/contacts/id?${query}`);
    expect([answered, body.errorCode]).toEqual([status, errorCode]);
  });

  it.each(['socialSecurityNumber', 'any'])('does not repeat a personal number sent as %s', async (name) => {
    const { body } = await (await openEmptySim()).get(`/api/v3/contacts/id?${name}=19121212-1212`);
    expect(body.message).toBe(`contact not found: nobody has the ${name === 'any' ? 'key' : name} (hidden).`);
  });

  it('answers the ids of both when two types share the key', async () => {
    const { client, id } = await openSimWithAda();
    const twin = (await client.post('/api/v3/contacts', { email: ada.email, contactType: 'Contact' })).body.id;
    const { status, body } = await client.get(`/api/v3/contacts/id?email=${ada.email}`);
    expect([status, body.errorCode]).toEqual([409, 'MultipleMatches']);
    expect(body.messageDetails.multipleMatchesFound.toSorted()).toEqual([id, twin].toSorted());
    expect(body.message).toBe('More than one contact matches; name a contactType, or another identifier too.');
  });

  it.each(['mobilePhone=+46701740601', 'email=a+b@example.com', 'any=+46701740601'])(
    'says of %s that a plus sign must be encoded',
    async (query) => {
      const { client } = await openSimWithAda();
      const { status, body } = await client.get(`/api/v3/contacts/id?${query}`);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(body.message).toContain('in a query, "+" means a space; write %2B for a plus sign');
    },
  );

  it('answers an object where A-08 says so', async () => {
    const { client, id } = await openSimWithAda({ assumptions: { 'A-08': 'object' } });
    expect((await client.get(`/api/v3/contacts/id?email=${ada.email}`)).body).toEqual({ id });
  });
});

describe('a contact in answers', () => {
  it('comes in an envelope where A-10 says so', async () => {
    const { client, id } = await openSimWithAda({ assumptions: { 'A-10': 'envelope' } });
    const { body } = await client.get(`/api/v3/contacts/${id}`);
    expect(Object.keys(body)).toEqual(['id', 'attributes', 'meta', 'preferences', 'consents']);
    expect([body.attributes.firstName, body.meta.contactType]).toEqual(['Ada', 'Member']);
    expect(body.meta.createdOn).toBe('2026-03-01T12:00:00.000Z');
  });

  it('comes both ways where A-10 says so', async () => {
    const { client, id } = await openSimWithAda({ assumptions: { 'A-10': 'both' } });
    const { body } = await client.get(`/api/v3/contacts/${id}`);
    expect([body.firstName, body.attributes.firstName]).toEqual(['Ada', 'Ada']);
  });

  it('is in the overview, by id or by type and key', async () => {
    const { client, id } = await openSimWithAda();
    const { body } = await client.get(`/api/v3/contacts/${id}`);
    expect((await client.get(`/contactoverview?contactId=${id}`)).body).toEqual(body);
    expect((await client.get(`/api/v3/contactoverview?contactType=Member&email=${ada.email}`)).body).toEqual(body);
  });

  it.each(['', 'email=ada.ek@example.com', 'contactId=1&email=ada.ek@example.com'])(
    'is not in the overview by "%s", whatever the status of validation errors',
    async (query) => {
      const { status, body } = await (
        await openEmptySim({ assumptions: { 'A-15': '422' } })
      ).get(`/contactoverview?${query}`);
      expect([status, body.errorCode]).toEqual([400, 'InvalidSearchQuery']);
    },
  );
});

describe('POST /contacts/{contactId}/updateContactType', () => {
  it('upgrades a contact to a member, with a number', async () => {
    const client = await openEmptySim();
    const { id } = (await client.post('/api/v3/contacts', { email: 'p@example.com', contactType: 'Contact' })).body;
    const { status, body } = await client.post(`/api/v3/contacts/${id}/updateContactType?contactTypeId=member`);
    expect([status, body.contactType, body.memberNumber]).toEqual([200, 'Member', '100001']);
  });

  it('refuses a type in which the key is taken', async () => {
    const { client } = await openSimWithAda();
    const { id } = (await client.post('/api/v3/contacts', { email: ada.email, contactType: 'Contact' })).body;
    expect((await client.post(`/api/v3/contacts/${id}/updateContactType?contactTypeId=Member`)).status).toBe(409);
  });

  it.each([
    ['', 400, 'ValidationError'],
    ['?contactTypeId=x', 400, 'InvalidContactType'],
  ])('refuses %s', async (query, status, errorCode) => {
    const { client, id } = await openSimWithAda();
    const answered = await client.post(`/api/v3/contacts/${id}/updateContactType${query}`);
    expect([answered.status, answered.body.errorCode]).toEqual([status, errorCode]);
  });
});

describe('a key that the type lets contacts share', () => {
  const fixtures = 'test/support/household.json';
  const phone = '+46701740601';
  const byPhone = `/api/v3/contacts/id?mobilePhone=${encodeURIComponent(phone)}`;

  it('finds several of one type, until another identifier tells them apart', async () => {
    const { get, post } = await openSim({ fixtures });
    expect((await post('/api/v3/contacts', { email: 'cy@example.com', mobilePhone: phone })).status).toBe(201);
    const { status, body } = await get(`${byPhone}&contactType=Member`);
    expect([status, body.errorCode, body.messageDetails.multipleMatchesFound.length]).toEqual([
      409,
      'MultipleMatches',
      3,
    ]);
    expect(body.message).toBe(
      '3 contacts of type Member match, so a contactType does not distinguish them; ' +
        'name a key that only one of them has, as its email, or its id.',
    );
    expect((await get(`${byPhone}&email=cy@example.com`)).status).toBe(200);
  });

  it('may still be taken in a type where it is unique', async () => {
    const { post } = await openSim({ fixtures });
    const create = async (email: string, mobilePhone: string) =>
      (await post('/api/v3/contacts', { email, mobilePhone, contactType: 'Contact' })).status;
    expect([await create('d@example.com', phone), await create('e@example.com', phone)]).toEqual([201, 409]);
  });

  it('keeps a contact from a type where it is taken', async () => {
    const { get, post } = await openSim({ fixtures });
    await post('/api/v3/contacts', { email: 'd@example.com', mobilePhone: phone, contactType: 'Contact' });
    const { body: own } = await get('/api/v3/contacts/id?email=ada@example.com');
    const { status, body } = await post(`/api/v3/contacts/${own}/updateContactType?contactTypeId=Contact`);
    expect([status, body.errorCode]).toEqual([409, 'ApprovedContactWithKeyExists']);
  });

  it('leaves a receipt and a row of a bulk to nobody', async () => {
    const { get, post, patch } = await openSim({ fixtures });
    const contact = { matchKey: phone, matchKeyType: 'mobilePhone' };
    const { status, warnings } = await post('/api/v3/receipts', { ...(receiptOf('', 'r-1') as object), contact });
    expect([status, warnings]).toEqual([
      202,
      expect.stringContaining('2 contacts of type Member have the mobilePhone'),
    ]);
    const batch = (await patch('/api/v3/contacts/bulk', [{ mobilePhone: phone, firstName: 'Ada' }])).body;
    const { errors } = (await get(`/api/v3/contacts/bulk/status?batchId=${batch}`)).body;
    expect(errors[0]).toMatchObject({
      errorCode: 'MultipleMatches',
      message: expect.stringContaining('name a key that only one of them has'),
    });
  });
});

it('a fixture whose type shares its own key attribute is refused', async () => {
  const contactTypes = [{ id: 'Member', name: 'Member', keyAttribute: 'email', unique: ['memberNumber'] }];
  const fixtures = join(folderWith({ 'types.json': { contactTypes } }), 'types.json');
  await expect(openSim({ fixtures })).rejects.toThrow('must hold the keyAttribute of the type, which is email');
});
