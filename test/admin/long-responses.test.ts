import { describe, expect, it } from 'vitest';
import { openSimOnPort } from '../support/open-sim-on-port.ts';

const lines = Array.from({ length: 20_000 }, (_, n) => ({ sku: `"${n}" å 😀`, none: null, price: n / 4 }));
const sent = { email: 'long@example.com', firstName: 'x'.repeat(500_000), lines };

/** Opens a simulator whose first request has a long body. */
async function openWithLongRequest() {
  const { url, post, call } = await openSimOnPort();
  await post('/api/v3/contacts', sent);
  return { url, call, long: '/__admin/requests/default-1' };
}

describe('a long response of the control API', () => {
  it('is what a short one is, over a socket and in process', async () => {
    const { url, call, long } = await openWithLongRequest();
    const response = await fetch(`${url}${long}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const text = await response.text();
    expect(text).toBe(JSON.stringify(JSON.parse(text)));
    const { request } = JSON.parse(text);
    expect(request).toMatchObject({ body: JSON.stringify(sent), json: sent });
    expect((await call('GET', long)).body).toEqual(JSON.parse(text));
  });

  it('has no body for HEAD', async () => {
    const { url, long } = await openWithLongRequest();
    const response = await fetch(`${url}${long}`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('may be left by its client, which holds up nobody', async () => {
    const { url, long } = await openWithLongRequest();
    for (let n = 0; n < 5; n++) {
      const { body } = await fetch(`${url}${long}`);
      const reader = body?.getReader();
      expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
      expect((await fetch(`${url}/api/v3/contacts/count`)).status).toBe(200);
      await reader?.cancel();
    }
    expect((await fetch(`${url}/__admin/health`)).status).toBe(200);
  });
});
