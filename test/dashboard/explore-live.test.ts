import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeBrowser, closePages, hasBrowser, openPage } from '../support/browser.ts';
import { startProgram, tidy } from '../support/command.ts';
import { closeDashboards, openDashboard } from '../support/dashboard.ts';
import { folderWith } from '../support/folders.ts';
import { withFetch } from '../support/clients.ts';
import { astrid, astridPath } from '../support/people.ts';

afterAll(closeBrowser);
afterEach(closeDashboards);
afterEach(tidy);

const bonus = {
  contactId: astrid,
  definitionId: 1,
  amount: 10,
  timeStamp: '2026-03-01T11:00:00Z',
  source: 'Adjustment',
  description: 'Welcome back',
};

/** Gives points without a key; what fails is sent again. Later runs wait for files of the test. */
const till = `${withFetch}
  import { existsSync } from 'node:fs';
  const send = async (path, body) => {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    for (let attempt = 1; attempt <= 3; attempt++) {
      const status = await fetch(process.env.LOYALTY_SIM_URL + path, { ...init, signal: AbortSignal.timeout(1000) })
        .then(async (one) => (await one.text(), one.status), () => 599);
      if (status < 500 && status !== 429) return;
      await new Promise((next) => setTimeout(next, 50));
    }
  };
  await send('/api/v3/point-accounts/transactions', ${JSON.stringify([bonus])});
  const run = Number(process.env.LOYALTY_SIM_RUN);
  const needed = run > 8 ? 'second' : run > 2 ? 'first' : 'till.mjs';
  while (!existsSync(needed)) await new Promise((next) => setTimeout(next, 50));
`;

describe.skipIf(!hasBrowser)('the map of an exploration that goes on', () => {
  it('fills while the command explores, and leads to the tenants of its runs', async () => {
    const folder = folderWith({ 'till.mjs': till });
    const command = ['explore', '--level', '1', '--kill', '--jobs', '2', '--max-runs', '8', '--', 'node', 'till.mjs'];
    const { found: address, ended } = await startProgram(command, /^dashboard: (\S+)$/m, { folder });
    const page = await openPage(address, { viewport: { width: 1400, height: 900 } });
    const cells = (status: string) => page.locator(`.exploration .point.${status}`);
    await cells('planned').first().waitFor();
    await cells('running').first().focus();
    const heads = await page.locator('.exploration th[scope=row]').allInnerTexts();
    expect(new Set(heads)).toEqual(new Set(['before', 'after', 'later']));
    await page.keyboard.press('Enter');
    await page.locator('.cell-details').getByRole('link', { name: 'timeline' }).first().click();
    await page.locator('.list > a', { hasText: 'addPointTransactions' }).first().waitFor();
    expect(page.url()).toMatch(/#run-\d+\/timeline$/);
    await page.goto(address);
    writeFileSync(join(folder, 'first'), '');
    await page.locator('.findings').getByText('R10 addPointTransactions').waitFor();
    await page.locator('.findings').getByRole('link', { name: 'verdict' }).first().click();
    await page.locator('.operation').getByText('R10').first().waitFor();
    expect(page.url()).toMatch(/#run-\d+\/verdict$/);
    await page.goto(address);
    await page.getByRole('button', { name: 'Show in the map' }).first().click();
    await page.locator('.cell-details').getByText('broke the client').first().waitFor();
    const narrow = await openPage(address, { viewport: { width: 390, height: 800 }, colorScheme: 'dark' });
    await narrow.locator('.exploration .point.found').first().waitFor();
    expect(await narrow.evaluate('document.documentElement.scrollWidth')).toBe(390);
    writeFileSync(join(folder, 'second'), '');
    expect((await ended).code).toBe(1);
    const { points } = JSON.parse(readFileSync(join(folder, 'explore/explore.json'), 'utf8'));
    for (const one of [page, narrow]) {
      await one.locator('.word', { hasText: 'FAIL' }).waitFor();
      await one.getByText(`${points.length} points, each a fault at a request`).waitFor();
      expect(await one.locator('.point.planned, .point.running').count()).toBe(0);
    }
    expect(await cells('not-tried').count()).toBeGreaterThan(0);
    await closePages(/ERR_(CONNECTION|INCOMPLETE_CHUNKED)|status of 404/);
  }, 240_000);

  it('shows what test code explores, and waits for what comes', async () => {
    const { page, sim } = await openDashboard({}, '#default/explore');
    await page.getByText('No exploration runs on this simulator.').waitFor();
    await sim.explore(
      async ({ fetch }) => void (await fetch(astridPath, { signal: AbortSignal.timeout(300) }).catch(() => undefined)),
      { level: 1 },
    );
    await page.locator('.word', { hasText: 'FAIL' }).waitFor();
    await page.locator('.exploration .point.found').first().click();
    await page.locator('.cell-details').getByText('broke the client').first().waitFor();
    expect(sim.tenants.size).toBe(1);
  });
});
