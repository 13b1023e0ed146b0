import { describe, expect, it } from 'vitest';
import { openClient } from '../support/client.ts';
import type { Client } from '../support/client.ts';

const ada = { firstName: 'Ada', lastName: 'Ek', email: 'Ada.Ek@example.com', mobilePhone: '+46 70-174 06 01' };
const nobody = '00000000-0000-4000-8000-000000000000';

const open = (options = {}): Promise<Client> => openClient({ fixtures: 'empty', ...options });

async function openWithAda(options = {}): Promise<{ client: Client; id: string }> {
  const client = await open(options);
  const { body } = await client.post('/api/v3/contacts', ada);
  return { client, id: body.id };
}

describe('POST /contacts', () => {
  it('answers the whole contact, with its id and a member number', async () => {
    const { status, body } = await (
      await open()
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
    const { client, id } = await openWithAda();
    const { status, body } = await client.post('/api/v3/contacts', { email: 'other@example.com', [field]: value });
    expect([status, body.errorCode]).toEqual([409, 'ApprovedContactWithKeyExists']);
    expect(body.messageDetails).toEqual({ field, multipleMatchesFound: [id] });
  });

  it('lets another contact type have the same e-mail', async () => {
    const { client } = await openWithAda();
    const { status, body } = await client.post('/api/v3/contacts', { email: ada.email, contactType: 'contact' });
    expect([status, body.contactType, body.memberNumber]).toEqual([201, 'Contact', null]);
  });

  it('names every wrong field', async () => {
    const sent = { firstName: 1, email: 'no', mobilePhone: '0701', preferences: [], consents: [{ value: 'yes' }] };
    const { status, body } = await (await open()).post('/api/v3/contacts', sent);
    expect([status, body.errorCode]).toEqual([400, 'ValidationError']);
    expect(body.validationErrors).toEqual([
      { field: 'firstName', errorDescription: 'must be a text' },
      { field: 'email', errorDescription: 'must be an e-mail address' },
      { field: 'mobilePhone', errorDescription: 'must be a phone number with its country code, as +46701234567' },
      { field: 'preferences', errorDescription: 'must be an object' },
      { field: 'consents[0].id', errorDescription: 'is required: a text' },
      { field: 'consents[0].value', errorDescription: 'must be true or false' },
    ]);
  });

  it('refuses a contact without anything to find it by', async () => {
    const { status, body } = await (await open()).post('/api/v3/contacts', { firstName: 'Ada' });
    expect([status, body.errorCode, body.validationErrors[0].field]).toEqual([400, 'ValidationError', 'email']);
  });

  it('gives a contact whose type is null the default one', async () => {
    const client = await open();
    const { status, body } = await client.post('/api/v3/contacts', { ...ada, contactType: null });
    expect([status, body.contactType]).toEqual([201, 'Member']);
    const { warnings } = await client.patch(`/api/v3/contacts/${body.id}`, { contactType: null });
    expect(warnings).toContain('contactType stays Member');
  });

  it('says of a store that there is none of it', async () => {
    const { post } = await openClient();
    expect((await post('/api/v3/contacts?storeExternalId=10', ada)).warnings).toBe(
      'unknown-store: no store has the storeExternalId "10"; did you mean "100"?',
    );
  });

  it('refuses an unknown contact type', async () => {
    const { status, body } = await (await open()).post('/api/v3/contacts', { ...ada, contactType: 'Membr' });
    expect([status, body.errorCode]).toEqual([400, 'InvalidContactType']);
    expect(body.message).toContain('did you mean "Member"?');
  });

  it.each(['198507099805', '850709-9805', '8507099805', '131052-308T', '010594Y9032'])(
    'takes the personal number %s',
    async (socialSecurityNumber) => {
      const { status } = await (await open()).post('/api/v3/contacts', { socialSecurityNumber });
      expect(status).toBe(201);
    },
  );

  it.each(['198507099806', '850709', '131052-308X', 'x'])('refuses the personal number %s', async (number) => {
    const { body } = await (await open()).post('/api/v3/contacts', { socialSecurityNumber: number });
    expect(body.validationErrors[0].field).toBe('socialSecurityNumber');
  });

  it('gives the same ids to the same calls, and others to another seed', async () => {
    const [one, again, other] = [
      await openWithAda({ seed: 1 }),
      await openWithAda({ seed: 1 }),
      await openWithAda({ seed: 2 }),
    ];
    expect(again.id).toBe(one.id);
    expect(other.id).not.toBe(one.id);
  });
});

describe('PATCH /contacts/{contactId}', () => {
  it('overwrites what is sent, even with "" and null, and leaves the rest', async () => {
    const { client, id } = await openWithAda();
    const { status, body, warnings } = await client.patch(`/api/v3/contacts/${id}`, { firstName: '', lastName: null });
    expect([status, body.firstName, body.lastName, body.email]).toEqual([200, '', null, ada.email]);
    expect(warnings).toContain('value-erased: firstName had a value and is now ""');
    expect(warnings).toContain('value-erased: lastName had a value and is now null');
  });

  it('ignores a misspelled field and says so', async () => {
    const { client, id } = await openWithAda();
    const before = (await client.get(`/api/v3/contacts/${id}`)).body;
    const { status, body, warnings } = await client.patch(`/api/v3/contacts/${id}`, { fristName: 'Eva' });
    expect([status, body]).toEqual([200, before]);
    expect(warnings).toBe(
      'unknown-field: "fristName" is not a field that the service reads; did you mean "firstName"?',
    );
  });

  it('refuses a misspelled field when told to be strict', async () => {
    const { client, id } = await openWithAda({ fieldValidation: 'strict' });
    const { status, body } = await client.patch(`/api/v3/contacts/${id}`, { fristName: 'Eva' });
    expect([status, body.validationErrors[0].field]).toEqual([400, 'fristName']);
  });

  it.each(['PATCH', 'POST'])('says of a %s with an empty list of consents that it sets none', async (method) => {
    const { client, id } = await openWithAda();
    const { status, body, warnings } = await client.call(method, `/api/v3/contacts/${id}`, { body: { consents: [] } });
    expect([status, body.consents]).toEqual([200, []]);
    expect(warnings).toBe('consents-kept: consents: [] sets none; a set consent never goes back to not set');
  });

  it('says which preferences were erased', async () => {
    const { client, id } = await openWithAda();
    await client.patch(`/api/v3/contacts/${id}`, { preferences: { acceptsEmail: true, acceptsSms: false } });
    const { warnings } = await client.patch(`/api/v3/contacts/${id}`, { preferences: { acceptsSms: null } });
    expect(warnings).toBe('value-erased: preferences.acceptsSms had a value and is now null: present fields overwrite');
    expect((await client.patch(`/api/v3/contacts/${id}`, { preferences: null })).warnings).toContain(
      'acceptsEmail had',
    );
  });

  it("names wrong fields of the retailer's own along with the others", async () => {
    const client = await openClient();
    const sent = { firstName: 1, birthDay: 'x', registrationDate: 5 };
    const { body } = await client.patch('/api/v3/contacts/5a0e7c1e-0001-4000-8000-000000000001', sent);
    const fields = body.validationErrors.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(['firstName', 'birthDay', 'registrationDate']);
  });

  it('never changes the contact type', async () => {
    const { client, id } = await openWithAda();
    const { body, warnings } = await client.patch(`/api/v3/contacts/${id}`, { contactType: 'Contact' });
    expect(body.contactType).toBe('Member');
    expect(warnings).toContain('contactType stays Member');
  });

  it.each([[''], ['{}'], ['[]'], ['null'], ['"text"'], ['{"firstName":']])(
    'answers NoData to the body %s',
    async (body) => {
      const { client, id } = await openWithAda();
      const answered = await client.call('PATCH', `/api/v3/contacts/${id}`, { body });
      expect([answered.status, answered.body.errorCode]).toEqual([400, 'NoData']);
    },
  );

  it.each(['GET', 'PATCH'])('tells a %s by another key in place of the id where to find the id', async (method) => {
    const { body } = await (
      await open()
    ).call(method, '/api/v3/contacts/100001', method === 'GET' ? {} : { body: ada });
    expect(body.message).toContain(
      'no contact has the id 100001; an id is a GUID, which GET /api/v3/contacts/id finds by other keys',
    );
  });

  it('answers 404 to an id that is unknown or no id at all', async () => {
    const client = await open();
    for (const id of [nobody, 'x']) {
      const { status, body } = await client.patch(`/api/v3/contacts/${id}`, { firstName: 'Eva' });
      expect([status, body.errorCode]).toEqual([404, 'NotFound']);
    }
  });

  it('moves the lookup along with the key', async () => {
    const { client, id } = await openWithAda();
    await client.patch(`/api/v3/contacts/${id}`, { email: 'new@example.com' });
    expect((await client.get('/api/v3/contacts/id?email=new@example.com')).body).toBe(id);
    expect((await client.get(`/api/v3/contacts/id?email=${ada.email}`)).status).toBe(404);
  });

  it('changes nothing when the key belongs to somebody else', async () => {
    const { client, id } = await openWithAda();
    const other = (await client.post('/api/v3/contacts', { email: 'b@example.com' })).body;
    const { status } = await client.patch(`/api/v3/contacts/${other.id}`, { firstName: 'B', email: ada.email });
    expect(status).toBe(409);
    expect((await client.get(`/api/v3/contacts/${other.id}`)).body).toEqual(other);
    expect((await client.get(`/api/v3/contacts/id?email=${ada.email}`)).body).toBe(id);
  });

  it('answers 202 where A-16 says so', async () => {
    const { client, id } = await openWithAda({ assume: { 'A-16': '202' } });
    expect((await client.patch(`/api/v3/contacts/${id}`, { firstName: 'Eva' })).status).toBe(202);
  });

  it('finds a contact by its id in capitals too', async () => {
    const { client, id } = await openWithAda();
    expect((await client.patch(`/api/v3/contacts/${id.toUpperCase()}`, { firstName: 'Eva' })).status).toBe(200);
  });
});

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
    const { client, id } = await openWithAda();
    const answered = await client.get(`/api/v3/contacts/id?${query}`);
    expect(answered.status).toBe(status);
    if (status === 200) expect(answered.body).toBe(id);
  });

  it.each([
    ['', 400, 'InvalidSearchQuery'],
    ['email=a@example.com&memberNumber=1', 400, 'InvalidSearchQuery'],
    ['email=a', 400, 'InvalidEmailAddress'],
    ['mobilePhone=0701', 400, 'InvalidPhoneNumber'],
    ['socialSecurityNumber=1', 400, 'InvalidSocialSecurityNumber'],
    ['email=a@example.com&contactType=x', 400, 'InvalidContactType'],
    ['email=a@example.com', 404, 'ContactNotFound'],
    ['any=a@example.com', 404, 'ContactNotFound'],
  ])('refuses %s with %i %s', async (query, status, errorCode) => {
    const { body, status: answered } = await (await open()).get(`/api/v3/contacts/id?${query}`);
    expect([answered, body.errorCode]).toEqual([status, errorCode]);
  });

  it.each(['socialSecurityNumber', 'any'])('does not repeat a personal number sent as %s', async (name) => {
    const { body } = await (await open()).get(`/api/v3/contacts/id?${name}=19121212-1212`);
    expect(body.message).toBe(`contact not found: nobody has the ${name === 'any' ? 'key' : name} (hidden).`);
  });

  it('answers the ids of both when two types share the key', async () => {
    const { client, id } = await openWithAda();
    const twin = (await client.post('/api/v3/contacts', { email: ada.email, contactType: 'Contact' })).body.id;
    const { status, body } = await client.get(`/api/v3/contacts/id?email=${ada.email}`);
    expect([status, body.errorCode]).toEqual([409, 'MultipleMatches']);
    expect(body.messageDetails.multipleMatchesFound.toSorted()).toEqual([id, twin].toSorted());
  });

  it.each(['mobilePhone=+46701740601', 'email=a+b@example.com', 'any=+46701740601'])(
    'says of %s that a plus sign must be encoded',
    async (query) => {
      const { client } = await openWithAda();
      const { status, body } = await client.get(`/api/v3/contacts/id?${query}`);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(body.message).toContain('in a query, "+" means a space; write %2B for a plus sign');
    },
  );

  it('answers an object where A-08 says so', async () => {
    const { client, id } = await openWithAda({ assume: { 'A-08': 'object' } });
    expect((await client.get(`/api/v3/contacts/id?email=${ada.email}`)).body).toEqual({ id });
  });
});

