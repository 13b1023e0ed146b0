import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser } from '../support/browser.ts';
import { closeDashboards, showDashboard } from '../support/dashboard.ts';
import { playDayAtTill } from '../support/lost-receipt.ts';
import { openSim, openSimWithRules } from '../support/open-sim.ts';
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

  it('begins with the result and what was found, on a narrow screen as well', async () => {
    const client = await openSim();
    await playDayAtTill(client);
    const narrow = { viewport: { width: 390, height: 800 } };
    const { page } = await showDashboard(client, {}, '#default/verdict', narrow);
    await page.locator('.finding').first().waitFor();
    const texts = await page
      .locator('.word, .finding > p:first-child, .attempts, .verdict > div > section')
      .allInnerTexts();
    expect(texts.map((text) => text.split(/[:(\n]/, 2).join(''))).toEqual([
      'FAIL',
      '✗ R10 contact Astrid Lindqvist ',
      '✗ R10 receipt till-7-2 is one too many',
      '✗ R5 POST /api/v3/receipts was repeated with another uniqueReceiptId each time',
      expect.stringMatching(/1. default-2/),
      expect.stringContaining('FAULTS THAT WERE GOT OVER'),
      expect.stringContaining('RULES'),
    ]);
    const { y = Infinity } = (await page.locator('.finding').nth(1).boundingBox()) ?? {};
    expect(y).toBeLessThan(800);
    expect(await page.locator('.verdict-head').innerText()).toMatch(/^FAIL\n+\d+ of \d+ as expected, 9 requests$/);
  });

  it('says what is not as expected before what is', async () => {
    const client = await openSimWithRules([
      { id: 'met', match: { endpoint: 'getContact' }, fault: '503', times: 1 },
      { id: 'never', match: { endpoint: 'createReceipt' }, fault: '503', times: 1 },
    ]);
    for (const _ of [1, 2]) await client.get(astridPath);
    const { page } = await showDashboard(client, {}, '#default/verdict');
    await page.locator('.word', { hasText: 'INCONCLUSIVE' }).waitFor();
    expect(await page.locator('.verdict .findings strong').allInnerTexts()).toEqual(['never', 'met']);
    expect(await page.locator('.verdict-head').innerText()).not.toContain('never fired');
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
