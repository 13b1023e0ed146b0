import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { dashboardPage, docsPage } from '../../../src/admin/views/pages.ts';
import { openEmptySim } from '../../support/open-sim.ts';

describe.each([
  { name: 'the endpoints', page: docsPage(), links: ['href="data:,"', 'href="/__admin/openapi.json"'] },
  { name: 'the dashboard', page: dashboardPage(), links: ['href="data:,"'] },
])('the page of $name', ({ page: { html, headers }, links }) => {
  const policy = headers['content-security-policy'];

  it.each(['script', 'style'])('allows its own %s by its hash, and no other', (name) => {
    const [, text = ''] = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(html) ?? [];
    const hash = createHash('sha256').update(text).digest('base64');
    expect(policy).toContain(`${name}-src 'sha256-${hash}'`);
    expect(html.match(new RegExp(`<${name}`, 'g'))).toHaveLength(1);
  });

  it('needs nothing but itself and the control API', () => {
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(html.replace(/<script>.*<\/script>/s, '').match(/(?:src|href)="[^"]*"/g)).toEqual(links);
    // The namespace of SVG is a name: nothing is asked there.
    expect(html.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\//);
  });

  it('puts text in as text', () => {
    expect(html).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/);
  });

  it('is a script that can be read', () => {
    const [, text = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
    expect(() => new Function(text)).not.toThrow();
  });
});

it.each([
  ['asks nobody for the admin key before it can', { adminKey: 'secret' }, {}, 200],
  ['is not for pages of other sites', {}, { origin: 'http://evil.example' }, 403],
  ['is not for names that are not this machine', {}, { host: 'evil.example' }, 403],
  ['is off where others can reach it and there is no key', { host: '0.0.0.0' }, {}, 403],
])('what needs no data %s', async (_, options, headers: Record<string, string>, status) => {
  const { sim } = await openEmptySim(options);
  for (const path of ['/__admin/ui', '/__admin/docs', '/__admin/health']) {
    expect((await sim.fetch(path, { headers })).status).toBe(status);
  }
  const answered = await sim.fetch('/__admin/ui', { headers });
  expect(answered.headers.get('content-security-policy') !== null).toBe(status === 200);
});

describe("the dashboard's page", () => {
  it('asks for the admin key before any data, the document of the endpoints included', async () => {
    const { sim } = await openEmptySim({ adminKey: 'secret' });
    for (const path of ['/__admin/openapi.json', '/__admin/version', '/__admin/requests', '/__admin/health/']) {
      expect([path, (await sim.fetch(path)).status]).toEqual([path, 401]);
    }
  });
});
