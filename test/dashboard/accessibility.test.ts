import axe from 'axe-core';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser } from '../support/browser.ts';
import { closeDashboards, showDashboard } from '../support/dashboard.ts';
import { playDayAtTill } from '../support/lost-receipt.ts';
import { openSim } from '../support/open-sim.ts';

afterAll(closeBrowser);
afterEach(closeDashboards);

const views = [
  'timeline/default-2',
  'requests/default-6',
  'verdict',
  'faults',
  'time',
  'webhooks',
  'imports',
  'contact',
  'contact/100001',
  'state',
  'tenants',
  'explore',
];

const screens: readonly (readonly [string, BrowserContextOptions])[] = [
  ['wide and light', { viewport: { width: 1400, height: 900 }, colorScheme: 'light' }],
  ['narrow and dark', { viewport: { width: 390, height: 800 }, colorScheme: 'dark' }],
];

describe.skipIf(!hasBrowser)('every view of the dashboard', () => {
  it.each(screens)('has nothing that axe objects to, %s', async (_, context) => {
    const client = await openSim();
    await playDayAtTill(client);
    const { page, url } = await showDashboard(client, {}, '', context);
    await page.evaluate(axe.source);
    for (const view of views) {
      await page.goto(`${url}/__admin/ui#default/${view}`);
      await page
        .locator('main')
        .locator('section, p, article, li, a, label')
        .filter({ visible: true })
        .first()
        .waitFor();
      const found = await page.evaluate('axe.run()');
      // The page runs axe itself, which returns its results.
      const { violations } = found as axe.AxeResults;
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        view,
      ).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBe(context.viewport?.width);
    }
  });
});
