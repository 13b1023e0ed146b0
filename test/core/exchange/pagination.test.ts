import { expect, it } from 'vitest';
import { astrid } from '../../support/people.ts';
import { openSim } from '../../support/open-sim.ts';

const transactions = `/api/v3/transactions?contactId=${astrid}`;

it.each([
  ['offset=-1', 'must be a whole number from 0'],
  ['count=0', 'must be a whole number from 1'],
  ['count=abc', 'must be a whole number from 1'],
  ['count=1.5', 'must be a whole number from 1'],
])('%s is refused in words', async (query, errorDescription) => {
  const { status, body } = await (await openSim()).get(`${transactions}&${query}`);
  expect(status).toBe(400);
  expect(body.validationErrors).toEqual([{ field: query.split('=')[0], errorDescription }]);
});

it.each([
  ['limit=0', 'must be a whole number from 1'],
  ['limit=1001', 'must be at most 1000'],
  ['atLeast=x', 'must be a whole number from 0'],
])('%s of the control API is too', async (query, errorDescription) => {
  const { body } = await (await openSim()).get(`/__admin/requests?${query}`);
  expect(body.validationErrors).toEqual([{ field: query.split('=')[0], errorDescription }]);
});
