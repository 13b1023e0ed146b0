/** Opens the dashboard of a simulator in a real browser. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { SimOptions } from '../../src/simulator/options.ts';
import type { Sim } from '../../src/simulator/sim.ts';
import { closePages, openPage } from './browser.ts';
import type { Client } from './client.ts';
import { openSim } from './open-sim.ts';

const sims = new Set<Sim>();

export interface OpenDashboard extends Client {
  readonly page: Page;
  readonly url: string;
}

/** Ends all simulators and their pages; none may have had anything to complain of. */
export async function closeDashboards(): Promise<void> {
  // Pages first: what they still ask for would break off with their sim. What it refuses is noted by the browser too.
  try {
    await closePages(/ERR_(CONNECTION|INCOMPLETE_CHUNKED)|status of (400|401|404)/);
  } finally {
    for (const sim of sims) await sim.close();
    sims.clear();
  }
}

/** Opens the dashboard of a sim of its own, once it hears of what happens. */
export const openDashboard = async (options: SimOptions = {}, view = ''): Promise<OpenDashboard> =>
  showDashboard(await openSim(options), options, view);

/** Opens the dashboard of a sim that is there. */
export async function showDashboard(
  client: Client,
  options: SimOptions = {},
  view = '',
  context: BrowserContextOptions = {},
): Promise<OpenDashboard> {
  sims.add(client.sim);
  const { url } = await client.sim.listen();
  const page = await openPage(`${url}/__admin/ui${view}`, context);
  if (options.adminKey === undefined) await page.getByText('live', { exact: true }).waitFor();
  return { ...client, page, url };
}

export const requestRow = (page: Page, text: string): Locator => page.locator('.list > a', { hasText: text });