describe('a contact in answers', () => {
  it('comes in an envelope where A-10 says so', async () => {
    const { client, id } = await openWithAda({ assume: { 'A-10': 'envelope' } });
    const { body } = await client.get(`/api/v3/contacts/${id}`);
    expect(Object.keys(body)).toEqual(['id', 'attributes', 'meta', 'preferences', 'consents']);
    expect([body.attributes.firstName, body.meta.contactType]).toEqual(['Ada', 'Member']);
    expect(body.meta.createdOn).toBe('2026-03-01T12:00:00.000Z');
  });

  it('comes both ways where A-10 says so', async () => {
    const { client, id } = await openWithAda({ assume: { 'A-10': 'both' } });
    const { body } = await client.get(`/api/v3/contacts/${id}`);
    expect([body.firstName, body.attributes.firstName]).toEqual(['Ada', 'Ada']);
  });

  it('is in the overview, by id or by type and key', async () => {
    const { client, id } = await openWithAda();
    const { body } = await client.get(`/api/v3/contacts/${id}`);
    expect((await client.get(`/contactoverview?contactId=${id}`)).body).toEqual(body);
    expect((await client.get(`/api/v3/contactoverview?contactType=Member&email=${ada.email}`)).body).toEqual(body);
  });

  it.each(['', 'email=ada.ek@example.com', 'contactId=1&email=ada.ek@example.com'])(
    'is not in the overview by "%s", whatever the status of validation errors',
    async (query) => {
      const { status, body } = await (await open({ assume: { 'A-15': '422' } })).get(`/contactoverview?${query}`);
      expect([status, body.errorCode]).toEqual([400, 'InvalidSearchQuery']);
    },
  );
});

