import { describe, expect, it } from 'vitest';
import { nobody, ada, astridPath } from '../../support/people.ts';
import { openSimWithAda, openSim, openEmptySim } from '../../support/open-sim.ts';

describe('POST /contacts', () => {
  it('answers the whole contact, with its id and a member number', async () => {
    const { status, body } = await (
      await openEmptySim({ assumptions: { 'A-65': 'null' } })
    ).post('/api/v3/contacts', { ...ada, preferences: { acceptsSms: true } });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...ada,
      street: null,
      memberNumber: '100001',
      externalId: null,
      socialSecurityNumber: null,
      countryCode: null,
      contactType: 'Member',
      preferences: { acceptsEmail: null, acceptsPostal: null, acceptsSms: true },
      consents: [],
    });
  });

  it.each([
    ['email', 'ADA.EK@example.com'],
    ['mobilePhone', '0046701740601'],
    ['mobilePhone', '+46 (0)70-174 06 01'],
    ['memberNumber', '100001'],
  ])('refuses a second contact with the same %s', async (field, value) => {
    const { client, id } = await openSimWithAda();
    const { status, body } = await client.post('/api/v3/contacts', { email: 'other@example.com', [field]: value });
    expect([status, body.errorCode]).toEqual([409, 'ApprovedContactWithKeyExists']);
    expect(body.messageDetails).toEqual({ field, multipleMatchesFound: [id] });
  });

  it('lets another contact type have the same e-mail', async () => {
    const { client } = await openSimWithAda();
    const { status, body } = await client.post('/api/v3/contacts', { email: ada.email, contactType: 'contact' });
    expect([status, body.contactType, body.memberNumber]).toEqual([201, 'Contact', null]);
  });

  it('names every wrong field', async () => {
    const sent = { firstName: 1, email: 'no', mobilePhone: '0701', preferences: [], consents: [{ value: 'yes' }] };
    const { status, body } = await (await openEmptySim()).post('/api/v3/contacts', sent);
    expect([status, body.errorCode]).toEqual([400, 'ValidationError']);
    expect(body.validationErrors).toEqual([
      { field: 'firstName', errorDescription: 'must be a text, not a number' },
      { field: 'email', errorDescription: 'must be an e-mail address' },
      { field: 'mobilePhone', errorDescription: 'must be a phone number with its country code, as +46701234567' },
      { field: 'preferences', errorDescription: 'must be an object, not a list' },
      { field: 'consents[0].id', errorDescription: 'is required: a text' },
      { field: 'consents[0].value', errorDescription: 'must be true or false, not a text' },
    ]);
  });

  it('refuses a contact without anything to find it by', async () => {
    const { status, body } = await (await openEmptySim()).post('/api/v3/contacts', { firstName: 'Ada' });
    expect([status, body.errorCode, body.validationErrors[0].field]).toEqual([400, 'ValidationError', 'email']);
  });

  it('gives a contact whose type is null the default one', async () => {
    const client = await openEmptySim();
    const { status, body } = await client.post('/api/v3/contacts', { ...ada, contactType: null });
    expect([status, body.contactType]).toEqual([201, 'Member']);
    const { warnings } = await client.patch(`/api/v3/contacts/${body.id}`, { contactType: null });
    expect(warnings).toContain('contactType stays Member');
  });

  it('says of a store that there is none of it', async () => {
    const { post } = await openSim();
    expect((await post('/api/v3/contacts?storeExternalId=10', ada)).warnings).toBe(
      'unknown-store: no store has the storeExternalId "10"; did you mean "100"?',
    );
  });

  it('refuses an unknown contact type', async () => {
    const { status, body } = await (await openEmptySim()).post('/api/v3/contacts', { ...ada, contactType: 'Membr' });
    expect([status, body.errorCode]).toEqual([400, 'InvalidContactType']);
    expect(body.message).toContain('did you mean "Member"?');
  });

  it.each(['198507099805', '850709-9805', '8507099805', '131052-308T', '010594Y9032'])(
    'takes the personal number %s',
    async (socialSecurityNumber) => {
      const { status } = await (await openEmptySim()).post('/api/v3/contacts', { socialSecurityNumber });
      expect(status).toBe(201);
    },
  );

  it.each(['198507099806', '850709', '131052-308X', 'x'])('refuses the personal number %s', async (number) => {
    const { body } = await (await openEmptySim()).post('/api/v3/contacts', { socialSecurityNumber: number });
    expect(body.validationErrors[0].field).toBe('socialSecurityNumber');
  });

  it('gives the same ids to the same calls, and others to another seed', async () => {
    const [one, again, other] = [
      await openSimWithAda({ seed: 1 }),
      await openSimWithAda({ seed: 1 }),
      await openSimWithAda({ seed: 2 }),
    ];
    expect(again.id).toBe(one.id);
    expect(other.id).not.toBe(one.id);
  });
});

