import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser } from '../support/browser.ts';
import { closeDashboards, showDashboard } from '../support/dashboard.ts';
import { openSimWithRules } from '../support/open-sim.ts';
import { astrid, astridPath } from '../support/people.ts';

afterAll(closeBrowser);
afterEach(closeDashboards);

const row = { contactId: astrid, definitionId: 2, amount: 120, source: 'Adjustment', description: 'Campaign' };

describe.skipIf(!hasBrowser)('the verdict in the dashboard', () => {
  it('explains a finding step by step: sent, on the wire, done, known, and what should have been', async () => {
    const client = await openSimWithRules([
      { id: 'lost', match: { endpoint: 'addPointTransactions' }, fault: { phase: 'after', status: 504 }, times: 1 },
    ]);
    for (const _ of [1, 2]) await client.post('/api/v3/point-accounts/transactions', [row]);
    const { page } = await showDashboard(client, {}, '#default/verdict');
    const operation = page.locator('.operation');
    await operation.getByText('Step by step').click();
    const steps = operation.locator('.steps > li');
    expect(await operation.innerText()).toContain('It has no key: sent again, it is done again.');
    expect((await steps.nth(0).innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /Attempt 1 default-1 POST .* On the wire .*504; the fault lost hit it after the work The service changed \d+ rows? .*The client knew not whether the work is done/,
    );
    expect((await steps.nth(1).innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /Attempt 2 default-2 POST .*The client knew that the work is done R\d+ \(.*\): .*It should: .* (Guidance|Specification): /,
    );
  });

  it('shows the faults that the client got over', async () => {
    const client = await openSimWithRules([
      { id: 'down', match: { endpoint: 'getContact' }, fault: { phase: 'before', status: 503 }, times: 1 },
    ]);
    for (const _ of [1, 2]) await client.get(astridPath);
    const { page } = await showDashboard(client, {}, '#default/verdict');
    const part = page.locator('section', { hasText: 'Faults that were got over' });
    await part.getByText(/got status 503 \(fault down\), then got status 200/).waitFor();
    await page.locator('.word', { hasText: 'PASS' }).waitFor();
  });
});
