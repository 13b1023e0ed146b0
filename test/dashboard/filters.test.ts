import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser } from '../support/browser.ts';
import { closeDashboards, showDashboard } from '../support/dashboard.ts';
import type { OpenDashboard } from '../support/dashboard.ts';
import { playDayAtTill, setTimes } from '../support/lost-receipt.ts';
import { openSim } from '../support/open-sim.ts';

afterAll(closeBrowser);
afterEach(closeDashboards);

const wide = { viewport: { width: 1400, height: 900 } };
const screens: readonly (readonly [string, BrowserContextOptions])[] = [
  ['1400 px, light', wide],
  ['390 px, dark', { viewport: { width: 390, height: 800 }, colorScheme: 'dark' }],
];

const earlier = 30;

/** Opens a day at the till that came during other requests, of which each has a lane. */
async function openDay(view = '', context: BrowserContextOptions = wide): Promise<OpenDashboard> {
  const client = await openSim();
  for (let i = 0; i < earlier; i++) await client.get('/api/v3/contacts/count');
  await playDayAtTill(client);
  setTimes(client);
  for (const exchange of client.sim.tenants.default.journal.exchanges()) {
    if (exchange.number <= earlier)
      Object.assign(exchange, { startedAt: 250 * earlier, finishedAt: 250 * (earlier + 3) });
  }
  return showDashboard(client, {}, view, context);
}

const filters = async (page: Page): Promise<string[]> =>
  page.getByLabel('Filters in force').locator('li').allInnerTexts();
const chip = (page: Page, label: string) => page.getByRole('button', { name: `${label}: take this filter away` });
const finding = (page: Page) => page.getByRole('button', { name: /249 points too many/ });
const showAll = (page: Page) => page.getByRole('button', { name: 'Show all' });
const search = (page: Page) => page.getByLabel('Search requests');
const everything = (page: Page) => page.getByText('39 requests', { exact: true }).waitFor();

/** True when an element, or so much of it as a person needs to read, is in sight. */
const isInSight = (page: Page, selector: string): Promise<unknown> =>
  page.evaluate(
    `(() => { const { top, bottom } = document.querySelector('${selector}').getBoundingClientRect();
      return top >= 0 && Math.min(bottom, innerHeight) - top >= Math.min(150, bottom - top); })()`,
  );

/** Returns the middle of the lane that has a mark at its begin, in pixels. */
const markedAt = (page: Page): Promise<number> =>
  page.evaluate<number>(
    `(() => { const canvas = document.querySelector('.lanes canvas');
      const pixels = canvas.getContext('2d').getImageData(2, 0, 1, canvas.height).data;
      const accent = getComputedStyle(document.documentElement).getPropertyValue('--accent').trim();
      const hex = (y) => '#' + [...pixels.slice(4 * y, 4 * y + 3)].map((one) => one.toString(16).padStart(2, '0')).join('');
      const rows = Array.from({ length: canvas.height }, (_, y) => y).filter((y) => hex(y) === accent);
      return (rows[0] + rows.at(-1)) / 2; })()`,
  );

describe.skipIf(!hasBrowser)('the filters of the requests', () => {
  it.each(screens)(
    'show the finding that was selected, its lane and its request, all in sight, %s',
    async (_, context) => {
      const { page } = await openDay('', context);
      await finding(page).click();
      await page.getByText('2 requests found').waitFor();
      expect(await filters(page)).toEqual(['R10 ✕']);
      await page.getByRole('article', { name: 'default-32' }).waitFor();
      await expect.poll(() => isInSight(page, '.detail article')).toBe(true);
      expect(await isInSight(page, '.lanes')).toBe(true);
      const middle = await markedAt(page);
      await page.getByRole('application').hover({ position: { x: 40, y: middle } });
      await page.getByText('createReceipt till-7-1 · R10:').waitFor();
    },
  );

  it('of a finding leave the same requests in the lanes as in the list', async () => {
    const { page } = await openDay();
    await page.getByText(`${earlier + 6} lanes ·`).waitFor();
    await finding(page).click();
    await page.getByText('2 requests found').waitFor();
    await page.getByText('1 lane ·').waitFor();
    expect(await finding(page).getAttribute('aria-pressed')).toBe('true');
    await chip(page, 'R10').click();
    await page.getByText(`${earlier + 6} lanes ·`).waitFor();
    expect(await finding(page).getAttribute('aria-pressed')).toBe('false');
  });

  it('are taken away one by one by mouse or key, and all at once', async () => {
    const { page } = await openDay();
    await finding(page).click();
    await page.getByText('2 requests found').waitFor();
    await search(page).fill('till-7-2');
    await page.getByLabel('Response').selectOption('2xx');
    await page.getByLabel('Fault', { exact: true }).selectOption('none');
    await page.getByText('1 request found').waitFor();
    expect(await filters(page)).toEqual(['R10 ✕', '“till-7-2” ✕', 'Success ✕', 'Without a fault ✕']);
    await chip(page, '“till-7-2”').click();
    expect(await search(page).inputValue()).toBe('');
    await chip(page, 'Success').press('Enter');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('R10 ✕');
    await page.keyboard.press('Enter');
    expect(await filters(page)).toEqual(['Without a fault ✕']);
    await finding(page).click();
    await page.getByText('2 requests found').waitFor();
    expect(await filters(page)).toEqual(['R10 ✕']);
    await search(page).fill('receipts');
    await chip(page, '“receipts”').waitFor();
    await showAll(page).click();
    await everything(page);
    expect(await filters(page)).toEqual([]);
    expect(await showAll(page).isDisabled()).toBe(true);
  });

  it('say when they are why a search finds nothing, and offer to search in everything', async () => {
    const { page } = await openDay();
    await finding(page).click();
    await page.getByText('2 requests found').waitFor();
    await search(page).fill('countContacts');
    await page.getByText('Nothing is found within R10.').waitFor();
    await page.getByRole('button', { name: 'Search in all requests' }).click();
    await page.getByText(`${earlier + 1} requests found`).waitFor();
    expect(await filters(page)).toEqual(['“countContacts” ✕']);
    expect(await page.getByText('Nothing is found').isVisible()).toBe(false);
  });

  it('stay, and are seen, when another view was shown in between; each view has its own', async () => {
    const { page } = await openDay();
    await finding(page).click();
    await page.getByText('2 requests found').waitFor();
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await everything(page);
    expect(await filters(page)).toEqual([]);
    await search(page).fill('updateContact');
    await page.getByText('3 requests found').waitFor();
    expect(await filters(page)).toEqual(['“updateContact” ✕']);
    await page.getByRole('link', { name: 'Timeline', exact: true }).click();
    await page.getByText('2 requests found').waitFor();
    expect(await filters(page)).toEqual(['R10 ✕']);
    await page.getByRole('application').press('0');
    await everything(page);
  });

  it('name the part of the time that was zoomed to, and leave the address as it is', async () => {
    const { page } = await openDay();
    await everything(page);
    const { hash } = new URL(page.url());
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page
      .getByLabel('Filters in force')
      .getByText(/^[\d.]+ m?s – [\d.]+ m?s/)
      .waitFor();
    expect(new URL(page.url()).hash).toBe(hash);
    await page.getByLabel('Filters in force').getByRole('button').click();
    await everything(page);
  });
});
