/** Compares pictures of the dashboard with those in docs/images. WRITE_PICTURES=1 makes them anew. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, describe, expect, it } from 'vitest';
import { monotonicNow } from '../../src/core/time/clock.ts';
import { browserVersion, closeBrowser, hasBrowser } from '../support/browser.ts';
import { closeDashboards, showDashboard } from '../support/dashboard.ts';
import type { Client } from '../support/client.ts';
import { pictureOfExploration } from '../support/exploration-json.ts';
import { folderWith, tidyFolders } from '../support/folders.ts';
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
  tidyFolders();
});

const count = '/api/v3/contacts/count';

const wide = { viewport: { width: 1100, height: 900 }, colorScheme: 'light' } as const;
/** Shows an operation step by step without scrolling it below the bar. */
const high = { ...wide, viewport: { width: 1100, height: 1300 } };
const dark = { ...wide, colorScheme: 'dark' } as const;
const narrow = { viewport: { width: 390, height: 1200 }, colorScheme: 'light' } as const;

/** Adds what a picture shows besides the day at the till. */
type Prepare = (client: Client) => Promise<void>;
/** Does what a picture shows the end of. */
type Act = (page: Page) => Promise<void>;

interface Picture {
  readonly name: string;
  readonly view: string;
  readonly context: BrowserContextOptions;
  /** Text that is there once the view has everything. */
  readonly shows: string;
  readonly prepare?: Prepare;
  readonly act?: Act;
  /** Selects what is shown (default: the top of the view). */
  readonly part?: string;
  /** Holds how much of the top is shown, in pixels (default: 600). */
  readonly height?: number;
}

/** Lets tills work in tenants of their own, some minutes ago: each does a little more than the one before. */
const openTills: Prepare = async ({ get, post, sim }) => {
  for (let n = 1; n <= 7; n++) {
    const tenant = `till-${n}`;
    if (n % 3 === 0) await post(`/__admin/faults?tenant=${tenant}`, { match: { path: count }, fault: '500', times: 1 });
    for (let i = 0; i < n; i++) await get(`/t/${tenant}${count}`);
  }
  for (const [i, { journal }] of [...sim.tenants].entries())
    for (const exchange of journal.exchanges()) {
      const startedAt = monotonicNow() - (i + 5.4) * 60_000;
      Object.assign(exchange, { startedAt, finishedAt: startedAt + 5 });
    }
};

const openExploration: Act = async (page) => {
  const own = folderWith({ 'explore.json': pictureOfExploration });
  await page.getByLabel('explore.json').setInputFiles(join(own, 'explore.json'));
  await page.locator('.exploration .point.found').first().click();
};

const pictures: readonly Picture[] = [
  { name: 'timeline', view: '#timeline', context: wide, shows: '6 lanes · ' },
  { name: 'timeline-dark', view: '#timeline', context: dark, shows: '6 lanes · ' },
  { name: 'timeline-narrow', view: '#timeline', context: narrow, shows: '6 lanes · ', height: 930 },
  { name: 'request', view: '#requests/default-2', context: wide, shows: 'fault lost: lost, connection reset' },
  { name: 'request-dark', view: '#requests/default-2', context: dark, shows: 'fault lost: lost, connection reset' },
  { name: 'contact', view: '#contact/100001', context: wide, shows: 'if nothing more happens' },
  { name: 'time-travel', view: '#contact/100001@default-2', context: dark, shows: 'right after' },
  {
    name: 'verdict',
    view: '#verdict',
    context: high,
    shows: 'Step by step',
    act: (page) => page.locator('summary', { hasText: 'Step by step' }).first().click(),
    part: '.operation',
  },
  { name: 'tenants', view: '#tenants', context: wide, shows: '8 tenants', prepare: openTills, act: verdictsSeen },
  { name: 'explore', view: '#explore', context: wide, shows: 'No exploration runs', act: openExploration },
];

/** Waits until each tenant is judged. */
async function verdictsSeen(page: Page): Promise<void> {
  await page.locator('.word-of-tenant', { hasText: '…' }).first().waitFor({ state: 'detached' });
}

/** Takes a picture once everything is there; the time of day of the header stands still anyway. */
async function takePicture(page: Page, { shows, act, part, height = 600 }: Picture): Promise<Buffer> {
  await page.getByText(shows).first().waitFor();
  await act?.(page);
  await page.locator('.badge', { hasText: 'FAIL' }).waitFor();
  await page.waitForLoadState('load');
  await page.evaluate('document.fonts.ready.then(() => new Promise((done) => setTimeout(done, 500)))');
  if (part !== undefined) return page.locator(part).first().screenshot({ animations: 'disabled', caret: 'hide' });
  // Without the bar at the top, which changes with every new view.
  const { x = 0, y = 0, width = 0 } = (await page.locator('main').boundingBox()) ?? {};
  return page.screenshot({ animations: 'disabled', caret: 'hide', clip: { x, y, width, height } });
}

function differenceOf(before: Buffer, after: Buffer): number {
  const [left, right] = [PNG.sync.read(before), PNG.sync.read(after)];
  if (left.width !== right.width || left.height !== right.height) return 1;
  const size = left.width * left.height;
  return pixelmatch(left.data, right.data, undefined, left.width, left.height, { threshold: 0.15 }) / size;
}

describe.skipIf(!canCompare)(`the pictures of the dashboard, made with Chromium ${known}`, () => {
  it.each(pictures)('$name is as in the documentation', async (picture) => {
    const { name, view, context, prepare } = picture;
    const client = await openSim({ seed: 7 });
    await playDayAtTill(client);
    setTimes(client);
    await prepare?.(client);
    const { page } = await showDashboard(client, {}, view, context);
    const taken = await takePicture(page, picture);
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
