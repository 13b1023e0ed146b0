import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeBrowser, closePages, hasBrowser, openPage } from '../support/browser.ts';
import { startCommand, tidy } from '../support/command.ts';
import type { Started } from '../support/command.ts';
import { folderWith } from '../support/folders.ts';
import { astridPath } from '../support/people.ts';

afterAll(closeBrowser);
afterEach(async () => {
  await closePages(/net::ERR_|status of 404/);
  tidy();
});

const count = '/api/v3/contacts/count';
const views = ['timeline', 'requests'] as const;

const ids = (page: Page): Promise<string[]> =>
  page.locator('.list > a').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-id') ?? ''));

/** Ends the simulator at once, as a crash does. */
async function kill(sim: Started, page: Page): Promise<void> {
  await sim.signal('SIGKILL');
  await page.getByText('no connection, trying again').waitFor();
}

describe.skipIf(!hasBrowser)('a page whose simulator is killed and started again on the same port', () => {
  it.each(views)('shows only what the new one has, without saved state, in %s', async (view) => {
    const before = await startCommand();
    const page = await openPage(`${before.url}/__admin/ui#default/${view}`);
    for (let i = 0; i < 3; i++) await fetch(before.url + count);
    await expect.poll(() => ids(page)).toEqual(['default-3', 'default-2', 'default-1']);
    await kill(before, page);
    const again = await startCommand(['--port', new URL(before.url).port]);
    await page.getByText('live', { exact: true }).waitFor();
    await expect.poll(() => ids(page)).toEqual([]);
    await fetch(`${again.url}/api/v3/stores`);
    await expect.poll(() => ids(page)).toEqual(['default-1']);
    await page.locator('.list > a', { hasText: '/api/v3/stores' }).waitFor();
    await expect.poll(() => page.getByRole('alert').isVisible()).toBe(false);
  });

  it('goes on with a contact of the saved state, and with a tenant that is there again', async () => {
    const args = ['--fixtures', 'default', '--data', join(folderWith(), 'state.json')];
    const before = await startCommand(args);
    await fetch(`${before.url}/t/shop-2${astridPath}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ street: 'Drottninggatan 1' }),
    });
    const page = await openPage(`${before.url}/__admin/ui#shop-2/contact/100001`);
    const street = page.locator('dd', { hasText: 'Drottninggatan 1' });
    await street.waitFor();
    await before.signal('SIGTERM');
    await page.getByText('no connection, trying again').waitFor();
    const again = await startCommand([...args, '--port', new URL(before.url).port]);
    await page.getByText('live', { exact: true }).waitFor();
    await fetch(`${again.url}/t/shop-2${astridPath}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ street: 'Kungsgatan 2' }),
    });
    await page.locator('dd', { hasText: 'Kungsgatan 2' }).waitFor();
    expect(await street.count()).toBe(0);
    expect(page.url()).toMatch(/#shop-2\/contact\/100001$/);
    await expect.poll(() => page.getByRole('alert').isVisible()).toBe(false);
  });

  it('goes to the tenant "default" when the one that it showed is gone, and says so', async () => {
    const before = await startCommand();
    await fetch(`${before.url}/t/shop-2${count}`);
    const page = await openPage(`${before.url}/__admin/ui#shop-2/requests`);
    await page.locator('.list > a').waitFor();
    await kill(before, page);
    await startCommand(['--port', new URL(before.url).port]);
    await page.getByRole('alert').getByText('There is no tenant "shop-2"; this is "default".').waitFor();
    await expect.poll(() => ids(page)).toEqual([]);
    expect(page.url()).toMatch(/#default\/requests$/);
  });
});
