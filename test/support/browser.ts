/** Opens a real browser that looks at the dashboard. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Names the program of the browser; the first is the same one without a window, which is there sooner. */
export const browserPath = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(existsSync);

/** True when there is a browser to try things with. */
export const hasBrowser = browserPath !== undefined;

let browser: Promise<Browser> | undefined;

const launched = (): Promise<Browser> =>
  (browser ??= chromium.launch({
    ...(browserPath !== undefined && { executablePath: browserPath }),
    // Chromium's own sandbox does not work for root.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  }));

/** Returns the version of the browser, as 141.0.7390.54. */
export const browserVersion = async (): Promise<string> => (await launched()).version();

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

const complaints = new Map<Page, string[]>();

/** Opens a page of its own, which takes down what the browser complains of: errors, and what the policy forbids. */
export async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await (await launched()).newContext({ viewport: { width: 1000, height: 700 }, ...options });
  context.setDefaultTimeout(100_000);
  const page = await context.newPage();
  const heard: string[] = [];
  complaints.set(page, heard);
  page.on('pageerror', (error) => heard.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') heard.push(message.text());
  });
  await page.goto(url);
  return page;
}

/** Ends all pages; none may have had anything to complain of but what is allowed here. */
export async function closePages(allowed = /^$/): Promise<void> {
  const heard = [...complaints.values()].flat().filter((text) => !allowed.test(text));
  for (const page of complaints.keys()) await page.context().close();
  complaints.clear();
  expect(heard, heard.join('; ')).toEqual([]);
}