describe('POST /contacts/{contactId}/updateContactType', () => {
  it('upgrades a contact to a member, with a number', async () => {
    const client = await open();
    const { id } = (await client.post('/api/v3/contacts', { email: 'p@example.com', contactType: 'Contact' })).body;
    const { status, body } = await client.post(`/api/v3/contacts/${id}/updateContactType?contactTypeId=member`);
    expect([status, body.contactType, body.memberNumber]).toEqual([200, 'Member', '100001']);
  });

  it('refuses a type in which the key is taken', async () => {
    const { client } = await openWithAda();
    const { id } = (await client.post('/api/v3/contacts', { email: ada.email, contactType: 'Contact' })).body;
    expect((await client.post(`/api/v3/contacts/${id}/updateContactType?contactTypeId=Member`)).status).toBe(409);
  });

  it.each([
    ['', 400, 'ValidationError'],
    ['?contactTypeId=x', 400, 'InvalidContactType'],
  ])('refuses %s', async (query, status, errorCode) => {
    const { client, id } = await openWithAda();
    const answered = await client.post(`/api/v3/contacts/${id}/updateContactType${query}`);
    expect([answered.status, answered.body.errorCode]).toEqual([status, errorCode]);
  });
});

describe('/contacts/bulk', () => {
  const items = [{ email: 'a@example.com' }, { email: 'bad' }, 7, { email: 'b@example.com', emial: 'x' }];

  it('creates item by item; a bad one harms no other', async () => {
    const client = await open();
    const { status, body, warnings } = await client.post('/api/v3/contacts/bulk', items);
    expect(status).toBe(202);
    expect(warnings).toContain('"[3].emial"');
    const batch = (await client.get(`/api/v3/contacts/bulk/status?batchId=${body}`)).body;
    expect([batch.status, batch.succeededCount, batch.failedCount]).toEqual(['CompletedWithErrors', 2, 2]);
    expect(batch.errors.map((error: { index: number }) => error.index)).toEqual([1, 2]);
    expect((await client.get('/api/v3/contacts/count')).body).toBe(2);
  });

  it('changes contacts by id or key', async () => {
    const { client, id } = await openWithAda();
    await client.patch('/api/v3/contacts/bulk', [
      { id, firstName: 'Eva' },
      { email: ada.email, lastName: 'Alm' },
      { email: 'nobody@example.com', lastName: 'Alm' },
    ]);
    const { body } = await client.get(`/api/v3/contacts/${id}`);
    expect([body.firstName, body.lastName]).toEqual(['Eva', 'Alm']);
  });

  it('shows nothing before the delay is over', async () => {
    const client = await open({ queueDelay: 60_000 });
    const batchId = (await client.post('/api/v3/contacts/bulk', [{ email: 'a@example.com' }])).body;
    const status = async (): Promise<string> =>
      (await client.get(`/api/v3/contacts/bulk/status?batchId=${batchId}`)).body.status;
    expect([await status(), (await client.get('/api/v3/contacts/count')).body]).toEqual(['Queued', 0]);
    await client.sim.clock.advance(60_000);
    expect([await status(), (await client.get('/api/v3/contacts/count')).body]).toEqual(['Completed', 1]);
  });

  it('refuses more than 4000 items', async () => {
    const many = Array.from({ length: 4001 }, () => ({}));
    const { status, body } = await (await open()).post('/api/v3/contacts/bulk', many);
    expect([status, body.errorCode]).toEqual([400, 'TooManyItems']);
  });

  it('answers an object where A-19 says so', async () => {
    const { body } = await (await open({ assume: { 'A-19': 'object' } })).post('/api/v3/contacts/bulk', []);
    expect(body).toEqual({ batchId: expect.any(String) });
  });
});

