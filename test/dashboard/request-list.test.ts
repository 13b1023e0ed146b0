import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser } from '../support/browser.ts';
import { closeDashboards, openDashboard, requestRow } from '../support/dashboard.ts';
import { astrid, astridPath, bo } from '../support/people.ts';
import { receiptOf } from '../support/receipt.ts';

afterAll(closeBrowser);
afterEach(closeDashboards);

const count = '/api/v3/contacts/count';
const rows = '.list > a';

const idsOf = (page: Page): Promise<(string | null)[]> =>
  page.locator(rows).evaluateAll((all) => all.map((row) => row.getAttribute('data-id')));

describe.skipIf(!hasBrowser)('the list of requests', () => {
  it('distinguishes requests of one path by contact, key and error, with the reason of an error first', async () => {
    const { page, post, call } = await openDashboard({}, '#requests');
    await post('/api/v3/receipts', receiptOf(astrid, 'till-7-1'));
    await post('/api/v3/receipts', { ...receiptOf(astrid, 'till-7-2'), totalGrossPrice: 'much' });
    await call('PATCH', astridPath, { body: { email: 'nobody' } });
    await requestRow(page, 'default-1').waitFor();
    expect(await requestRow(page, 'till-7-1').locator('.about').innerText()).toMatch(/^Astrid Lindqvist till-7-1/);
    expect(await requestRow(page, 'till-7-2').locator('.about').innerText()).toMatch(
      /^ValidationError: totalGrossPrice: .* Astrid Lindqvist till-7-2/,
    );
    expect(await requestRow(page, 'PATCH').locator('.about').innerText()).toMatch(
      /^ValidationError: email: must be an e-mail/,
    );
  });

  it('searches in bodies, of all requests', async () => {
    const { page, post, get } = await openDashboard({}, '#requests');
    await post('/api/v3/receipts', receiptOf(astrid, 'till-7-1'));
    for (let i = 0; i < 150; i++) await get(count);
    await page.getByText('151 requests', { exact: true }).waitFor();
    await page.getByLabel('Search requests').fill('T-SHIRT stockholm');
    await page.getByText('0 requests found').waitFor();
    await page.getByLabel('Search requests').fill('T-SHIRT receipts');
    await page.getByText('1 request found').waitFor();
    expect(await idsOf(page)).toEqual(['default-1']);
  });

  it('finds requests by the contact that they are labelled with', async () => {
    const { page, post } = await openDashboard({}, '#requests');
    for (const contactId of [astrid, bo])
      await post('/api/v3/point-accounts/transactions', [{ contactId, points: 120, type: 'Addition' }]);
    await requestRow(page, 'Astrid Lindqvist').first().waitFor();
    for (const sought of ['astrid', 'transactions LINDQVIST', 'astrid.lindqvist@example.com', '100001']) {
      await page.getByLabel('Search requests').fill(`POST ${sought}`);
      await page.getByText('1 request found').waitFor();
      expect(await page.locator(`${rows} .about`).allInnerTexts()).toEqual([
        expect.stringContaining('Astrid Lindqvist'),
      ]);
      await page.getByLabel('Search requests').fill('nothing like it');
      await page.getByText('0 requests found').waitFor();
    }
  });

  it('asks before it clears the journal', async () => {
    const { page, get } = await openDashboard({}, '#requests');
    await get(count);
    await page.getByRole('button', { name: 'Clear …' }).click();
    await page.getByText('Delete the only request of the journal of "default"?').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await get('/__admin/requests')).body.count).toBe(1);
    await page.getByRole('button', { name: 'Clear …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
    await page.getByText('No requests yet').waitFor();
  });
});
