import { expect } from 'vitest';
import type { Answered, Client } from '../../support/client.ts';
import { coupons, listPromotions, order, redeem, refused, sendReceipt, transactionsOf } from '../world.ts';
import type { Case } from '../world.ts';
import { astrid } from '../../support/people.ts';
import { openRetailerSim } from '../../support/open-sim.ts';

const somebody = { email: 'eva@example.com' };

/** A body that says it is plain text. */
const sendPlain = ({ call }: Client): Promise<Answered> =>
  call('POST', '/api/v3/contacts', { body: somebody, headers: { 'content-type': 'text/plain' } });

/** A call without the header that every test client sends. */
const callUnnamed = ({ sim }: Client): Promise<Response> => sim.fetch(new Request('http://127.0.0.1/consents'));

/** So many calls at once, in more than one and at most two seconds' windows. */
async function statusesOf({ get }: Client, calls: number): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: calls }, () => get('/consents')));
  return answers.map(({ status }) => status);
}

/** More than twice as many calls as a second may have: wherever the second ends, one of them has too many. */
async function limitedAt(limit: number): Promise<void> {
  const client = await openRetailerSim({ assumptions: { 'A-05': String(limit) } });
  const statuses = await statusesOf(client, 2 * limit + 2);
  expect(statuses.slice(0, limit)).toEqual(Array.from({ length: limit }, () => 200));
  expect(statuses).toContain(429);
}

/** A page of two of the three purchases that there are. */
async function pageOfThree(options: object, query: string) {
  const client = await openRetailerSim(options);
  for (const id of ['r-1', 'r-2', 'r-3']) await sendReceipt(client, {}, id);
  const { count, offset, items, totalCount } = (await client.get(`/api/v3/transactions?contactId=${astrid}${query}`))
    .body;
  return [count, offset, items.length, totalCount];
}

const findByNumber = async ({ get }: Client, number: string): Promise<Answered> =>
  get(`/api/v3/contacts/id?socialSecurityNumber=${number}`);

/** A contact that has no street, under a reading of A-75. */
async function contactWithoutStreet(variant: string): Promise<Record<string, unknown>> {
  const { sim } = await openRetailerSim({ assumptions: { 'A-75': variant } });
  const headers = { 'user-agent': 'test', 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(somebody) };
  const body: unknown = await (await sim.fetch(new Request('http://127.0.0.1/api/v3/contacts', init))).json();
  return body as Record<string, unknown>;
}