describe('PATCH /contacts/{contactId}', () => {
  it('overwrites what is sent, even with "" and null, and leaves the rest', async () => {
    const { client, id } = await openSimWithAda();
    const { status, body, warnings } = await client.patch(`/api/v3/contacts/${id}`, { firstName: '', lastName: null });
    expect([status, body.firstName, body.lastName, body.email]).toEqual([200, '', null, ada.email]);
    expect(warnings).toContain('value-erased: firstName had a value and is now ""');
    expect(warnings).toContain('value-erased: lastName had a value and is now null');
  });

  it('ignores a misspelled field and says so', async () => {
    const { client, id } = await openSimWithAda();
    const before = (await client.get(`/api/v3/contacts/${id}`)).body;
    const { status, body, warnings } = await client.patch(`/api/v3/contacts/${id}`, { fristName: 'Eva' });
    expect([status, body]).toEqual([200, before]);
    expect(warnings).toBe(
      'unknown-field: "fristName" is not a field that the service reads; did you mean "firstName"?',
    );
  });

  it('refuses a misspelled field when told to be strict', async () => {
    const { client, id } = await openSimWithAda({ fieldValidation: 'strict' });
    const { status, body } = await client.patch(`/api/v3/contacts/${id}`, { fristName: 'Eva' });
    expect([status, body.validationErrors[0].field]).toEqual([400, 'fristName']);
  });

  it.each(['PATCH', 'POST'])('says of a %s with an empty list of consents that it sets none', async (method) => {
    const { client, id } = await openSimWithAda();
    const { status, body, warnings } = await client.call(method, `/api/v3/contacts/${id}`, { body: { consents: [] } });
    expect([status, body.consents]).toEqual([200, []]);
    expect(warnings).toBe('consents-kept: consents: [] sets none; a set consent never goes back to not set');
  });

  it('says which preferences were erased', async () => {
    const { client, id } = await openSimWithAda();
    await client.patch(`/api/v3/contacts/${id}`, { preferences: { acceptsEmail: true, acceptsSms: false } });
    const { warnings } = await client.patch(`/api/v3/contacts/${id}`, { preferences: { acceptsSms: null } });
    expect(warnings).toBe('value-erased: preferences.acceptsSms had a value and is now null: present fields overwrite');
    expect((await client.patch(`/api/v3/contacts/${id}`, { preferences: null })).warnings).toContain(
      'acceptsEmail had',
    );
  });

  it("names wrong fields of the retailer's own along with the others", async () => {
    const client = await openSim();
    const sent = { firstName: 1, birthDay: 'x', registrationDate: 5 };
    const { body } = await client.patch(astridPath, sent);
    const fields = body.validationErrors.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(['firstName', 'birthDay', 'registrationDate']);
  });

  it('never changes the contact type', async () => {
    const { client, id } = await openSimWithAda();
    const { body, warnings } = await client.patch(`/api/v3/contacts/${id}`, { contactType: 'Contact' });
    expect(body.contactType).toBe('Member');
    expect(warnings).toContain('contactType stays Member');
  });

  it.each([[''], ['{}'], ['[]'], ['null'], ['"text"'], ['{"firstName":']])(
    'answers NoData to the body %s',
    async (body) => {
      const { client, id } = await openSimWithAda();
      const answered = await client.call('PATCH', `/api/v3/contacts/${id}`, { body });
      expect([answered.status, answered.body.errorCode]).toEqual([400, 'NoData']);
    },
  );

  it.each(['GET', 'PATCH'])('tells a %s by another key in place of the id where to find the id', async (method) => {
    const { body } = await (
      await openEmptySim()
    ).call(method, '/api/v3/contacts/100001', method === 'GET' ? {} : { body: ada });
    expect(body.message).toContain(
      'no contact has the id 100001; an id is a GUID, which GET /api/v3/contacts/id finds by other keys',
    );
  });

  it('answers 404 to an id that is unknown or no id at all', async () => {
    const client = await openEmptySim();
    for (const id of [nobody, 'x']) {
      const { status, body } = await client.patch(`/api/v3/contacts/${id}`, { firstName: 'Eva' });
      expect([status, body.errorCode]).toEqual([404, 'NotFound']);
    }
  });

  it('moves the lookup along with the key', async () => {
    const { client, id } = await openSimWithAda();
    await client.patch(`/api/v3/contacts/${id}`, { email: 'new@example.com' });
    expect((await client.get('/api/v3/contacts/id?email=new@example.com')).body).toBe(id);
    expect((await client.get(`/api/v3/contacts/id?email=${ada.email}`)).status).toBe(404);
  });

  it('changes nothing when the key belongs to somebody else', async () => {
    const { client, id } = await openSimWithAda();
    const other = (await client.post('/api/v3/contacts', { email: 'b@example.com' })).body;
    const { status } = await client.patch(`/api/v3/contacts/${other.id}`, { firstName: 'B', email: ada.email });
    expect(status).toBe(409);
    expect((await client.get(`/api/v3/contacts/${other.id}`)).body).toEqual(other);
    expect((await client.get(`/api/v3/contacts/id?email=${ada.email}`)).body).toBe(id);
  });

  it('answers 202 where A-16 says so', async () => {
    const { client, id } = await openSimWithAda({ assumptions: { 'A-16': '202' } });
    expect((await client.patch(`/api/v3/contacts/${id}`, { firstName: 'Eva' })).status).toBe(202);
  });

  it('finds a contact by its id in capitals too', async () => {
    const { client, id } = await openSimWithAda();
    expect((await client.patch(`/api/v3/contacts/${id.toUpperCase()}`, { firstName: 'Eva' })).status).toBe(200);
  });
});
