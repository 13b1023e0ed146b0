import { expect, it } from 'vitest';
import { pathPattern } from '../../src/core/path-pattern.ts';

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
])('%s for %s: %s', (pattern, path, fits) => {
  expect(pathPattern(pattern)(path)).toBe(fits);
});
