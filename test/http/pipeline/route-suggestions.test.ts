import { expect, it } from 'vitest';
import { openEmptySim } from '../../support/open-sim.ts';

const id = '5a0e7c1e-0001-4000-8000-000000000001';

it.each([
  ['GET', '/contacts/1', 'GET /api/v3/contacts/{contactId}'],
  ['POST', '/api/v3/contacts/', 'POST /api/v3/contacts, without the slash at its end'],
  ['GET', '/api/v3//contacts/1', 'GET /api/v3/contacts/{contactId}, with single slashes'],
  ['PATCH', '/API/V3/Contacts/1', 'PATCH /api/v3/contacts/{contactId}, in these small and capital letters'],
  ['GET', '/api%2Fv3/contacts/1', 'GET /api/v3/contacts/{contactId}, with slashes that are not encoded'],
  ['GET', '/api/v2/transactions', 'GET /api/v3/transactions'],
  ['POST', `/api/v3/promotions/${id}/redeem`, 'POST /api/v3/promotions/codes/{promotionId}/redeem'],
  ['GET', `/api/v3/contact/${id}/purchasehistory`, 'GET /api/v3/contacts/{contactId}/purchasehistorysummary'],
  ['POST', '/api/v3/receipt', 'POST /api/v3/receipts'],
])('%s %s is told what was meant', async (method, path, near) => {
  const { status, body } = await (await openEmptySim()).call(method, path);
  expect(status).toBe(404);
  expect(body.message).toBe(`${method} ${path} is not served here; the nearest endpoint is ${near}.`);
});

it('a path like no other is told where to look', async () => {
  const { body } = await (await openEmptySim()).get('/');
  expect(body.message).toBe('GET / is not served here; /__admin/docs shows what is.');
});
