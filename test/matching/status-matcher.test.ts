import { expect, it } from 'vitest';
import { matchesStatus } from '../../src/matching/status-matcher.ts';

const statuses = [undefined, 200, 404, 409, 500];

it.each([
  [404, [404]],
  ['404', [404]],
  ['4xx', [404, 409]],
  ['4XX', [404, 409]],
  ['none', [undefined]],
  ['NONE', [undefined]],
])('%s means %j', (wanted, meant) => {
  expect(statuses.filter((status) => matchesStatus(wanted, status))).toEqual(meant);
});
