import { expect, it } from 'vitest';
import { formatResponseStatus } from '../../../src/cli/format/response-status.ts';

it.each([
  [{ status: 202, answered: 202, end: 'normal' }, '202'],
  [{ status: 504, answered: undefined, end: 'normal' }, '504'],
  [{ status: 504, answered: 202, end: 'normal' }, '202 → 504'],
  [{ status: undefined, answered: 202, end: 'rst' }, '202 → (lost: rst)'],
  [{ status: null, answered: null, end: 'hang' }, '(lost: hang)'],
  [{ status: 200, answered: 200, end: 'fin' }, '200 (end: fin)'],
  [{ status: undefined, answered: 201, end: 'client' }, '201 → (the caller hung up)'],
  [{ status: null, answered: null, end: null }, '---'],
])('tells of %j in a few words', (told, words) => {
  expect(formatResponseStatus(told)).toBe(words);
});
