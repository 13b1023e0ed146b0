import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser } from '../support/browser.ts';
import { closeDashboards, showDashboard } from '../support/dashboard.ts';
import { loseReceipt } from '../support/lost-receipt.ts';
import { openSim } from '../support/open-sim.ts';

afterAll(closeBrowser);
afterEach(closeDashboards);

const lostReceipt = 'default-2';

/** Returns where the arrow of each step begins and ends: at the middle of a participant, or at a part of the picture. */
const arrows = (page: Page): Promise<unknown> =>
  page.evaluate(
    `(() => { const picture = document.querySelector('.sequence').getBoundingClientRect();
      const middles = [...document.querySelectorAll('.participant')].map((one) => {
        const { left, right } = one.getBoundingClientRect();
        return [one.textContent, (left + right) / 2]; });
      const place = (x) => middles.find(([, middle]) => Math.abs(middle - x) < 2)?.[0] ?? Math.round(100 * (x - picture.left) / picture.width);
      return [...document.querySelectorAll('.step .arrow')].map((arrow) => {
        const { left, right } = arrow.getBoundingClientRect();
        return [place(left), place(right)]; }); })()`,
  );

/** Returns the words of the sequence that take several lines. */
const brokenWords = (page: Page): Promise<unknown> =>
  page.evaluate(
    `[...document.querySelectorAll('.step .words')].flatMap(({ firstChild }) =>
      [...firstChild.data.matchAll(/\\w+/g)].filter(({ index, 0: word }) => {
        const range = document.createRange();
        range.setStart(firstChild, index);
        range.setEnd(firstChild, index + word.length);
        return range.getClientRects().length > 1; }).map(([word]) => word))`,
  );

describe.skipIf(!hasBrowser)('the sequence of a request', () => {
  it.each([
    ['timeline', 390],
    ['timeline', 800],
    ['timeline', 1400],
    ['requests', 390],
  ])('leads from one participant to another, in whole words, in the %s at %i px', async (view, width) => {
    const client = await openSim();
    await loseReceipt(client);
    const context = { viewport: { width, height: 800 } };
    const { page } = await showDashboard(client, {}, `#default/${view}/${lostReceipt}`, context);
    await page.getByRole('article', { name: lostReceipt }).locator('.step').first().waitFor();
    expect(await arrows(page)).toEqual([
      ['Client', 'Service'],
      ['Service', 'State'],
      ['Network', 'Service'],
      // What is lost ends on its way.
      [21, 'Network'],
    ]);
    expect(await brokenWords(page)).toEqual([]);
  });
});
