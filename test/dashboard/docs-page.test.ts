import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Sim } from '../../src/simulator/sim.ts';
import type { SimOptions } from '../../src/simulator/options.ts';
import { closeBrowser, closePages, hasBrowser, openPage } from '../support/browser.ts';
import { openSim } from '../support/open-sim.ts';

const sims = new Set<Sim>();

afterAll(closeBrowser);

afterEach(async () => {
  await closePages(/status of 401/);
  for (const sim of sims) await sim.close();
  sims.clear();
});

async function open(hash = '', options: SimOptions = {}): Promise<{ readonly page: Page; readonly url: string }> {
  const { sim } = await openSim(options);
  sims.add(sim);
  const { url } = await sim.listen();
  return { page: await openPage(`${url}/__admin/docs${hash}`), url };
}

describe.skipIf(!hasBrowser)('the docs page', () => {
  it('shows the operation that the address names, with a curl line that works', async () => {
    const { page, url } = await open('#getContact');
    const operation = page.locator('#getContact');
    await operation.getByRole('heading', { name: 'Errors' }).waitFor();
    const curl = await operation.locator('pre').first().innerText();
    const [called = ''] = /http[^']+/.exec(curl) ?? [];
    expect(called.startsWith(`${url}/api/v3/contacts/`)).toBe(true);
    expect(await operation.innerText()).toMatch(/Parameters[^]*contactId required[^]*Response 200[^]*ContactNotFound/i);
  });

  it('lists the fields of a body with their types', async () => {
    const { page } = await open('#createReceipt');
    const operation = page.locator('#createReceipt');
    await operation.getByRole('heading', { name: 'Body' }).waitFor();
    expect(await operation.locator('.schema').first().innerText()).toMatch(/uniqueReceiptId string/);
    expect(await operation.locator('.schema .schema').count()).toBeGreaterThan(0);
  });

  it('filters by every word, and shows a hidden operation when the address names it', async () => {
    const { page } = await open();
    await page.getByText(/^\d+ endpoints$/).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('/__admin/clock post');
    await page.getByText('1 endpoint', { exact: true }).waitFor();
    expect(await page.locator('details.operation:visible').getAttribute('id')).toBe('updateClock');
    await page.evaluate("location.hash = '#getContact'");
    await page.locator('#getContact[open]').waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
  });

  it('asks for the admin key', async () => {
    const { page } = await open('', { adminKey: 'secret' });
    await page.getByLabel('Key', { exact: true }).fill('secret');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText(/^\d+ endpoints$/).waitFor();
  });

  it('explains the assumptions that an operation rests on', async () => {
    const { page } = await open('#A-24');
    const article = page.locator('article#A-24');
    await article.waitFor();
    expect(await article.innerText()).toContain('--assume A-24=twice');
  });
});
