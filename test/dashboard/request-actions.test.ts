import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser } from '../support/browser.ts';
import { runCommand, tidy } from '../support/command.ts';
import { closeDashboards, openDashboard } from '../support/dashboard.ts';
import { folderWith } from '../support/folders.ts';
import { astrid, astridPath } from '../support/people.ts';
import { receiptOf } from '../support/receipt.ts';

afterAll(closeBrowser);
afterAll(tidy);
afterEach(closeDashboards);

const openRequest = async (page: Page, id: string): Promise<void> => {
  await page.evaluate(`location.hash = 'default/requests/${id}'`);
  await page.getByRole('article', { name: id }).waitFor();
};

const result = (page: Page) => page.locator('.action-result');

describe.skipIf(!hasBrowser)('the actions on a request', () => {
  it('make the next receipt fail after the commit, and keep that as a file that run plays', async () => {
    const { post, page } = await openDashboard();
    await post('/api/v3/receipts', receiptOf(astrid, 'r-1'));
    await openRequest(page, 'default-1');
    await page.getByLabel('Which fault').selectOption('504');
    expect(await page.getByLabel('When').inputValue()).toBe('after');
    await page.getByRole('button', { name: 'Make it happen next time' }).click();
    await result(page)
      .getByText('The next createReceipt meets it: rule fault-1, which is listed under Faults.')
      .waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      result(page).getByRole('button', { name: 'Save as scenario' }).click(),
    ]);
    expect((await post('/api/v3/receipts', receiptOf(astrid, 'r-2'))).status).toBe(504);
    const name = file.suggestedFilename();
    const folder = folderWith({ [name]: readFileSync(await file.path(), 'utf8') });
    const { code, stdout } = await runCommand(['run', name], { folder });
    expect([code, stdout]).toEqual([0, expect.stringContaining('createReceipt meets a fault')]);
    await openRequest(page, 'default-2');
    await page.getByLabel('Which fault').selectOption('same');
    await page.getByRole('button', { name: 'Make it happen next time' }).click();
    await result(page).getByText('rule fault-2').waitFor();
    expect((await post('/api/v3/receipts', receiptOf(astrid, 'r-3'))).status).toBe(504);
  });

  it('are not needed to make the next receipt fail after the commit, from a page that was just opened', async () => {
    const { get, post, page } = await openDashboard();
    await page.getByRole('link', { name: 'Faults' }).click();
    const form = page.getByRole('form', { name: 'Add a fault' });
    await form.getByLabel('Which requests').locator('option:checked', { hasText: 'create receipt: POST' }).waitFor({
      state: 'attached',
    });
    await form.getByRole('button', { name: 'Add fault' }).click();
    await form.getByText('Rule fault-1 is in force: the next createReceipt meets it.').waitFor();
    const rule = page.getByRole('button', { name: 'Save as scenario: fault-1' });
    const [file] = await Promise.all([page.waitForEvent('download'), rule.click()]);
    const { status } = await post('/api/v3/receipts', receiptOf(astrid, 'r-1'));
    expect([status, (await get('/__admin/requests/default-1')).body.response.status]).toEqual([500, 202]);
    const name = file.suggestedFilename();
    const folder = folderWith({ [name]: readFileSync(await file.path(), 'utf8') });
    const { code, stdout } = await runCommand(['run', name], { folder });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/repeated-receipt[^]*PASS: 2 steps/)]);
  });

  it('add a fault with what the form shows at once, before it has read all that it offers', async () => {
    const { page } = await openDashboard({}, '#time');
    const choices = /openapi\.json|fault-kinds|scenario/;
    const held: Route[] = [];
    let isHeld = true;
    await page.route(choices, (route) => (isHeld ? void held.push(route) : route.continue()));
    await page.getByRole('link', { name: 'Faults' }).click();
    const form = page.getByRole('form', { name: 'Add a fault' });
    await form.waitFor();
    const look = (): Promise<unknown> =>
      page.evaluate(`[...document.querySelectorAll('main form select, main form input, main form button')].map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [one.name, one.selectedOptions?.[0]?.text ?? one.value, x, y, width, height];
      }).filter(([name]) => name !== 'scenario')`);
    const before = await look();
    await form.getByRole('button', { name: 'Add fault' }).click();
    isHeld = false;
    for (const route of held) await route.continue();
    await page.locator('select[name=scenario] option').first().waitFor({ state: 'attached' });
    await form.locator('[name=kind] option').nth(5).waitFor({ state: 'attached' });
    await form.locator('[name=endpoint] option').nth(20).waitFor({ state: 'attached' });
    await form.getByText('Rule fault-1 is in force: the next createReceipt meets it.').waitFor();
    await page.reload();
    await form.locator('[name=endpoint] option').nth(20).waitFor({ state: 'attached' });
    expect(before).toEqual(await look());
  });

  it('send it again, and copy it as curl for each shell', async () => {
    const { call, get, page } = await openDashboard();
    await call('PATCH', astridPath, { body: { street: "O'Hara" } });
    await openRequest(page, 'default-1');
    await page.getByRole('button', { name: 'Send again' }).click();
    await result(page).getByText('Sent as default-2: status 200.').waitFor();
    for (const [shell, start] of [
      ['bash', 'curl -X PATCH'],
      ['PowerShell', 'curl.exe --% -X PATCH'],
      ['cmd', 'curl -X PATCH'],
    ] as const) {
      await page.getByRole('button', { name: `Copy as curl for ${shell}` }).click();
      await result(page).locator('pre', { hasText: start }).waitFor();
    }
    expect((await get('/__admin/requests')).body.count).toBe(2);
  });

  it('try another fault in a branch, and compare how it ends', async () => {
    const { get, post, page } = await openDashboard();
    await post('/api/v3/receipts', receiptOf(astrid, 'r-1'));
    await post('/api/v3/receipts', receiptOf(astrid, 'r-2'));
    await openRequest(page, 'default-1');
    await page.getByLabel('Which fault').selectOption('reset');
    await page.getByRole('button', { name: 'Try it in a branch' }).click();
    await page.locator('.outcomes').waitFor();
    expect(await page.locator('.outcomes tbody tr').first().locator('td').allInnerTexts()).toEqual([
      'status 202',
      'no response: the connection was reset',
      'status 202',
    ]);
    expect(await page.locator('.outcomes tbody tr').nth(1).locator('td').allInnerTexts()).toEqual([
      expect.stringMatching(/^responded 202, changed \d+ rows$/),
      expect.stringMatching(/^responded 202, changed \d+ rows$/),
      'responded 202, changed nothing',
    ]);
    expect((await get('/__admin/requests?tenant=before-default-1')).body.count).toBe(2);
    await page.getByRole('button', { name: 'Try it in a branch' }).click();
    await result(page).getByText('before-default-1-2', { exact: true }).waitFor();
  });

  it('show hostile answers as text', async () => {
    const hostile = '<img src=x onerror="document.title=1">';
    const { call, page } = await openDashboard();
    await call('PATCH', astridPath, { body: { street: hostile } });
    await openRequest(page, 'default-1');
    await page.getByRole('button', { name: 'Copy as curl for bash' }).click();
    await result(page).locator('pre', { hasText: 'onerror' }).waitFor();
    await page.getByRole('button', { name: 'Save as scenario' }).click();
    await result(page).getByText('Saved as').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).toBe('loyalty-sim');
  });
});
