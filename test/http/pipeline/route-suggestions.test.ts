import { describe, expect, it } from 'vitest';
import { successors } from '../../../src/service/earlier-version.ts';
import { endpoints } from '../../../src/service/endpoints.ts';
import { astrid } from '../../support/people.ts';
import { openEmptySim } from '../../support/open-sim.ts';

it.each([
  ['GET', '/contacts/1', 'GET /api/v3/contacts/{contactId}'],
  ['GET', '/api/v3//contacts/1', 'GET /api/v3/contacts/{contactId}, with single slashes'],
  ['PATCH', '/API/V3/Contacts/1', 'PATCH /api/v3/contacts/{contactId}, in these small and capital letters'],
  ['GET', '/api%2Fv3/contacts/1', 'GET /api/v3/contacts/{contactId}, with slashes that are not encoded'],
  ['GET', '/api/v2/transactions', 'GET /api/v3/transactions'],
  ['POST', `/api/v3/promotions/${astrid}/redeem`, 'POST /api/v3/promotions/codes/{promotionId}/redeem'],
  ['GET', `/api/v3/contact/${astrid}/purchasehistory`, 'GET /api/v3/contacts/{contactId}/purchasehistorysummary'],
  ['POST', '/api/v3/receipt', 'POST /api/v3/receipts'],
])('%s %s gets a response that names what was meant', async (method, path, near) => {
  const { status, body } = await (await openEmptySim()).call(method, path);
  expect(status).toBe(404);
  expect(body.message).toBe(`${method} ${path} is not served here; the nearest endpoint is ${near}.`);
});

it.each([
  ['POST', `/api/v2/contacts/${astrid}/promoteToMember`, 'POST /api/v3/contacts/{contactId}/updateContactType'],
  ['GET', `/api/v3/contacts/${astrid}/promotions`, 'GET /api/v3/promotion-assignments'],
  ['POST', `/contacts/${astrid}/promotions/7/redeem`, 'POST /api/v3/promotions/codes/{promotionId}/redeem'],
  ['GET', `/api/v2/contacts/${astrid}/bonusPointTransactions`, 'GET /api/v3/point-transactions'],
  ['POST', `/api/v2/contacts/${astrid}/rewardpointtransaction`, 'POST /api/v3/point-transactions'],
  ['GET', `/api/v2/contacts/${astrid}/transactions`, 'GET /api/v3/transactions'],
  ['POST', `/api/v2/contacts/${astrid}/preferences/acceptsSms`, 'PATCH /api/v3/contacts/{contactId}'],
  ['GET', '/api/v2/contacts/Member/bykey/1', 'GET /api/v3/contacts/id'],
])('%s %s of the earlier version gets a response that names what took its place', async (method, path, successor) => {
  const { body } = await (await openEmptySim()).call(method, path);
  expect(body.message).toBe(`${method} ${path} is not served here; in API v3 it is ${successor}.`);
});

it.each(['/', '/api/v3/', `/api/v2/contacts/${astrid}/bonuschecks/available`, '/api/v2/contacts/changes', '/123'])(
  '%s, which is like no other, gets a response that says where to look',
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
