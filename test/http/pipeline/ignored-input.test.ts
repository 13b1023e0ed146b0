import { expect, it } from 'vitest';
import { openEmptySim } from '../../support/open-sim.ts';

const type = 'POST /api/v3/contacts/{contactId}/updateContactType';

it.each([
  [
    'POST',
    '/api/v3/contacts/1/updateContactType?contactTypeId=Member',
    `unread-body: ${type} takes no body; what was sent as one is not read`,
  ],
  ['DELETE', '/__admin/faults', ''],
])('a body that %s %s has no use for is passed over, and the service says so', async (method, path, warnings) => {
  const { call } = await openEmptySim();
  expect((await call(method, path, { body: { contactTypeId: 'Staff' } })).warnings).toBe(warnings);
  expect((await call(method, path)).warnings).toBe('');
});

it.each([
  [
    'POST',
    '/api/v3/contacts',
    [],
    'unread-header: POST /api/v3/contacts does not read the header idempotency-key; a repetition counts as a call of its own',
  ],
  ['POST', '/api/v3/point-accounts/transactions', [], ''],
  ['GET', '/api/v3/consents', undefined, ''],
])('%s %s with a key against repetition says whether that counts', async (method, path, body, warnings) => {
  const { call } = await openEmptySim();
  expect((await call(method, path, { body, headers: { 'idempotency-key': 'k-1' } })).warnings).toBe(warnings);
});
