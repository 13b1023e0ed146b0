import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { serializeExploration } from '../../src/explore/report/exploration-json.ts';
import { closeBrowser, hasBrowser } from '../support/browser.ts';
import { closeDashboards, openDashboard } from '../support/dashboard.ts';
import { folderWith, tidyFolders } from '../support/folders.ts';
import { openSim } from '../support/open-sim.ts';
import { astridPath } from '../support/people.ts';

afterAll(closeBrowser);
afterAll(tidyFolders);
afterEach(closeDashboards);

describe.skipIf(!hasBrowser)('the map of an exploration', () => {
  it('shows which faults were tried at which requests, and which broke the client', async () => {
    const { sim } = await openSim();
    const exploration = await sim.explore(
      async ({ fetch }) => void (await fetch(astridPath, { signal: AbortSignal.timeout(300) }).catch(() => undefined)),
      { level: 1 },
    );
    const json = serializeExploration({ exploration, fileOf: () => '', version: '0', at: '2026-03-01T12:00:00Z' });
    const folder = folderWith({ 'explore.json': json, 'other.json': { points: 'none' } });
    writeFileSync(join(folder, 'broken.json'), '{');
    const { page } = await openDashboard({}, '#default/explore');
    const open = (name: string) => page.getByLabel('explore.json').setInputFiles(join(folder, name));
    await open('explore.json');
    const row = page.locator('.exploration tbody', { hasText: 'getContact' });
    await row.locator('.point.found').first().waitFor();
    expect(await page.locator('.exploration thead th').count()).toBeGreaterThan(4);
    expect(await row.locator('.point').count()).toBeGreaterThan(4);
    await page.locator('.word', { hasText: 'FAIL' }).waitFor();
    await row.locator('.point.found').first().click();
    await page.evaluate(axe.source);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const found = await page.evaluate('axe.run()');
      // The page runs axe itself, which returns its results.
      const { violations } = found as axe.AxeResults;
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
    }
    await open('broken.json');
    await page.getByRole('alert').getByText('broken.json: is not JSON').waitFor();
    await open('other.json');
    await page.getByRole('alert').getByText('other.json: has no points; expected the explore.json').waitFor();
    expect(await page.locator('.exploration').isVisible()).toBe(false);
  });
});
