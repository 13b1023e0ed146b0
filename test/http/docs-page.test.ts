import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { docsPage } from '../../src/http/docs-page.ts';

const { html, headers } = docsPage;
const policy = headers['content-security-policy'];

it.each(['script', 'style'])('allows its own %s by its hash, and no other', (name) => {
  const [, text = ''] = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(html) ?? [];
  const hash = createHash('sha256').update(text).digest('base64');
  expect(policy).toContain(`${name}-src 'sha256-${hash}'`);
  expect(html.match(new RegExp(`<${name}`, 'g'))).toHaveLength(1);
});

it('needs nothing but itself and the document', () => {
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self'");
  expect(html.match(/(?:src|href)="[^"]*"/g)).toEqual(['href="data:,"', 'href="/__admin/openapi.json"']);
});

it('puts text in as text', () => {
  expect(html).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/);
});

it('is a script that can be read', () => {
  const [, text = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
  expect(() => new Function(text)).not.toThrow();
});
