import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser } from '../support/browser.ts';
import { closeDashboards, openDashboard, showDashboard } from '../support/dashboard.ts';
import { openSim } from '../support/open-sim.ts';

afterAll(closeBrowser);
afterEach(closeDashboards);

const count = '/api/v3/contacts/count';

describe.skipIf(!hasBrowser)('tenants in the dashboard', () => {
  it('shows each tenant with its verdict, requests, faults and last activity', async () => {
    const { get, page, post } = await openDashboard({}, '#default/tenants');
    await post('/__admin/faults?tenant=till-2', { match: { path: count }, fault: '500', times: 1 });
    for (const name of ['till-1', 'till-2']) await get(`/t/${name}${count}`);
    const cell = (name: string) => page.locator('.tenant', { hasText: name });
    await cell('till-1').getByText('✓ PASS').waitFor();
    await cell('till-2').getByText('✗ FAIL').waitFor();
    expect(await cell('till-2').innerText()).toMatch(/1 request, 1 fault\s+just now/);
    expect(await cell('default').innerText()).toMatch(/0 requests, 0 faults\s+no requests yet/);
    await cell('till-2').click();
    await expect.poll(() => page.getByLabel('Tenant').inputValue()).toBe('till-2');
  });

  it('stays quick with 200 tenants: it judges those in sight', async () => {
    const client = await openSim();
    for (let n = 1; n <= 200; n++) await client.get(`/t/shop-${n}${count}`);
    const { page } = await showDashboard(client, {}, '#default/tenants');
    await page.getByText('201 tenants').waitFor();
    // The latest is the first one.
    await page.locator('.tenant').first().getByText('PASS').waitFor();
    expect(await page.locator('.tenant').first().locator('strong').innerText()).toBe('shop-200');
    expect(await page.locator('.tenant').last().getByText('…').count()).toBe(1);
    await page.locator('.tenants > li').nth(199).scrollIntoViewIfNeeded();
    await page.locator('.tenants > li').nth(199).getByText('PASS').waitFor();
  });

  it('judges a tenant in which nothing happens no second time, though its clock runs on', async () => {
    const { get, page, post } = await openDashboard({}, '#default/tenants');
    await post('/__admin/tenants', { name: 'quiet' });
    await post('/__admin/clock?tenant=quiet', { resume: true });
    await get(`/t/till-1${count}`);
    const judged: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/verdict')) judged.push(searchParams.get('tenant') ?? '');
    });
    await page.locator('.tenant', { hasText: 'till-1' }).getByText('✓ PASS').waitFor();
    await page.locator('.tenant', { hasText: 'quiet' }).getByText('INCONCLUSIVE').waitFor();
    judged.length = 0;
    // Each pass over the tenants judges till-1 before quiet, and the next one begins when that is done.
    for (let pass = 0; pass < 3; pass++) {
      const isJudged = page.waitForResponse((response) => /verdict.*till-1/.test(response.url()));
      await get(`/t/till-1${count}`);
      await isJudged;
    }
    expect(judged.filter((name) => name === 'quiet')).toEqual([]);
  });
});