describe('tenants', () => {
  it('share nothing', async () => {
    const { client } = await openWithAda();
    const query = `/api/v3/contacts/id?email=${ada.email}`;
    expect((await client.get(`/t/other${query}`)).status).toBe(404);
    expect((await client.call('GET', query, { headers: { 'x-sim-tenant': 'other' } })).status).toBe(404);
    expect((await client.post('/t/other/api/v3/contacts', ada)).status).toBe(201);
  });

  it.each(['a%b', 'a b', '-x', 'x'.repeat(65)])('refuse the name "%s"', async (name) => {
    const { status, body } = await (await open()).get(`/t/${encodeURIComponent(name)}/consents`);
    expect([status, body.errorCode]).toEqual([400, 'ValidationError']);
  });

  it('are told by their keys where asked for', async () => {
    const client = await open({ tenants: 'by-key' });
    const as = (apikey: string) => client.call('POST', '/api/v3/contacts', { body: ada, headers: { apikey } });
    expect([(await as('one')).status, (await as('two')).status, (await as('one')).status]).toEqual([201, 201, 409]);
  });

  it('are closed to unknown keys where keys are given', async () => {
    const client = await open({ apiKeys: ['secret'] });
    const as = (headers: Record<string, string>) => client.call('GET', '/consents', { headers });
    const statuses = [
      await as({}),
      await as({ apikey: 'x' }),
      await as({ apikey: 'secret' }),
      await as({ 'x-api-key': 'secret' }),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 200, 200]);
  });
});
