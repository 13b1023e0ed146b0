import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser } from '../support/browser.ts';
import { closeDashboards, showDashboard } from '../support/dashboard.ts';
import type { OpenDashboard } from '../support/dashboard.ts';
import { openSim } from '../support/open-sim.ts';
import type { Client } from '../support/client.ts';
import { astrid, astridPath } from '../support/people.ts';
import { loseReceipt } from '../support/lost-receipt.ts';
import { pointsRow } from '../support/judged.ts';
import { receiptOf } from '../support/receipt.ts';

afterAll(closeBrowser);
afterEach(closeDashboards);

/** The dashboard of a sim of its own, once the work is done. */
async function open(view: string, work: (client: Client) => Promise<unknown> = async () => {}): Promise<OpenDashboard> {
  const client = await openSim();
  await work(client);
  return showDashboard(client, {}, view);
}

const listed = (page: Page) => page.locator('.contact-list > li');

describe.skipIf(!hasBrowser)('contacts in the dashboard', () => {
  it('lists contacts, and finds one by name, e-mail, phone or number', async () => {
    const { page } = await open('#contact');
    await page.getByText('40 contacts').waitFor();
    for (const sought of ['lindq astrid', 'Astrid.Lindqvist@', '070-174 06 10', '+46 (70) 174 06 10', '100001']) {
      await page.getByLabel('Find a contact').fill(sought);
      await expect
        .poll(() => listed(page).allInnerTexts(), { timeout: 10_000 })
        .toEqual([expect.stringContaining('Astrid Lindqvist')]);
      await page.getByLabel('Find a contact').fill('');
      await page.getByText('40 contacts').waitFor();
    }
    await page.getByLabel('Find a contact').fill('Astrid');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Astrid Lindqvist' }).waitFor();
  });

  it('shows hostile names as text', async () => {
    const hostile = '<img src=x onerror="document.title=1">';
    const { page } = await open('#contact', ({ patch }) =>
      patch(astridPath, { firstName: hostile, lastName: hostile, street: hostile, externalId: hostile }),
    );
    await page.getByLabel('Find a contact').fill('onerror');
    await listed(page).getByText(hostile).first().click();
    await page.getByRole('heading', { name: hostile }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).toBe('loyalty-sim');
  });

  it('shows a contact as it was at any request, by mouse, by key and by address', async () => {
    const { page } = await open(`#default/contact/${astrid}`, async ({ patch }) => {
      for (const street of ['One', 'Two', 'Three']) await patch(astridPath, { street });
    });
    const street = (text: string) => page.locator('dd').getByText(text, { exact: true });
    await street('Three').waitFor();
    await page.getByRole('button', { name: 'One request earlier' }).click();
    await page.getByText('right after default-3: PATCH').waitFor();
    await page.getByRole('slider').press('ArrowLeft');
    await street('Two').waitFor();
    expect(page.url()).toContain(`#default/contact/${encodeURIComponent(`${astrid}@default-2`)}`);
    await page.reload();
    await street('Two').waitFor();
    await page.getByText('right after default-2').waitFor();
    await page.getByRole('button', { name: 'Now' }).click();
    await street('Three').waitFor();
  });

  it('tells of a change of points all that was wrong about its request', async () => {
    const { page } = await open(`#default/contact/${astrid}`, async ({ post }) => {
      const lost = { phase: 'after', respond: 'none', end: 'reset' };
      await post('/__admin/faults', { match: { endpoint: 'addPointTransactions' }, fault: lost, times: 1 });
      const send = () => post('/api/v3/point-accounts/transactions', [pointsRow]);
      await send().catch(() => 'lost');
      await send();
    });
    const told = page.locator('.point-changes tr', { hasText: 'default-2' }).locator('.finding');
    await told.first().waitFor();
    expect((await told.allInnerTexts()).map((text) => text.match(/R\d+/)?.[0])).toEqual(['R10', 'R11']);
  });

  it('shows all columns of the changes of points on a narrow screen', async () => {
    const client = await openSim();
    const description = 'Weihnachtsgutschein-Nachbuchung';
    await client.post('/api/v3/point-accounts/transactions', [{ ...pointsRow, description }]);
    const narrow = { viewport: { width: 390, height: 800 } };
    const { page } = await showDashboard(client, {}, `#default/contact/${astrid}`, narrow);
    const changes = page.locator('.table:has(> .point-changes)').first();
    await changes.getByRole('link', { name: 'default-1' }).waitFor();
    expect(await changes.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  });

  it('tells the harm of a request before how it came about', async () => {
    const { page } = await open(`#default/contact/${astrid}`, loseReceipt);
    const told = page.locator('.point-changes tr', { hasText: 'default-3' }).locator('.finding');
    await told.first().waitFor();
    expect((await told.allInnerTexts()).map((text) => text.match(/R\d+/)?.[0])).toEqual(['R10', 'R10', 'R5']);
  });

  it('branches a tenant from a request', async () => {
    const { get, page } = await open(`#default/contact/${astrid}`, async ({ patch }) => {
      for (const street of ['One', 'Two']) await patch(astridPath, { street });
    });
    for (const _ of [1, 2]) await page.getByRole('button', { name: 'One request earlier' }).click();
    await page.getByRole('button', { name: 'Branch a tenant from here' }).click();
    await page.getByLabel('Name').fill('again');
    await page.getByRole('button', { name: 'Branch', exact: true }).click();
    await expect.poll(() => page.getByLabel('Tenant').inputValue()).toBe('again');
    await page.locator('dd').getByText('One', { exact: true }).waitFor();
    expect((await get(`/t/again${astridPath}`)).body.street).toBe('One');
  });

  it('says why a contact has too many points, and which requests gave them', async () => {
    const { page } = await open('#contact', async ({ post }) => {
      await post('/__admin/faults', {
        match: { endpoint: 'addPointTransactions' },
        fault: { phase: 'after', status: 504 },
        times: 1,
      });
      await post('/api/v3/receipts', receiptOf(astrid, 'r-1'));
      const row = { contactId: astrid, definitionId: 2, amount: 120, source: 'Adjustment', description: 'Campaign' };
      for (const _ of [1, 2]) await post('/api/v3/point-accounts/transactions', [row]);
    });
    await page.getByLabel('Find a contact').fill('astrid');
    await page.keyboard.press('Enter');
    const style = page.locator('section', { hasText: 'Points: Style points' });
    await style.getByRole('img', { name: /^Style points over time: 380 active and 75 pending now/ }).waitFor();
    expect(await style.locator('tr.wrong').allInnerTexts()).toEqual([
      expect.stringMatching(/\+120\tCampaign[^]*✗ R\d+: [^]*default-3/),
      expect.stringMatching(/\+120\tCampaign[^]*✗ R\d+: [^]*default-2/),
    ]);
    expect(await style.locator('.points-plot .mark.receipts').count()).toBeGreaterThan(3);
    expect(await style.locator('.points-plot .expiry').count()).toBeGreaterThan(0);
  });
});
