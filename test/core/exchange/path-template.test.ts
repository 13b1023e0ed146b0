import { describe, expect, it } from 'vitest';
import {
  bySpecificity,
  compilePathTemplate,
  fillPathTemplate,
  pathParameters,
} from '../../../src/core/exchange/path-template.ts';

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

it('a template is quick on a long path that nearly fits', () => {
  expect(compilePathTemplate('*a*a*a*a*b')(`/${'a'.repeat(20_000)}`)).toBe(false);
});

describe('a path template', () => {
  it.each([
    ['/a/b', '/a/b', {}],
    ['/a/{id}', '/a/7', { id: '7' }],
    ['/a/{id}/b/{name}', '/a/7/b/x%20y', { id: '7', name: 'x y' }],
    ['/a/{id}', '/a/%E0%A4%A', { id: '%E0%A4%A' }],
    ['/a/{id}', '/a/', undefined],
    ['/a/{id}', '/a/7/b', undefined],
    ['/a.b/{id}', '/axb/7', undefined],
  ])('reads the parameters of %s in %s', (template, path, params) => {
    expect(pathParameters(template, path)).toEqual(params);
  });

  it('sorts fixed parts before parameters', () => {
    const paths = ['/a/{id}/b', '/a/{id}', '/a/count', '/a/id/{id}'];
    expect(paths.toSorted(bySpecificity)).toEqual(['/a/count', '/a/id/{id}', '/a/{id}', '/a/{id}/b']);
  });

  it.each([
    ['/contacts/{contactId}', '/contacts/a%2Fb'],
    ['/contacts/{contactId}/consents/{contactId}', '/contacts/a%2Fb/consents/a%2Fb'],
    ['/a{contactId}/b', '/a{contactId}/b'],
    ['/contacts', '/contacts'],
  ])('fills %s as %s', (template, filled) => {
    expect(fillPathTemplate(template, (name) => (name === 'contactId' ? 'a/b' : 'other'))).toBe(filled);
  });
});
