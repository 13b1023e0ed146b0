import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { ella } from '../support/people.ts';
import { openEmptySim } from '../support/open-sim.ts';

const now = '2026-03-01T12:00:00.000Z';

/** A client that has made a contact, changed it with a field too many, and missed twice. */
async function openUsed(): Promise<Client & { id: string }> {
  const client = await openEmptySim();
  const send = (method: string, path: string, body?: object) =>
    client.call(method, path, { body, headers: { apikey: 'till' } });
  const { id } = (await send('POST', '/api/v3/contacts', ella)).body;
  await send('PATCH', `/api/v3/contacts/${id}`, { street: 'Storgatan 1', stret: 'x' });
  await send('GET', '/api/v3/contacts/none');
  await send('GET', '/api/v3/contact/none');
  return { ...client, id };
}

const numbersOf = async ({ get }: Client, query: string): Promise<number[]> =>
  (await get(`/__admin/requests?${query}`)).body.items.map(({ number }: { number: number }) => number);

describe('the list', () => {
  it('has a line for each request, the newest last', async () => {
    const { get, id } = await openUsed();
    const { items, ...rest } = (await get('/__admin/requests?limit=1&offset=1')).body;
    expect(rest).toEqual({ count: 4, complete: true, evicted: 0, cursor: 4 });
    expect(items).toEqual([
      {
        id: 'default-2',
        number: 2,
        at: now,
        method: 'PATCH',
        path: `/api/v3/contacts/${id}`,
        query: '',
        endpoint: 'updateContact',
        status: 200,
        responseStatus: 200,
        end: 'normal',
        fault: null,
        ms: expect.any(Number),
        warnings: [{ code: 'unknown-field', message: expect.stringContaining('did you mean "street"?') }],
        assumptions: ['A-10', 'A-11', 'A-16', 'A-17', 'A-65'],
        effects: 1,
        key: null,
        contact: { id, name: 'Ella Ek' },
        error: null,
      },
    ]);
  });

  it('has the newest first when asked to, and those in flight', async () => {
    const client = await openUsed();
    await client.post('/__admin/faults', {
      match: { method: 'GET' },
      fault: { delay: 60_000, respond: 'none', end: 'reset' },
    });
    const held = client.get('/api/v3/contacts/count').catch(() => 'released');
    expect(await numbersOf(client, 'order=newest&limit=2')).toEqual([4, 3]);
    expect(await numbersOf(client, 'inFlight=include&order=newest&limit=2')).toEqual([5, 4]);
    expect(await numbersOf(client, 'inFlight=only')).toEqual([5]);
    client.sim.tenants.default.releaseHeldRequests();
    expect(await held).toBe('released');
    expect(await numbersOf(client, 'status=none')).toEqual([5]);
  });

  it('names the error of a rejected request with its reason', async () => {
    const { get, post } = await openEmptySim();
    await post('/api/v3/contacts', { ...ella, email: 7 });
    const [{ error }] = (await get('/__admin/requests')).body.items;
    expect(error).toMatch(/^ValidationError: email: must be /);
  });

  it.each([
    ['endpoint=updateContact', [2]],
    ['method=get', [3, 4]],
    ['path=/api/v3/contacts/{contactId}', [2, 3]],
    ['path=*/none', [3, 4]],
    ['status=404', [3, 4]],
    ['status=2xx', [1, 2]],
    ['contains=Storgatan', [2]],
    ['search=STORgatan%20patch', [2]],
    ['search=storgatan%20none', []],
    ['search=unknown-field', [2]],
    // Not a pattern: the third has no dot.
    ['search=.', [1, 2, 4]],
    ['until=default-2', [1, 2]],
    ['since=1&until=3', [2, 3]],
    ['warnings=true', [2]],
    ['since=default-2', [3, 4]],
    ['since=3', [4]],
    ['after=2', [3, 4]],
    ['after=1&limit=2', [2, 3]],
    ['last=2', [3, 4]],
    ['last=9&status=404', [3, 4]],
    ['method=GET&path=/api/v3/contacts/*', [3]],
  ])('finds by %s', async (query, numbers) => {
    expect(await numbersOf(await openUsed(), query)).toEqual(numbers);
  });

  it.each(['last=2&limit=1', 'last=2&offset=1'])('refuses %s', async (query) => {
    const { status, body } = await (await openUsed()).get(`/__admin/requests?${query}`);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("can't be combined with offset")]);
  });

  it.each([
    ['endpoint=updateContct', 'there is no endpoint "updateContct"; did you mean "updateContact"?'],
    ['since=default-99', 'no request has the id "default-99"'],
    ['status=abc', 'must be a status such as 404'],
    ['wait=2m', 'must be between 0s and 60s'],
    ['wait=soon', 'must be a duration such as'],
    ['pth=/x', 'did you mean "path"?'],
  ])('refuses %s', async (query, message) => {
    const { get } = await openUsed();
    const { status, body } = await get(`/__admin/requests?${query}`);
    expect([status, body.validationErrors[0].errorDescription]).toEqual([400, expect.stringContaining(message)]);
  });

  it('tells of a slow request when it is over, whatever came in between', async () => {
    const { sim, get } = await openEmptySim();
    const body = new TransformStream();
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: body.readable, duplex: 'half' } as const;
    const slow = sim.fetch(new Request('http://127.0.0.1/api/v3/contacts', init));
    for (let i = 0; i < 3; i++) await get('/consents');
    const seen = async (query: string) => {
      const { items, cursor } = (await get(`/__admin/requests?${query}`)).body;
      return [items.map(({ number }: { number: number }) => number), cursor];
    };
    expect([await seen('after=0&limit=2'), await seen('after=2')]).toEqual([
      [[2, 3], 2],
      [[4], 3],
    ]);
    await new Response('{}').body?.pipeTo(body.writable);
    await slow;
    expect([await seen('after=3'), await seen('last=1')]).toEqual([
      [[1], 4],
      [[4], 4],
    ]);
  });

  it('says how many the journal has dropped', async () => {
    const { get } = await openEmptySim({ journalBytes: 3000 });
    for (let i = 0; i < 5; i++) await get('/consents');
    const { count, evicted } = (await get('/__admin/requests')).body;
    expect(evicted).toBeGreaterThan(0);
    expect(count + evicted).toBe(5);
  });

  it('can be emptied', async () => {
    const { get, call } = await openUsed();
    expect((await call('DELETE', '/__admin/requests')).body).toEqual({ cleared: 4 });
    expect((await get('/__admin/requests')).body.items).toEqual([]);
  });

  it('shows what no endpoint serves, with the nearest that would', async () => {
    const { get, call } = await openUsed();
    await call('PUT', '/api/v3/contacts');
    const { items } = (await get('/__admin/requests/unmatched')).body;
    expect(items.map(({ path, nearest }: Record<string, string>) => [path, nearest])).toEqual([
      ['/api/v3/contact/none', 'GET /api/v3/contacts/{contactId}'],
      ['/api/v3/contacts', 'POST /api/v3/contacts'],
    ]);
  });
});