export const wireReadings = {
  'A-01': {
    default: async () => {
      const { call } = await openRetailerSim();
      expect((await call('GET', '/consents', { headers: { apikey: 'any' } })).status).toBe(200);
      const locked = await openRetailerSim({ apiKeys: ['right'] });
      const tries = [{}, { apikey: 'wrong' }, { apikey: 'right' }, { 'x-api-key': 'right' }];
      const answers = await Promise.all(tries.map((headers) => locked.call('GET', '/consents', { headers })));
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 200, 200]);
      expect(answers[0]?.body.errorCode).toBe('Unauthorized');
    },
  },
  'A-02': {
    default: async () => {
      const client = await openRetailerSim();
      const { body, headers } = await client.post('/api/v3/contacts', { email: 'no' });
      expect(body).toEqual({
        errorCode: 'ValidationError',
        message: expect.any(String),
        requestId: headers.get('x-request-id'),
        validationErrors: [{ field: 'email', errorDescription: 'must be an e-mail address' }],
      });
    },
  },
  'A-03': {
    default: async () => expect(refused(await sendPlain(await openRetailerSim()))).toEqual([400, 'InvalidContentType']),
    live: async () => {
      const { status, body } = await sendPlain(await openRetailerSim({ assumptions: { 'A-03': 'live' } }));
      expect([status, body.message]).toEqual([500, 'An error has occurred.']);
    },
    lenient: async () => {
      const { status, warnings } = await sendPlain(await openRetailerSim({ assumptions: { 'A-03': 'lenient' } }));
      expect([status, warnings]).toEqual([201, expect.stringContaining('Content-Type')]);
    },
  },
  'A-04': {
    default: async () => {
      const { status, headers } = await callUnnamed(await openRetailerSim());
      expect([status, headers.get('x-sim-warnings')]).toEqual([200, expect.stringContaining('User-Agent')]);
    },
    required: async () => {
      const answered = await callUnnamed(await openRetailerSim({ assumptions: { 'A-04': 'required' } }));
      expect(answered.status).toBe(400);
      expect(await answered.json()).toMatchObject({ errorCode: 'UserAgentRequired' });
    },
  },
  'A-05': {
    default: async () => expect(await statusesOf(await openRetailerSim(), 402)).not.toContain(429),
    '50': () => limitedAt(50),
    '200': () => limitedAt(200),
  },
  'A-06': {
    default: async () => {
      expect(await pageOfThree({}, '')).toEqual([3, 0, 3, 3]);
      expect(await pageOfThree({}, '&offset=2&count=2')).toEqual([1, 2, 1, 3]);
    },
    requested: async () => {
      const options = { assumptions: { 'A-06': 'requested' } };
      expect(await pageOfThree(options, '')).toEqual([100, 0, 3, 3]);
      expect(await pageOfThree(options, '&offset=2&count=5000')).toEqual([1000, 2, 1, 3]);
    },
  },
  'A-52': {
    default: async () => {
      const { headers } = await (
        await openRetailerSim()
      ).call('GET', '/consents', { headers: { origin: 'http://localhost' } });
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    },
  },
  'A-72': {
    default: async () => {
      const client = await openRetailerSim();
      expect((await client.get(`/api/v3/contacts/${astrid}/`)).body.id).toBe(astrid);
      const { body } = await client.post('/orders/', order());
      expect((await client.get(body.links[0].href)).status).toBe(200);
    },
    strict: async () => {
      const client = await openRetailerSim({ assumptions: { 'A-72': 'strict' } });
      const { status, body } = await client.post('/api/v3/contacts/', somebody);
      const message =
        'POST /api/v3/contacts/ is not served here; the nearest endpoint is POST /api/v3/contacts, without the slash at its end.';
      expect([status, body.message]).toEqual([404, message]);
    },
  },
  'A-75': {
    default: async () => expect((await contactWithoutStreet('default')).street).toBeNull(),
    absent: async () => expect(Object.keys(await contactWithoutStreet('absent'))).not.toContain('street'),
  },
  'A-53': {
    default: async () => {
      const client = await openRetailerSim();
      const { body } = await listPromotions(client, '&redemptionChannelType=ecom');
      expect(body.map(({ id }: { id: string }) => id)).toEqual([coupons.spring]);
      expect((await client.get(`/api/v3/contacts/${astrid.toUpperCase()}`)).body.id).toBe(astrid);
      expect(refused(await client.get('/api/v3/contacts/7'))).toEqual([404, 'ContactNotFound']);
      expect(refused(await redeem(client, '7'))).toEqual([404, 'PromotionNotFound']);
      expect(await transactionsOf(client, astrid.toUpperCase())).toEqual([]);
    },
  },
  'A-54': {
    default: async () => {
      const client = await openRetailerSim();
      for (const number of ['850709-9805', '8507099805', '198507099805'])
        expect((await findByNumber(client, number)).body).toBe(astrid);
      // A Swedish coordination number, and Finnish numbers with an old and a new century sign.
      for (const number of ['850769-9802', '131052-308T', '131052Y308T'])
        expect(refused(await findByNumber(client, number))).toEqual([404, 'ContactNotFound']);
      for (const number of ['850709-9806', '131052-308S', '1'])
        expect(refused(await findByNumber(client, number))).toEqual([400, 'InvalidSocialSecurityNumber']);
    },
  },
} satisfies Record<string, Record<string, Case>>;
