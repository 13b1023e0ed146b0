import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser, openPage } from '../support/browser.ts';
import { closeDashboards, openDashboard, requestRow, showDashboard } from '../support/dashboard.ts';
import type { OpenDashboard } from '../support/dashboard.ts';
import { astridPath } from '../support/people.ts';
import { fileName, openFileShop, transactionsXml } from '../support/receipt-files.ts';
import type { Shop } from '../support/receipt-files.ts';

afterAll(closeBrowser);

afterEach(closeDashboards);

const count = '/api/v3/contacts/count';

/** The dashboard of a sim that watches a folder. */
async function openOnFiles(view: string): Promise<OpenDashboard & Shop> {
  const shop = await openFileShop();
  return { ...shop, ...(await showDashboard(shop, {}, view)) };
}

describe.skipIf(!hasBrowser)('the dashboard', () => {
  it('shows a request as it arrives, and all of it when it is selected', async () => {
    const { call, page } = await openDashboard();
    await call('PATCH', astridPath, { body: { street: 'Drottninggatan 1', stret: '' }, headers: { apikey: 'till' } });
    await requestRow(page, 'PATCH').click();
    const card = page.getByRole('article', { name: 'default-1' });
    expect(await requestRow(page, 'PATCH').innerText()).toMatch(/200[^]*1 effect 1 warning default-1 updateContact/);
    expect(await card.innerText()).toMatch(/updated contacts[^]*street\s+Götgatan 42 → Drottninggatan 1/);
    expect(page.url()).toMatch(/#default\/timeline\/default-1$/);
  });

  it('shows the request that the address names from the start', async () => {
    const { get, url } = await openDashboard();
    await get(count);
    const page = await openPage(`${url}/__admin/ui#requests/default-1`);
    await page.getByRole('article', { name: 'default-1' }).getByText(count).waitFor();
  });

  it('lets the next request fail by a fault that was added in it', async () => {
    const { get, page } = await openDashboard({}, '#faults/countContacts');
    const form = page.getByRole('form', { name: 'Add a fault' });
    await form
      .locator('[name=endpoint] option:checked', { hasText: 'count contacts: GET' })
      .waitFor({ state: 'attached' });
    await form.getByLabel('What goes wrong').selectOption('503');
    await form.getByRole('button', { name: 'Add fault' }).click();
    await page.getByText('fired 0 times, 1 remaining').waitFor();
    expect((await get(count)).status).toBe(503);
    await page.getByText('fired 1 time, 0 remaining').waitFor();
    await page.getByRole('button', { name: 'Delete fault-1' }).click();
    await page.getByText('No rules: every request is served normally.').waitFor();
  });

  it('turns the verdict to FAIL, and says why', async () => {
    const { get, page, post } = await openDashboard({}, '#verdict');
    await page.locator('.badge', { hasText: 'INCONCLUSIVE' }).waitFor();
    await post('/__admin/faults', { match: { path: count }, fault: '500', times: 1 });
    await get(count);
    await page.locator('.badge', { hasText: 'FAIL' }).waitFor();
    const operation = page.locator('.operation');
    await operation.getByText(`R1: GET ${count} got status 500 and was never repeated`).waitFor();
    expect(await operation.innerText()).toContain('→ Repeat the request with the same key and content after a pause');
  });

  it('shows what was sent as text, whatever it is', async () => {
    const { call, page, post } = await openDashboard();
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    await post('/__admin/faults', { id: hostile, match: { path: count }, fault: '500' });
    await call('PATCH', `${astridPath}?${encodeURIComponent(hostile)}=1`, { body: { street: hostile, [hostile]: 1 } });
    await requestRow(page, 'PATCH').click();
    await page.getByRole('article', { name: 'default-1' }).getByText(hostile).first().waitFor();
    for (const view of ['verdict', 'faults', 'contact/100001']) await page.goto(page.url().replace(/#.*/, `#${view}`));
    await page.locator('dd', { hasText: hostile }).waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.title()).toBe('loyalty-sim');
  });

  it('sets the clock, and lists the executed jobs', async () => {
    const { page, post } = await openDashboard({ queueDelay: 60_000 }, '#time');
    await post('/api/v3/contacts/bulk', [{ email: 'new@example.com' }]);
    await page.getByText('1 queued, 0 failed').waitFor();
    await page.getByRole('button', { name: '+1h', exact: true }).click();
    await page.getByText('It is 2026-03-01 13:00:00.').waitFor();
    await page.locator('.executed li', { hasText: 'contacts.bulk for default-1' }).waitFor();
    await page.getByText('No job is waiting.').waitFor();
    expect(await page.locator('.clock').innerText()).toMatch(/^2026-03-01 13:00:00 UTC\s+frozen$/);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('.clock .chip').waitFor({ state: 'detached' });
  });

  it('says what is wrong with what was entered, in the words of the sim', async () => {
    const { get, page } = await openDashboard({}, '#time');
    await page.getByLabel(/Advance by/).fill('soon');
    await page.getByRole('button', { name: 'Advance', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/^advance: must be a duration/)
      .waitFor();
    await get(count);
    await page.locator('.badge', { hasText: 'PASS' }).waitFor();
    expect(await page.getByRole('alert').isVisible()).toBe(true);
    await page.getByRole('button', { name: '+1d', exact: true }).click();
    await page.getByRole('alert').waitFor({ state: 'hidden' });
  });

  it('controls the queue', async () => {
    const { page, post } = await openDashboard({ queueDelay: 60_000 }, '#time');
    await post('/api/v3/contacts/bulk', [{ email: 'new@example.com' }]);
    await page.getByRole('button', { name: 'Hold' }).click();
    await page.locator('[role=status] .chip', { hasText: 'held' }).waitFor();
    await page.getByRole('button', { name: 'Let it fail' }).click();
    await page.getByText('0 queued, 1 failed').waitFor();
    await page.locator('.card', { hasText: 'failed on demand' }).waitFor();
  });

  it('asks for the admin key once, and again when it was wrong', async () => {
    const { page, call } = await openDashboard({ adminKey: 'secret' });
    for (const key of ['wrong', 'secret']) {
      await page.getByLabel('Key', { exact: true }).fill(key);
      await page.getByRole('button', { name: 'Go on' }).click();
      if (key === 'wrong') await page.getByText('That was not the key.').waitFor();
    }
    await page.getByText('live', { exact: true }).waitFor();
    await call('GET', count);
    await requestRow(page, count).waitFor();
    await page.reload();
    await requestRow(page, count).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('resets only when that was confirmed', async () => {
    const { get, page } = await openDashboard();
    await get(count);
    await requestRow(page, count).waitFor();
    await page.getByRole('link', { name: 'Reset and snapshots' }).click();
    await page.getByRole('button', { name: 'Reset …' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await get('/__admin/requests')).body.count).toBe(1);
    await page.getByRole('button', { name: 'Reset …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await expect.poll(async () => (await get('/__admin/requests')).body.count).toBe(0);
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByText('No requests yet').waitFor();
  });

  it('takes and restores a snapshot', async () => {
    const { call, get, page } = await openDashboard({}, '#state');
    const { street } = (await get(astridPath)).body;
    await page.getByLabel('Name').fill('before');
    await page.getByRole('button', { name: 'Take a snapshot' }).click();
    await page.getByRole('button', { name: 'Restore before' }).waitFor();
    await call('PATCH', astridPath, { body: { street: 'Drottninggatan 1' } });
    await page.getByRole('button', { name: 'Restore before' }).click();
    await expect.poll(async () => (await get(astridPath)).body.street).toBe(street);
  });

  it('looks at one tenant, and offers those that come', async () => {
    const { get, page } = await openDashboard();
    await get(`/t/shop-2${count}`);
    await page.getByLabel('Tenant').locator('option', { hasText: 'shop-2' }).waitFor({ state: 'attached' });
    expect(await requestRow(page, count).count()).toBe(0);
    await page.getByLabel('Tenant').selectOption('shop-2');
    await requestRow(page, 'shop-2-1').waitFor();
  });

  it('offers tenants beyond the first page of them', async () => {
    const { page, sim } = await openDashboard();
    for (let i = 0; i < 120; i++) sim.tenant(`shop-${i}`);
    await page.getByLabel('Tenant').locator('option', { hasText: 'shop-119' }).waitFor({ state: 'attached' });
  });

  it('names the tenant in every address, and goes to the tenant that an address names', async () => {
    const { get, page, url } = await openDashboard();
    for (const shop of ['shop-2', 'verdict']) await get(`/t/${shop}${count}`);
    expect(page.url()).toMatch(/#default\/timeline$/);
    await page.getByLabel('Tenant').selectOption('verdict');
    await requestRow(page, 'verdict-1').click();
    expect(page.url()).toMatch(/#verdict\/timeline\/verdict-1$/);
    expect(await page.getByRole('link', { name: 'Faults' }).getAttribute('href')).toBe('#verdict/faults');
    await page.goto(`${url}/__admin/ui#shop-2/requests`);
    await requestRow(page, 'shop-2-1').waitFor();
    await page.goBack();
    await page.getByRole('article', { name: 'verdict-1' }).waitFor();
    expect(await page.getByLabel('Tenant').inputValue()).toBe('verdict');
  });

  it('says that the tenant of an address does not exist', async () => {
    const { page, url } = await openDashboard();
    await page.goto(`${url}/__admin/ui#shop-9/requests`);
    await page.getByRole('alert').getByText('There is no tenant "shop-9"; this is "default".').waitFor();
    expect(page.url()).toMatch(/#default\/requests$/);
  });

  it('goes back to the tenant default when the one it looks at is removed', async () => {
    const { call, page, post } = await openDashboard();
    await post('/__admin/tenants', { name: 'shop-2' });
    await page.getByLabel('Tenant').selectOption('shop-2');
    await page.getByText('live', { exact: true }).waitFor();
    await call('DELETE', '/__admin/tenants/shop-2');
    await expect.poll(() => page.getByLabel('Tenant').inputValue()).toBe('default');
  });

  it('shows a contact, and what becomes of them', async () => {
    const { call, page } = await openDashboard({}, '#contact');
    await page.getByLabel('Find a contact').fill('100001');
    await page.keyboard.press('Enter');
    await page.locator('dd', { hasText: 'Lindqvist' }).first().waitFor();
    await call('PATCH', astridPath, { body: { street: 'Drottninggatan 1' } });
    await page.locator('dd', { hasText: 'Drottninggatan 1' }).waitFor();
    await page.getByLabel('Find a contact').fill('nobody');
    await page.getByText('No contact has "nobody"').waitFor();
    expect(await page.locator('dd:visible').count()).toBe(0);
    await page.goBack();
    await page.locator('dd', { hasText: 'Drottninggatan 1' }).waitFor();
  });

  it('loads a built-in scenario', async () => {
    const { page } = await openDashboard({}, '#faults');
    await page.getByLabel('Scenario', { exact: true }).selectOption('server-error');
    await page.getByRole('button', { name: 'Load' }).click();
    await page.locator('.card .chip', { hasText: 'scenario' }).first().waitFor();
    expect(await page.getByRole('heading', { name: 'Scenario' }).locator('..').innerText()).not.toContain(
      'No scenario is active',
    );
  });

  it('finds requests by words and by response, and goes through them by keys', async () => {
    const { get, page } = await openDashboard();
    for (const path of [count, '/api/v3/nothing', `${count}?x=1`]) await get(path);
    await requestRow(page, 'default-3').waitFor();
    await page.getByLabel('Response', { exact: true }).selectOption('4xx');
    await expect
      .poll(() => page.locator('.list > a').allInnerTexts())
      .toEqual([expect.stringContaining('/api/v3/nothing')]);
    await page.getByLabel('Response', { exact: true }).selectOption('any');
    await page.locator('body').press('/');
    await page.keyboard.type('count');
    await expect.poll(() => page.locator('.list > a').count()).toBe(2);
    await requestRow(page, 'default-3').focus();
    for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('article', { name: 'default-1' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('article').waitFor({ state: 'hidden' });
  });

  it('shows what batches took, ignored and refused of files, and when the next one is', async () => {
    const { page, post, drop, batch } = await openOnFiles('#imports');
    await page.getByText('The next batch is in 15 minutes, at 2026-03-01 12:15:00, then every 15 minutes.').waitFor();
    await page.getByText('No batch has found a file yet.').waitFor();
    drop(fileName(1), transactionsXml({ id: 'f-1' }, { id: 'f-1' }));
    drop(fileName(2), transactionsXml({ id: 'f-2', store: '999' }));
    drop(`${fileName(3)}.part`, '');
    await batch();
    await page.getByText('The next batch is in 15 minutes, at 2026-03-01 12:30:00').waitFor();
    const files = page.locator('.card', { hasText: 'Batch 1 of 2026-03-01 12:15:00' }).locator('.files > li');
    await files.nth(1).waitFor();
    await files.nth(0).getByText('1 note').click();
    expect(await files.nth(0).innerText()).toMatch(
      /20260301120000_1_transactions.xml imported[^]*1 of 2 receipts imported, 1 there already[^]*line 30, column .* \(receipt f-1\)/,
    );
    expect(await files.nth(1).innerText()).toMatch(
      /_2_transactions.xml refused[^]*line 11, column .* no store has the storeExternalId "999"[^]*kept as failed/,
    );
    await page.getByText(`${fileName(3)}.part has the name of an upload that is under way`).waitFor();
    await post('/__admin/reset');
    await page.getByText('No batch has found a file yet.').waitFor();
  });

  it('says how to watch a folder where none is watched', async () => {
    const { page } = await openDashboard({}, '#imports');
    await page.getByText('No folder is watched. Start the simulator with --import-folder <folder>.').waitFor();
  });

  it('says when the sim has gone', async () => {
    const { page, sim } = await openDashboard();
    await sim.close();
    await page.getByText('no connection, trying again').waitFor();
  });

  it.each(['light', 'dark'] as const)('can be read at twice the size, in %s', async (colorScheme) => {
    const { call, page, url } = await openDashboard();
    await call('PATCH', astridPath, { body: { street: 'Drottninggatan 1' } });
    const small = await openPage(`${url}/__admin/ui`, { colorScheme, viewport: { width: 500, height: 400 } });
    for (const view of [
      'timeline/default-1',
      'requests/default-1',
      'verdict',
      'faults',
      'time',
      'webhooks',
      'imports',
      'contact/100001',
      'state',
    ]) {
      await small.goto(`${url}/__admin/ui#${view}`);
      await small.locator('main section, main p').filter({ visible: true }).first().waitFor();
      expect(await small.evaluate('document.documentElement.scrollWidth'), view).toBeLessThanOrEqual(500);
    }
    await page.close();
  });
});
