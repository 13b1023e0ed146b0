import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser } from '../support/browser.ts';
import { closeDashboards, openDashboard, requestRow, showDashboard } from '../support/dashboard.ts';
import type { OpenDashboard } from '../support/dashboard.ts';
import { openSim } from '../support/open-sim.ts';
import { loseReceipt, playDayAtTill } from '../support/lost-receipt.ts';
import { astridPath } from '../support/people.ts';
import { writeJournal } from '../support/written-journal.ts';

afterAll(closeBrowser);
afterEach(closeDashboards);

const count = '/api/v3/contacts/count';

async function openWithLostReceipt(view = ''): Promise<OpenDashboard> {
  const client = await openSim();
  await loseReceipt(client);
  return showDashboard(client, {}, view);
}

const lanes = (page: Page) => page.getByRole('application');
const line = (page: Page) => page.locator('.line');

/** Drags over a part of the overview, from and to being parts of its width. */
async function brush(page: Page, from: number, to: number): Promise<void> {
  const box = await page.locator('.overview').boundingBox();
  if (!box) throw new Error('there is no overview');
  await page.mouse.move(box.x + from * box.width, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + to * box.width, box.y + 20, { steps: 3 });
  await page.mouse.up();
}

describe.skipIf(!hasBrowser)('the timeline', () => {
  it('is shown first, and leads from what went wrong to the request that was lost', async () => {
    const { page } = await openWithLostReceipt();
    expect(page.url()).toMatch(/#default\/timeline$/);
    await page
      .getByRole('button', { name: /R10: contact Astrid Lindqvist \(100001\) has 249 points too many/ })
      .click();
    const card = page.getByRole('article', { name: 'default-2' });
    await card.getByText('fault lost: lost, connection reset').waitFor();
    expect(await card.getByRole('list', { name: 'Sequence of the request' }).innerText()).toMatch(
      /Client to Service:\s*POST \/receipts\s*Service to State:\s*7 effects: receipts, points, queue\s*Service to Network:\s*202\s*Network to Client:/,
    );
    expect(
      await card.locator('.effect-group', { has: page.getByRole('heading', { name: /^Points/ }) }).innerText(),
    ).toMatch(/^Points \+249 points/);
    await page.getByText('2 requests found').waitFor();
  });

  it('names what went wrong by the person, where there is a name, and the harm before its cause', async () => {
    const client = await openSim();
    await loseReceipt(client);
    await client.patch(astridPath, { firstName: '‮Eve', lastName: '<b>' });
    const { page } = await showDashboard(client);
    const found = page.getByLabel('What went wrong').getByRole('button');
    await found.first().waitFor();
    expect((await found.allInnerTexts()).map((text) => text.slice(0, 40))).toEqual([
      expect.stringContaining('R10: contact ‮Eve <b> (100001) has'),
      expect.stringContaining('R10: receipt till-7-2 is one too many'),
      expect.stringContaining('R5: POST /api/v3/receipts was repeated'),
    ]);
    await client.patch(astridPath, { firstName: '', lastName: '' });
    await page.reload();
    await found.getByText('contact 100001 has 249 points').waitFor();
  });

  it('is gone through by keys, attempt by attempt, and opens one', async () => {
    const { page } = await openWithLostReceipt();
    await page.getByText('2 lanes').waitFor();
    await lanes(page).focus();
    await page.keyboard.press('ArrowDown');
    await line(page).getByText('default-1: getContact · success').waitFor();
    await page.keyboard.press('ArrowDown');
    const words = 'default-2: createReceipt · attempt 1 of 2 · no response';
    await line(page).getByText(words).waitFor();
    await page.keyboard.press('ArrowRight');
    await line(page).getByText('default-3: createReceipt · attempt 2 of 2 · success').waitFor();
    for (const key of ['+', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('article', { name: 'default-3' }).waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('3 requests', { exact: true }).waitFor();
  });

  it('names lanes in full on a narrow screen', async () => {
    const client = await openSim();
    await playDayAtTill(client);
    const { page } = await showDashboard(client, {}, '', { viewport: { width: 390, height: 800 } });
    await page.getByText('6 lanes ·').waitFor();
    await page.evaluate(`window.drawn = [];
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
        window.drawn.push(text);
        return fillText.call(this, text, ...place);
      };`);
    await page.getByLabel('Lanes').selectOption('endpoint');
    await page.getByText('4 lanes ·').waitFor();
    await page.getByLabel('Lanes').selectOption('operation');
    await page.getByText('6 lanes ·').waitFor();
    expect(await page.evaluate('window.drawn')).toEqual(
      expect.arrayContaining(['getContact #1', 'createReceipt till-7-1 ×2', 'createReceipt #7', 'countContacts #9']),
    );
  });

  it('says what the mouse points at, and opens what is clicked', async () => {
    const { page } = await openWithLostReceipt();
    await page.getByText('2 lanes').waitFor();
    await lanes(page).hover({ position: { x: 60, y: 80 } });
    await line(page).getByText('createReceipt till-7-1 · R10: contact 100001 has 249 points too many').waitFor();
    await lanes(page).click({ position: { x: 60, y: 80 } });
    await page.getByRole('article', { name: 'default-2' }).waitFor();
  });

  it('shows the requests of a brushed part of the time in the list', async () => {
    const client = await openSim();
    const request = {
      method: 'GET',
      path: count,
      endpoint: 'countContacts',
      pause: 98,
      ends: { status: 200 },
    } as const;
    writeJournal(
      client.sim.tenants.default,
      Array.from({ length: 20 }, () => request),
    );
    const { page } = await showDashboard(client);
    await page.getByText('20 requests', { exact: true }).waitFor();
    await brush(page, 0, 0.25);
    await page.getByText('5 requests found').waitFor();
    expect(await page.locator('.list > a').first().getAttribute('data-id')).toBe('default-5');
    await lanes(page).focus();
    await page.keyboard.press('0');
    await page.getByText('20 requests', { exact: true }).waitFor();
  });

  it("has lanes of clients, and the tenant's clock with its moves", async () => {
    const client = await openSim();
    await client.call('GET', count, { headers: { 'user-agent': 'till' } });
    await client.post('/__admin/clock', { advance: '15d' });
    await client.call('GET', count, { headers: { 'user-agent': 'shop' } });
    const { page } = await showDashboard(client);
    await page.getByLabel('Lanes').selectOption('client');
    await page.getByText('2 lanes').waitFor();
    await page.locator('select[name=time]').selectOption('virtual');
    await page.getByText(/2 lanes · 15 d \d+ h/).waitFor();
    await lanes(page).focus();
    for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    await line(page)
      .getByText(/default-2: countContacts · success .* 2026-03-16 12:00:00 on the clock/)
      .waitFor();
  });

  it('draws and lists 100,000 requests, and filters them by words', async () => {
    const client = await openSim({ journalBytes: 1024 ** 3, totalJournalBytes: 1024 ** 3 });
    const plain = { method: 'GET', path: count, endpoint: 'countContacts', pause: 1, ends: { status: 200 } } as const;
    const other = { ...plain, path: astridPath, endpoint: 'getContact', ends: { status: 503 } } as const;
    const all = Array.from({ length: 100_000 }, (_, i) => (i % 1000 === 0 ? other : plain));
    writeJournal(client.sim.tenants.default, all);
    const { page } = await showDashboard(client);
    await page.getByText('100000 requests', { exact: true }).waitFor();
    await page.getByLabel('Lanes').selectOption('endpoint');
    await page.getByText('2 lanes').waitFor();
    await requestRow(page, 'default-100000').focus();
    await page.keyboard.press('End');
    await requestRow(page, 'default-1 getContact').waitFor();
    expect(await page.locator('.list > a').count()).toBeLessThan(40);
    await client.get(count);
    await page.getByText('100001 requests', { exact: true }).waitFor();
    // What was scrolled to stays in sight.
    await requestRow(page, 'default-1 getContact').waitFor();
    await page.getByLabel('Search requests').fill('getContact');
    await page.getByText('1 lane ·').waitFor();
    await page.getByText('100 requests found').waitFor();
  });

  it('goes on while requests come, and is empty when the journal is cleared', async () => {
    const { page, get, call } = await openDashboard();
    await get(count);
    await page.getByText('1 lane ·').waitFor();
    await get(astridPath);
    await page.getByText('2 lanes ·').waitFor();
    await call('DELETE', '/__admin/requests');
    await page.getByText('0 lanes ·').waitFor();
  });
});
