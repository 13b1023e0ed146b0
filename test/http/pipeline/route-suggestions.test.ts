import { describe, expect, it } from 'vitest';
import { successors } from '../../../src/service/earlier-version.ts';
import { endpoints } from '../../../src/service/endpoints.ts';
import { openEmptySim } from '../../support/open-sim.ts';

const id = '5a0e7c1e-0001-4000-8000-000000000001';

it.each([
  ['GET', '/contacts/1', 'GET /api/v3/contacts/{contactId}'],
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

it.each([
  ['POST', `/api/v2/contacts/${id}/promoteToMember`, 'POST /api/v3/contacts/{contactId}/updateContactType'],
  ['GET', `/api/v3/contacts/${id}/promotions`, 'GET /api/v3/promotion-assignments'],
  ['POST', `/contacts/${id}/promotions/7/redeem`, 'POST /api/v3/promotions/codes/{promotionId}/redeem'],
  ['GET', `/api/v2/contacts/${id}/bonusPointTransactions`, 'GET /api/v3/point-transactions'],
  ['POST', `/api/v2/contacts/${id}/rewardpointtransaction`, 'POST /api/v3/point-transactions'],
  ['GET', `/api/v2/contacts/${id}/transactions`, 'GET /api/v3/transactions'],
  ['POST', `/api/v2/contacts/${id}/preferences/acceptsSms`, 'PATCH /api/v3/contacts/{contactId}'],
  ['GET', '/api/v2/contacts/Member/bykey/1', 'GET /api/v3/contacts/id'],
])('%s %s of the earlier version is told what took its place', async (method, path, successor) => {
  const { body } = await (await openEmptySim()).call(method, path);
  expect(body.message).toBe(`${method} ${path} is not served here; in API v3 it is ${successor}.`);
});

it.each(['/', '/api/v3/', `/api/v2/contacts/${id}/bonuschecks/available`, '/api/v2/contacts/changes', '/123'])(
  '%s, which is like no other, is told where to look',
  async (path) => {
    const { body } = await (await openEmptySim()).get(path);
    expect(body.message).toContain('is not served here; /__admin/docs shows what is.');
  },
);

describe('a 404', () => {
  it('names endpoints that are served as what took the place of another', () => {
    const served = endpoints.map(({ method, path }) => `${method} ${path}`);
    expect(Object.values(successors).filter((label) => !served.includes(label))).toEqual([]);
  });
});
