import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser } from '../support/browser.ts';
import { closeDashboards, showDashboard } from '../support/dashboard.ts';
import { folderWith, tidyFolders } from '../support/folders.ts';
import { openSim } from '../support/open-sim.ts';
import { astrid, astridPath } from '../support/people.ts';
import { receiptOf } from '../support/receipt.ts';

afterAll(closeBrowser);
afterAll(tidyFolders);
afterEach(closeDashboards);

const hostile = {
  image: '<img src=x onerror="document.title=1">',
  script: '</script><script>document.title=2</script>',
  direction: 'a\u202Egnp.exe\u2067',
  null: 'before\u0000after',
  emoji: '👩‍👩‍👧‍👦🧾',
  arabic: 'قسيمة شراء',
  long: 'W'.repeat(10_000),
} as const;

const narrow = { viewport: { width: 390, height: 800 } };

/** Finds inline elements whose text turns the direction of what stands beside them around. */
const leaking = `[...document.querySelectorAll('main *')]
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.includes('\\u202e')))
  .filter((one) => { const { display, unicodeBidi } = getComputedStyle(one); return display === 'inline' && unicodeBidi === 'normal'; })
  .map((one) => one.outerHTML.slice(0, 200))`;

async function expectHarmless(page: Page, view: string): Promise<void> {
  expect(await page.title(), view).toBe('loyalty-sim');
  expect(await page.locator('main img, main script').count(), view).toBe(0);
  expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBe(390);
  expect(await page.evaluate(leaking), view).toEqual([]);
}

describe.skipIf(!hasBrowser)('names and texts that somebody else has chosen', () => {
  it('run nothing and break no view of the narrow page', async () => {
    const client = await openSim();
    const { get, patch, post, sim } = client;
    const texts = Object.values(hostile);
    for (const [i, text] of texts.entries()) {
      const rule = { id: text.slice(0, 60), match: { endpoint: 'createReceipt' }, times: 1 };
      await post('/__admin/faults', { ...rule, fault: { phase: 'after', respond: 'none', end: 'reset' } });
      for (const key of [`${text}-1`, `${text}-2`])
        await post('/api/v3/receipts', receiptOf(astrid, key.slice(-250))).catch(() => 'lost');
      await patch(astridPath, { street: text, firstName: text.slice(0, 200), [text.slice(0, 50)]: i });
      await get(`/api/v3/${encodeURIComponent(text)}?${encodeURIComponent(text)}=1`);
    }
    sim.tenant(`t${'w'.repeat(63)}`);
    const { page, url } = await showDashboard(client, {}, '', narrow);
    const last = [...sim.tenants.default.journal.exchanges()].findLast(({ fault }) => fault)?.id;
    const views = [
      'timeline',
      'requests',
      `requests/${last}`,
      'verdict',
      'faults',
      'contact',
      'contact/100001',
      'tenants',
    ];
    for (const view of views) {
      await page.goto(`${url}/__admin/ui#default/${view}`);
      await page.locator('main').locator('section, p, article, li, a').filter({ visible: true }).first().waitFor();
      if (view === 'verdict') await page.locator('summary', { hasText: 'Step by step' }).first().click();
      await expectHarmless(page, view);
    }
  }, 200_000);

  it('run nothing and break nothing in the map of a file, whatever the file holds', async () => {
    const texts = Object.values(hostile);
    const points = texts.flatMap((text) => [
      { id: text, status: text, phase: text, reason: text, witness: text, run: 1 },
      { id: `createReceipt#1.1/${text}`, status: 'found', phase: 'after', reason: text },
      { id: 'createReceipt#1.1/504', status: 'tried', phase: 7, reason: { a: 1 }, run: text },
    ]);
    const findings = texts.map((text) => ({
      rule: text,
      endpoint: text,
      message: text,
      advice: text,
      faults: [text, 7],
      points: [text],
    }));
    const json = { verdict: hostile.image, reason: hostile.long, points, findings: [...findings, null, 7] };
    const folder = folderWith({ 'explore.json': json });
    const badName = `${hostile.image.replaceAll('/', '')}\u202E.json`;
    writeFileSync(join(folder, badName), '{');
    const { page } = await showDashboard(await openSim(), {}, '#default/explore', narrow);
    await page.getByLabel('explore.json').setInputFiles(join(folder, 'explore.json'));
    await page.locator('.exploration .point').first().waitFor();
    for (const cell of await page.locator('.exploration .point').all()) {
      await cell.click();
      await page.locator('.cell-details li').first().waitFor();
    }
    await page.getByRole('button', { name: 'Show in the map' }).first().click();
    await expectHarmless(page, 'explore');
    await page.getByLabel('explore.json').setInputFiles(join(folder, badName));
    await page.getByRole('alert').getByText('is not JSON').waitFor();
    await expectHarmless(page, 'explore');
  });
});
