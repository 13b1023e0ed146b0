/** The journal keeps one object for what many requests have in common; each still tells what was its own. */
import { describe, expect, it } from 'vitest';
import { openSimOnPort } from '../../support/open-sim-on-port.ts';
import { ada, astrid, ella, nobody } from '../../support/people.ts';

const json = { 'content-type': 'application/json', 'user-agent': 'test', apikey: 'till' };

describe('the journal of requests over one connection', () => {
  it('tells of each its own path, headers, body, response and effects', async () => {
    const { url, get } = await openSimOnPort();
    const send = async (method: string, path: string, sent: { headers?: object; body?: object } = {}) => {
      const { headers, body } = sent;
      const init = { method, headers: { ...json, ...headers }, ...(body && { body: JSON.stringify(body) }) };
      const response = await fetch(`${url}${path}`, init);
      return response.text();
    };
    const [contacts, first] = ['/api/v3/contacts', `/api/v3/contacts/${astrid}`];
    await send('GET', first);
    const { id } = JSON.parse(await send('POST', contacts, { body: ada }));
    await send('GET', `${contacts}/${id}`);
    await send('GET', first);
    await send('GET', `${first}?unknown=1`);
    await send('GET', first);
    await send('POST', contacts, { body: ella });
    await send('GET', first, { headers: { 'x-sim-client': 'till-2' } });
    await send('GET', first);
    await send('GET', `/api/v3/contacts/${nobody}`);
    await send('PATCH', first, { body: { firstName: 'Asta' } });
    await send('GET', first);
    const { body } = await get('/__admin/requests');
    const told = await Promise.all(
      body.items.map(async (item: { id: string }) => {
        const { body: exchange } = await get(`/__admin/requests/${item.id}`);
        const { method, path, request, response, effects, warnings } = exchange;
        const name = JSON.parse(request.body ?? '{}').firstName;
        const shown = JSON.parse(response.body).firstName;
        return [
          method,
          path,
          request.headers['x-sim-client'],
          name,
          response.status,
          shown,
          effects.length,
          warnings.length,
        ];
      }),
    );
    const read = ['GET', first, undefined, undefined, 200];
    expect(told).toEqual([
      [...read, 'Astrid', 0, 0],
      ['POST', contacts, undefined, 'Ada', 201, 'Ada', 1, 0],
      ['GET', `${contacts}/${id}`, undefined, undefined, 200, 'Ada', 0, 0],
      [...read, 'Astrid', 0, 0],
      [...read, 'Astrid', 0, 1],
      [...read, 'Astrid', 0, 0],
      ['POST', contacts, undefined, 'Ella', 201, 'Ella', 1, 0],
      ['GET', first, 'till-2', undefined, 200, 'Astrid', 0, 0],
      [...read, 'Astrid', 0, 0],
      ['GET', `/api/v3/contacts/${nobody}`, undefined, undefined, 404, undefined, 0, 0],
      ['PATCH', first, undefined, 'Asta', 200, 'Asta', 1, 0],
      [...read, 'Asta', 0, 0],
    ]);
  });
});