describe('waiting', () => {
  it('responds as soon as enough requests match', async () => {
    const { get, post } = await openUsed();
    await get('/__admin/health');
    const waiting = get('/__admin/requests?wait=60s&atLeast=3&endpoint=createContact');
    await get('/consents');
    await post('/api/v3/contacts', ella);
    await post('/api/v3/contacts', ella);
    const { count, complete, items } = (await waiting).body;
    expect([count, complete]).toEqual([3, true]);
    expect(items.map(({ status }: { status: number }) => status)).toEqual([201, 409, 409]);
  });

  it('responds when time is up', async () => {
    const { get } = await openUsed();
    const { status, body } = await get('/__admin/requests?wait=20ms&atLeast=3&status=404');
    expect([status, body.count, body.complete]).toEqual([200, 2, false]);
  });

  it('ends when the caller hangs up', async () => {
    const { sim } = await openEmptySim();
    const url = 'http://127.0.0.1/__admin/requests?wait=60s';
    const hungUp = sim.fetch(new Request(url, { signal: AbortSignal.timeout(20) }));
    await expect(hungUp).rejects.toThrow('timeout');
  });
});

describe('over a socket', () => {
  it('waits while other calls are served, and forgets a caller that hung up', async () => {
    const { sim } = await openEmptySim();
    const { url } = await sim.listen();
    const hungUp = fetch(`${url}/__admin/requests?wait=60s`, { signal: AbortSignal.timeout(50) });
    await expect(hungUp).rejects.toThrow('timeout');
    const waiting = fetch(`${url}/__admin/requests?wait=60s`);
    await fetch(`${url}/consents`);
    expect(await (await waiting).json()).toMatchObject({ count: 1, complete: true });
    await sim.close();
  });
});

