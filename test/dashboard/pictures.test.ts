/** Compares pictures of the dashboard with those in docs/images. WRITE_PICTURES=1 makes them anew. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import pixelmatch from 'pixelmatch';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, describe, expect, it } from 'vitest';
import { browserVersion, closeBrowser, hasBrowser } from '../support/browser.ts';
import { closeDashboards, showDashboard } from '../support/dashboard.ts';
import { playDayAtTill, setTimes } from '../support/lost-receipt.ts';
import { openSim } from '../support/open-sim.ts';

const folder = 'docs/images/dashboard';
const madeWith = `${folder}/browser.txt`;
const isWriting = process.env['WRITE_PICTURES'] !== undefined;
const known = existsSync(madeWith) ? readFileSync(madeWith, 'utf8').trim() : undefined;
const version = hasBrowser ? await browserVersion() : 'no browser';
/** Another version of the browser draws text and corners a little differently. */
const canCompare = hasBrowser && (isWriting || version === known);
/** Allows so much of a picture to differ. */
const tolerance = 0.002;

afterAll(async () => {
  await closeDashboards();
  await closeBrowser();
});

const wide = { viewport: { width: 1100, height: 900 }, colorScheme: 'light' } as const;
const dark = { ...wide, colorScheme: 'dark' } as const;
const narrow = { viewport: { width: 390, height: 1200 }, colorScheme: 'light' } as const;

const pictures: readonly (readonly [name: string, view: string, context: BrowserContextOptions, shows: string])[] = [
  ['timeline', '#timeline', wide, '6 lanes · '],
  ['timeline-dark', '#timeline', dark, '6 lanes · '],
  ['timeline-narrow', '#timeline', narrow, '6 lanes · '],
  ['request', '#requests/default-2', wide, 'fault lost: lost, connection reset'],
];

/** Takes a picture once everything is there; the time of day of the header stands still anyway. */
async function takePicture(page: Page, shows: string): Promise<Buffer> {
  await page.getByText(shows).first().waitFor();
  await page.locator('.badge', { hasText: 'FAIL' }).waitFor();
  await page.waitForLoadState('load');
  await page.evaluate('document.fonts.ready.then(() => new Promise((done) => setTimeout(done, 500)))');
  // Without the bar at the top, which changes with every new view.
  const { x = 0, y = 0, width = 0 } = (await page.locator('main').boundingBox()) ?? {};
  return page.screenshot({ animations: 'disabled', caret: 'hide', clip: { x, y, width, height: 600 } });
}

function differenceOf(before: Buffer, after: Buffer): number {
  const [left, right] = [PNG.sync.read(before), PNG.sync.read(after)];
  if (left.width !== right.width || left.height !== right.height) return 1;
  const size = left.width * left.height;
  return pixelmatch(left.data, right.data, undefined, left.width, left.height, { threshold: 0.15 }) / size;
}

describe.skipIf(!canCompare)(`the pictures of the dashboard, made with Chromium ${known}`, () => {
  it.each(pictures)('%s is as in the documentation', async (name, view, context, shows) => {
    const client = await openSim({ seed: 7 });
    await playDayAtTill(client);
    setTimes(client);
    const { page } = await showDashboard(client, {}, view, context);
    const taken = await takePicture(page, shows);
    const file = `${folder}/${name}.png`;
    if (isWriting) {
      writeFileSync(file, taken);
      writeFileSync(madeWith, `${version}\n`);
    }
    const difference = differenceOf(readFileSync(file), taken);
    if (difference > tolerance) writeFileSync(`node_modules/.cache/loyalty-sim/${name}.png`, taken);
    expect(difference, `${file}; what was seen is in node_modules/.cache/loyalty-sim`).toBeLessThanOrEqual(tolerance);
  });
});
