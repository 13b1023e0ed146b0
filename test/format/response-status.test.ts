import { describe, expect, it } from 'vitest';
import { formatResponseStatus } from '../../src/format/response-status.ts';

describe('the text of a status', () => {
  it.each([
    [{ status: 202, responseStatus: 202, end: 'normal' }, '202'],
    [{ status: 504, responseStatus: undefined, end: 'normal' }, '504'],
    [{ status: 504, responseStatus: 202, end: 'normal' }, '202 → 504'],
    [{ status: undefined, responseStatus: 202, end: 'reset' }, '202 → (lost: reset)'],
    [{ status: null, responseStatus: null, end: 'hang' }, '(lost: hang)'],
    [{ status: 200, responseStatus: 200, end: 'close' }, '200 (end: close)'],
    [{ status: undefined, responseStatus: 201, end: 'client-aborted' }, '201 → (the client hung up)'],
    [{ status: null, responseStatus: null, end: null }, '---'],
  ])('tells of %j in a few words', (told, words) => {
    expect(formatResponseStatus(told)).toBe(words);
  });
});
