import { expect, it } from 'vitest';
import { compilePathTemplate } from '../../../src/core/exchange/path-template.ts';

it.each([
  ['/a/b', '/a/b', true],
  ['/a/b', '/a/b/c', false],
  ['/a/{id}', '/a/7', true],
  ['/a/{id}', '/a/7/b', false],
  ['/a/{id}/c', '/a//c', false],
  ['/a/*', '/a/7/b', true],
  ['*/b', '/x/y/b', true],
  ['/a.b', '/axb', false],
  ['/a(b', '/a(b', true],
  ['/a/{odd', '/a/{odd', true],
  ['*a*b/{id}', '/1a2a3b/b/c', true],
  ['*a*b/{id}', '/1a2a3b/b/c/d', false],
  ['*/{id}/*/c', '/a/b/c/d/c', true],
  ['*/{id}/c', '/a/b', false],
])('%s for %s: %s', (pattern, path, fits) => {
  expect(compilePathTemplate(pattern)(path)).toBe(fits);
});

it('is quick on a long path that nearly fits', () => {
  expect(compilePathTemplate('*a*a*a*a*b')(`/${'a'.repeat(20_000)}`)).toBe(false);
});
