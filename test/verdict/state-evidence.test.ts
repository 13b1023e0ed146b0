/** The state in the end is evidence too: what is there twice, missing, or on another contact. */
import { describe, expect, it } from 'vitest';
import { startSim } from '../support/open-sim.ts';
import type { SimTenant } from '../../src/simulator/tenant-handle.ts';
import { astrid, bo } from '../support/people.ts';
import { lost, on, openStage, ways } from '../support/programs.ts';
import type { Judged, Send } from '../support/programs.ts';
import { receiptOf } from '../support/receipt.ts';
import { inTime } from '../support/in-time.ts';

const patch = (send: Send, fields: object, id = astrid) => send('PATCH', `/api/v3/contacts/${id}`, fields);

const consent = (send: Send) =>
  send('POST', `/api/v3/contacts/${astrid}`, { consents: [{ id: 'newsletter', value: true, source: 'POS' }] });

const messages = ({ whole }: Judged): string[] =>
  whole.operations.flatMap(({ findings }) =>
    findings.filter(({ rule }) => rule === 'R16').map(({ level, message }) => `${level}: ${message}`),
  );

describe.each(ways)('%s, a newer value', inTime, (way) => {
  it('is missing when an older write is delivered after it', async () => {
    const { send, wait, judge } = await openStage(way, { rules: [on('updateContact', 504)] });
    await patch(send, { street: 'Old street 1' });
    await patch(send, { street: 'New street 2' });
    await wait('2s');
    await patch(send, { street: 'Old street 1' });
    expect(messages(await judge())).toEqual([
      'fail: the street "New street 2" of contact 100001 is missing: PATCH /api/v3/contacts/' +
        `${astrid} (default-3) began before default-2, and overwrote it`,
    ]);
  });

  it('is missing when an older write is delivered after it, and another endpoint writes other fields last', async () => {
    const { send, judge } = await openStage(way, { rules: [on('updateContact', 504)] });
    await patch(send, { street: 'Old street 1' });
    await patch(send, { street: 'New street 2' });
    await patch(send, { street: 'Old street 1' });
    await consent(send);
    expect(messages(await judge())).toEqual([expect.stringContaining('the street "New street 2"')]);
  });

  it.each<[string, (send: Send) => Promise<unknown>]>([
    [
      'the older one is dropped',
      async (send) => {
        await patch(send, { street: 'Old street 1' });
        await patch(send, { street: 'New street 2' });
      },
    ],
    [
      'the older one is delivered first',
      async (send) => {
        for (const street of ['Old street 1', 'Old street 1', 'New street 2']) await patch(send, { street });
      },
    ],
    [
      'another endpoint writes the newer value once more',
      async (send) => {
        for (const street of ['Old street 1', 'New street 2', 'Old street 1']) await patch(send, { street });
        await send('POST', `/api/v3/contacts/${astrid}`, { street: 'New street 2' });
      },
    ],
    [
      'they are of different fields',
      async (send) => {
        await patch(send, { street: 'Old street 1' });
        await patch(send, { firstName: 'Bea' });
        await patch(send, { street: 'Old street 1' });
      },
    ],
    [
      'they are of different contacts',
      async (send) => {
        await patch(send, { street: 'Old street 1' });
        await patch(send, { street: 'New street 2' }, bo);
        await patch(send, { street: 'Old street 1' });
      },
    ],
    [
      'the newer one is sent once more',
      async (send) => {
        for (const street of ['Old street 1', 'New street 2', 'Old street 1', 'New street 2'])
          await patch(send, { street });
      },
    ],
  ])('is not missing when %s', async (_, play) => {
    const { send, judge } = await openStage(way, { rules: [on('updateContact', 504)] });
    await play(send);
    expect(messages(await judge())).toEqual([]);
  });
});

/** What a till does of a sale, as far as it gets. */
type Till = (send: (method: string, path: string, body?: unknown) => Promise<number | undefined>) => Promise<void>;

const sellTo = (contactId: string, key: string, fields: object = {}): readonly [string, string, unknown] => [
  'POST',
  '/api/v3/receipts',
  receiptOf(contactId, key, fields),
];

const [line] = (receiptOf(astrid, 'x') as { items: object[] }).items;
const twoLines = { totalGrossPrice: 498, items: [line, line] };
const coupon = (n: number) => `/api/v3/promotions/codes/9b1d0c00-aaaa-4000-8000-00000000000${n}/redeem`;

const playOn = async (tenant: SimTenant, till: Till): Promise<void> =>
  till(async (method, path, body) => {
    const init = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) };
    const response = await tenant.fetch(path, init).catch(() => undefined);
    return response?.status;
  });

async function compare(till: Till, rules: readonly unknown[]): Promise<string> {
  const sim = await startSim();
  const [clean, own] = [sim.tenant('clean'), sim.tenant('own')];
  await playOn(clean, till);
  await own.applyScenario({ rules: rules as never });
  await playOn(own, till);
  const { checks } = await sim.verdict({ tenant: 'own', reference: 'clean' });
  const check = checks.find(({ description }) => description === 'the state is as in the tenant "clean"');
  return `${check?.verdict}: ${check?.reason}`;
}

