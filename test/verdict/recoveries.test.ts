/** How operations that passed came through a fault, and rules about paths that are not served. */
import { describe, expect, it } from 'vitest';
import { formatVerdict } from '../../src/verdict/report/text.ts';
import { formatRecoveries } from '../../src/format/timeline.ts';
import { htmlReport } from '../../src/verdict/report/html.ts';
import { junitReport } from '../../src/verdict/report/junit.ts';
import { markdownReport } from '../../src/verdict/report/markdown.ts';
import { sendReceipt } from '../support/judged.ts';
import { openSim } from '../support/open-sim.ts';

const line = 'POST /api/v3/receipts (till-1) and 1 more such: got status 504 (fault down), then got status 202';

describe('the list of recoveries', () => {
  it('lists the ways in which operations came through a fault, in every report', async () => {
    const rule = { id: 'down', match: { endpoint: 'createReceipt' }, fault: [504, 504] };
    const client = await openSim({ scenario: { rules: [rule] } });
    for (const key of ['till-1', 'till-3', 'till-1']) await sendReceipt(client, key);
    await client.post('/api/v3/contacts', { email: 'a@example.com' });
    await sendReceipt(client, 'till-3');
    const verdict = await client.sim.verdict();
    expect(formatVerdict(verdict)).toContain(`✓ ${line}`);
    const runs = [{ name: 'x', description: undefined, at: '2026-11-21T19:00:00.000Z', ms: 1, verdict }];
    expect(junitReport(runs)).toContain(`<system-out>${line}`);
    expect(htmlReport(runs)).toContain(`<li>${line}</li>`);
    expect(markdownReport(runs)).toContain(`<summary>came through a fault</summary>\n\n- ${line}`);
  });

  it('lists nothing of operations without a fault, and of those with a finding', async () => {
    const rule = { id: 'down', match: { endpoint: 'createReceipt' }, fault: [504] };
    const client = await openSim({ scenario: { rules: [rule] } });
    await sendReceipt(client, 'till-1');
    await client.post('/api/v3/contacts', { email: 'a@example.com' });
    expect(formatRecoveries((await client.sim.verdict()).operations)).toEqual([]);
  });

  it.each([
    ['that fired', ['/api/v3/contact/1'], 'fired 1 time; no endpoint is served at /api/v3/contact/{id}; did you mean'],
    [
      'that never fired',
      [],
      'never fired: it matched no request; no endpoint is served at /api/v3/contact/{id}; did you',
    ],
  ])('says of a rule %s that its path is not served', async (_, paths, reason) => {
    const rule = { id: 'lost', match: { path: '/api/v3/contact/{id}' }, fault: [504] };
    const client = await openSim({ scenario: { rules: [rule] } });
    for (const path of [...paths, '/api/v3/contacts/count']) await client.get(path);
    const { rules } = await client.sim.verdict();
    expect(rules.map((found) => found.reason)).toEqual([expect.stringContaining(reason)]);
  });
});
