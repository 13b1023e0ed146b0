import { expect, it } from 'vitest';
import { openEmpty } from '../support/client.ts';

it.each([
  ['GET', '/contacts/1', 'GET /api/v3/contacts/{contactId}'],
  ['POST', '/api/v3/contacts/', 'POST /api/v3/contacts'],
  ['GET', '/api/v3//contacts/1', 'GET /api/v3/contacts/{contactId}'],
  ['PATCH', '/API/V3/Contacts/1', 'PATCH /api/v3/contacts/{contactId}'],
  ['GET', '/api/v2/transactions', 'GET /api/v3/transactions'],
])('%s %s is told what was meant', async (method, path, near) => {
  const { status, body } = await (await openEmpty()).call(method, path);
  expect(status).toBe(404);
  expect(body.message).toBe(`${method} ${path} is not served here; the nearest endpoint is ${near}.`);
});

it('a path like no other is told where to look', async () => {
  const { body } = await (await openEmpty()).get('/');
  expect(body.message).toBe('GET / is not served here; /__admin/docs shows what is.');
});
