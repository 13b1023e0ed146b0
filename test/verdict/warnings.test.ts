/** What the service warned of, counted in the verdict and its reports, and failed on demand. */
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { warningCodes } from '../../src/service/warnings.ts';
import { createSim } from '../../src/simulator/create-sim.ts';
import { formatVerdict } from '../../src/verdict/report/text.ts';
import { htmlReport } from '../../src/verdict/report/html.ts';
import { junitReport } from '../../src/verdict/report/junit.ts';
import { markdownReport } from '../../src/verdict/report/markdown.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import type { Client } from '../support/client.ts';
import { sources } from '../conformance/sources.ts';
import { execClient } from '../support/exec.ts';
import { openSim } from '../support/open-sim.ts';
import type { SimOptions } from '../../src/simulator/options.ts';

async function warned(options: SimOptions = {}): Promise<Client> {
  const client = await openSim(options);
  const headers = { 'user-agent': 'till/1.0' };
  for (const email of ['a', 'b', 'c', 'd']) {
    const body = { email: `${email}@example.com`, emial: 'x', ...(email === 'b' && { firstNam: 'B' }) };
    await client.call('POST', '/api/v3/contacts', { body, headers });
  }
  await client.call('POST', '/api/v3/contacts', { body: '{"email":"e@example.com","email":"e@example.com"}', headers });
  return client;
}

const first = '"emial" is not a field that the service reads; did you mean "email"?';
const line = `warning unknown-field, 5 times (default-1, default-2, default-3, …): ${first}`;

describe('the verdict on warnings', () => {
  it('counts warnings by their codes, with the first requests', async () => {
    const { sim } = await warned();
    const { verdict, warnings } = await sim.verdict();
    expect(verdict).toBe('PASS');
    expect(warnings).toEqual([
      { code: 'unknown-field', count: 5, message: first, requests: ['default-1', 'default-2', 'default-3'] },
      {
        code: 'repeated-field',
        count: 1,
        message: '"email" is given more than once; the last one counts',
        requests: ['default-5'],
      },
    ]);
  });

  it('names them in every report', async () => {
    const { sim } = await warned();
    const verdict = await sim.verdict();
    expect(formatVerdict(verdict)).toEqual([
      `· ${line}`,
      '· warning repeated-field, 1 time (default-5): "email" is given more than once; the last one counts',
      'PASS: 5 of 5 as expected, 5 requests, 6 warnings (unknown-field 5, repeated-field 1)',
    ]);
    const runs = [{ name: 'x', description: undefined, at: '2026-11-21T19:00:00.000Z', ms: 1, verdict }];
    const written = line.replaceAll('"', '&quot;');
    expect(junitReport(runs)).toContain(`<system-out>${written}\n`);
    expect(htmlReport(runs)).toContain(`<li>${written}</li>`);
    expect(markdownReport(runs)).toContain(`- ${line}`);
  });

  it.each([
    [['unknown-field'], ['no warning unknown-field']],
    [['points-expired'], []],
    [['all'], ['no warning unknown-field', 'no warning repeated-field']],
  ])('fails the verdict on %j', async (failOnWarnings, found) => {
    const asOption = await (await warned({ failOnWarnings })).sim.verdict();
    const asked = await (await warned()).sim.verdict({ failOnWarnings });
    const byAdmin: Verdict = (await (await warned()).get(`/__admin/verdict?failOnWarnings=${failOnWarnings.join(',')}`))
      .body;
    for (const { verdict, checks } of [asOption, asked, byAdmin]) {
      expect(checks.map(({ description }) => description)).toEqual(found);
      expect(verdict).toBe(found.length === 0 ? 'PASS' : 'FAIL');
    }
  });

  it('says where the first of them is', async () => {
    const { sim } = await warned();
    const { reason } = await sim.verdict({ failOnWarnings: ['unknown-field'] });
    expect(reason).toBe(`no warning unknown-field: 5 warnings, first at default-1: ${first}`);
  });

  it('refuses a code that there is not, and suggests one', async () => {
    const says = 'there is no warning "points-expird"; did you mean "points-expired"?';
    const failOnWarnings = ['points-expird'];
    const { sim, get } = await openSim();
    await expect(createSim({ failOnWarnings })).rejects.toThrow(says);
    await expect(sim.verdict({ failOnWarnings })).rejects.toThrow(says);
    const { status, body } = await get('/__admin/verdict?failOnWarnings=points-expird');
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('did you mean')]);
    expect(() => loadConfig({ flags: { failOnWarnings }, env: {}, folder: '/' })).toThrow(says);
    await expect(createSim({ failOnWarnings: ['no such thing'] })).rejects.toThrow(
      /there is no warning "no such thing"; give the code of one, or all$/,
    );
  });

  it('takes several codes of a flag or of the environment', () => {
    const env = { LOYALTY_SIM_FAIL_ON_WARNINGS: 'points-expired, unknown-store' };
    const flags = { failOnWarnings: ['points-expired,user-agent', 'all'] };
    expect(loadConfig({ flags: {}, env, folder: '/' }).failOnWarnings).toEqual(['points-expired', 'unknown-store']);
    expect(loadConfig({ flags, env, folder: '/' }).failOnWarnings).toEqual(['points-expired', 'user-agent', 'all']);
  });

  it('fails a command that exec runs', async () => {
    const client = `await (await post('/api/v3/contacts', { email: 'a@example.com', emial: 'x' })).text();`;
    const { code, stderr } = await execClient(['--fail-on-warnings', 'unknown-field'], { client });
    expect([code, stderr]).toEqual([1, expect.stringContaining('✗ no warning unknown-field: 1 warning, first at')]);
  });

  it('knows the codes of all warnings', () => {
    const given = sources
      .filter(({ path }) => /^src\/(service|http|core|webhooks)\//.test(path) && !path.endsWith('service/warnings.ts'))
      .flatMap(({ text }) =>
        [...text.matchAll(/(?:warn\(\s*|\bcode: )'([a-z]+(?:-[a-z]+)+)'/g)].map(([, code]) => code),
      );
    // Its name is put together.
    expect([...new Set([...given, 'unknown-parameter'])].toSorted()).toEqual([...warningCodes].toSorted());
  });
});
