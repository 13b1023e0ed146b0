/** Requests as an HTTP archive. */
import { expect, it } from 'vitest';
import { lost } from '../support/programs.ts';
import { openSim } from '../support/open-sim.ts';
import { ella } from '../support/people.ts';

const now = '2026-03-01T12:00:00.000Z';

async function archive() {
  const rule = { id: 'gone', match: { endpoint: 'createContact' }, fault: lost };
  const client = await openSim({ now, scenario: { rules: [rule] } });
  await client.call('GET', '/api/v3/contacts/count?apikey=sesame&x=%C3%A4', { headers: { apikey: 'sesame' } });
  await client.call('POST', '/api/v3/contacts', { body: ella }).catch(() => {});
  return { client, har: (await client.get('/__admin/requests/har')).body };
}

it('an archive tells requests and delivered responses, without keys', async () => {
  const { har } = await archive();
  expect(har.log).toMatchObject({ version: '1.2', creator: { name: 'loyalty-sim' } });
  const [count, created] = har.log.entries;
  expect(count).toMatchObject({
    startedDateTime: now,
    request: {
      method: 'GET',
      queryString: [
        { name: 'apikey', value: '(hidden)' },
        { name: 'x', value: 'ä' },
      ],
      bodySize: 0,
    },
    response: { status: 200, statusText: 'OK', content: { mimeType: expect.stringContaining('json') } },
    _endpoint: 'countContacts',
  });
  expect(new URL(count.request.url).pathname).toBe('/api/v3/contacts/count');
  expect(JSON.parse(count.response.content.text)).toEqual(expect.anything());
  expect(JSON.stringify(har)).not.toContain('sesame');
  expect(created).toMatchObject({
    comment: 'fault gone after the work',
    request: { postData: { mimeType: 'application/json', text: JSON.stringify(ella) } },
    response: { status: 0, _error: 'reset', bodySize: 0 },
  });
});

it('an archive counts real time from the first request, so that a frozen clock keeps the pauses', async () => {
  const { client } = await archive();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await client.call('GET', '/api/v3/contacts/count');
  const { entries } = (await client.get('/__admin/requests/har?offset=1')).body.log;
  expect(entries).toHaveLength(2);
  expect(Date.parse(entries[1].startedDateTime)).toBeGreaterThanOrEqual(Date.parse(now) + 19);
});

it('an archive has the requests that a filter selects, with the address of their tenant', async () => {
  const { client } = await archive();
  await client.call('GET', '/t/shop/api/v3/contacts/count');
  const { log } = (await client.get('/__admin/requests/har?tenant=shop&status=2xx')).body;
  expect(log.entries.map(({ request }: { request: { url: string } }) => new URL(request.url).pathname)).toEqual([
    '/t/shop/api/v3/contacts/count',
  ]);
});