describe('one request', () => {
  it('shows the request and the response, with secrets hidden', async () => {
    const { get, call } = await openEmptySim();
    await call('POST', '/api/v3/contacts', { body: ella, headers: { apikey: 'top secret' } });
    const { request, response, delivered, fault } = (await get('/__admin/requests/default-1')).body;
    expect(request).toMatchObject({ headers: { apikey: '(hidden)' }, body: JSON.stringify(ella), json: ella });
    expect(response).toMatchObject({
      status: 201,
      headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'default-1' },
      json: { firstName: 'Ella' },
    });
    expect(JSON.parse(response.body)).toEqual(response.json);
    expect([delivered, fault]).toEqual([{ ...response, bytes: response.body.length, end: 'normal' }, null]);
  });

  it.each([
    ['count=1&ApiKey=top&%61pikey=top&offset=0', 'count=1&ApiKey=(hidden)&%61pikey=(hidden)&offset=0'],
    ['x-api-key&customKey=1', 'x-api-key=(hidden)&customKey=1'],
  ])('shows no key of the query ?%s', async (query, shown) => {
    const { get } = await openEmptySim();
    await get(`/api/v3/challenges/definitions?${query}`);
    const { response, ...exchange } = (await get('/__admin/requests/default-1')).body;
    expect(exchange.query).toBe(shown);
    expect([response.status, JSON.stringify(response)]).toEqual([200, expect.not.stringContaining('top')]);
  });

  it('shows what it changed, from what and to what', async () => {
    const { get, patch, id } = await openUsed();
    await patch(`/api/v3/contacts/${id}`, { street: 'Storgatan 2', firstName: 'Elin' });
    expect((await get('/__admin/requests/default-5')).body.effects).toEqual([
      {
        table: 'contacts',
        key: id,
        change: 'updated',
        fields: {
          'attributes.street': { from: 'Storgatan 1', to: 'Storgatan 2' },
          'attributes.firstName': { from: 'Ella', to: 'Elin' },
        },
      },
    ]);
  });

  it('shows what jobs did for it later as its own effects', async () => {
    const { get, post, patch, id } = await openUsed();
    await post('/__admin/queue', { hold: true });
    await patch('/api/v3/contacts/bulk', [{ id, city: 'Lund', countryCode: 'SE' }]);
    await post('/__admin/queue', { release: true });
    const { effects, jobs } = (await get('/__admin/requests/default-5')).body;
    expect(effects.map(({ table, change }: Record<string, string>) => [table, change])).toEqual([
      ['contactBatches', 'created'],
      ['contacts', 'updated'],
    ]);
    expect(jobs).toEqual([{ job: expect.any(String), at: now }]);
  });

  it('has no effects when it was refused', async () => {
    const { get, post } = await openUsed();
    await post('/api/v3/contacts', ella);
    expect((await get('/__admin/requests/default-5')).body).toMatchObject({ response: { status: 409 }, effects: [] });
  });

  it('names the assumptions that the response rests on', async () => {
    const { get } = await openEmptySim({ assumptions: { 'A-08': 'object' } });
    await get('/api/v3/contacts/id?email=nobody@example.com');
    const { assumptions } = (await get('/__admin/requests/default-1')).body;
    expect(assumptions).toEqual([
      { id: 'A-07', topic: 'GET /contacts/id parameters', inForce: 'default' },
      { id: 'A-09', topic: 'contact lookup refusals', inForce: 'default' },
    ]);
  });

  it('is not there under another id', async () => {
    const { get } = await openUsed();
    const { status, body } = await get('/__admin/requests/default-9');
    expect([status, body.message]).toEqual([
      404,
      'The journal of tenant "default" holds 4 requests, none with the id "default-9".',
    ]);
  });
});

describe('the list of requests', () => {
  it('leaves the control API out of the journal', async () => {
    const { get } = await openEmptySim();
    await get('/__admin/clock');
    expect((await get('/__admin/requests')).body.count).toBe(0);
  });
});