describe('the verdict on the state', () => {
  it.each([
    ['one client', 'till-1', 'till-1', ['fail']],
    ['two clients', 'till-1', 'till-2', []],
  ])('judges an older value over a newer one by %s', inTime, async (_, older, newer, levels) => {
    const { start, judge } = await openStage('over HTTP', { rules: [on('updateContact', 504)] });
    const [one, other] = [older, newer].map((id) => start({ headers: { 'x-sim-client': id } }));
    await patch(one as Send, { street: 'Old street 1' });
    await patch(other as Send, { street: 'New street 2' });
    await patch(one as Send, { street: 'Old street 1' });
    expect(messages(await judge()).map((message) => message.split(':')[0])).toEqual(levels);
  });

  it.each<[string, Till, unknown[], string]>([
    [
      'books the sale on another contact after a lost response',
      async (send) => {
        if ((await send(...sellTo(astrid, 'a'))) !== 202) await send(...sellTo(bo, 'b'));
      },
      [on('createReceipt', 504)],
      'FAIL: a receipt of 249 SEK with 1 line is on contact 100002, not on contact 100001; 249 points are on contact 100002, not on contact 100001',
    ],
    [
      'drops a line on the repeat',
      async (send) => {
        if ((await send(...sellTo(astrid, 'a', twoLines))) !== 202) await send(...sellTo(astrid, 'a'));
      },
      [on('createReceipt', 504)],
      'FAIL: a receipt of 249 SEK with 1 line of contact 100001 is there once too often; a receipt of 498 SEK with 2 lines of contact 100001 is missing; 249 points of contact 100001 are missing; 1 checkpoint of contact 100001 is missing',
    ],
    [
      'takes the next coupon after 409',
      async (send) => {
        const first = (await send('POST', coupon(2))) ?? (await send('POST', coupon(2)));
        if (first === 409) await send('POST', coupon(1));
      },
      [on('redeemPromotion', lost)],
      'FAIL: the redemption of promotion Welcome of contact 100001 is there once too often',
    ],
    [
      'sells twice',
      async (send) => {
        if ((await send(...sellTo(astrid, 'a'))) !== 202) await send(...sellTo(astrid, 'b'));
      },
      [on('createReceipt', lost)],
      'FAIL: a receipt of 249 SEK with 1 line of contact 100001 is there once too often; contact 100001 has 249 points too many',
    ],
    [
      'drops a sale',
      async (send) => void (await send(...sellTo(astrid, 'a'))),
      [on('createReceipt', 504)],
      'FAIL: a receipt of 249 SEK with 1 line of contact 100001 is missing; 249 points of contact 100001 are missing',
    ],
    [
      'repeats as it should',
      async (send) => {
        for (let i = 0; i < 2; i++) if ((await send(...sellTo(astrid, 'a'))) === 202) return;
      },
      [on('createReceipt', lost)],
      'PASS: as expected',
    ],
  ])('holds a till that %s against its work without faults', async (_, till, rules, expected) => {
    expect(await compare(till, rules)).toBe(expected);
  });

  it('misses the consents of a contact that the client has created', async () => {
    const sim = await startSim();
    const [clean, own] = [sim.tenant('clean'), sim.tenant('own')];
    await own.applyScenario({ rules: [on('setConsents', 504)] });
    for (const tenant of [clean, own]) {
      const post = (path: string, body: object) =>
        tenant.fetch(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      const created = await post('/api/v3/contacts', { email: 'vera.ny@example.com', firstName: 'Vera' });
      const { id } = (await created.json()) as { id: string };
      await post(`/api/v3/contacts/${id}`, { consents: [{ id: 'newsletter', value: true, source: 'POS' }] });
    }
    const { checks } = await sim.verdict({ tenant: 'own', reference: 'clean' });
    expect(checks.map(({ reason }) => reason)).toContain(
      'the consents newsletter: true of contact vera.ny@example.com is missing',
    );
  });

  it('leaves open what a reference with faults of its own shows', async () => {
    const sim = await startSim({ scenario: { rules: [{ match: { endpoint: 'createReceipt' }, fault: '504' }] } });
    const tenant = sim.tenant('clean');
    await playOn(tenant, async (send) => void (await send(...sellTo(astrid, 'a'))));
    const { checks } = await sim.verdict({ reference: 'clean' });
    expect(checks.map(({ reason }) => reason)).toContain('no request arrived');
    const { checks: own } = await sim.verdict({ tenant: 'clean', reference: 'clean' });
    expect(own[0]).toMatchObject({
      verdict: 'INCONCLUSIVE',
      reason: 'a fault hit 1 request of "clean", which is to show the work without faults',
    });
  });

  it('names the reference that is not there', async () => {
    const sim = await startSim();
    await expect(sim.verdict({ reference: 'clean' })).rejects.toThrow('There is no tenant "clean"');
    expect((await sim.fetch('/__admin/verdict?reference=clean')).status).toBe(404);
  });
});
