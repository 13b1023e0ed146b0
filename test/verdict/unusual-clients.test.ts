/** Clients that do right in unusual ways, each next to one that does not; what is expected of them was written down before they ran. */
import { describe, expect, it } from 'vitest';
import { inTime } from '../support/in-time.ts';
import { astrid, bo } from '../support/people.ts';
import { lost, on, openStage } from '../support/programs.ts';
import type { Judged, Send, Stage } from '../support/programs.ts';
import { accounts, addPoints, move, person, redeem as redeemOwn, row, sell } from './points/business.ts';

const email = 'astrid.lindqvist@example.com';
/** Nobody holds it. */
const promotion = '9b1d0c00-0001-4000-8000-000000000005';

const as = ({ start }: Stage, id: string): Send => start({ headers: { 'x-sim-client': id } });
const found = ({ verdict, findings }: Judged): string => [verdict, ...findings].join(', ');

/** Returns the verdict that is asked for over HTTP: it is found in turns, on the tenant as it was then. */
async function judgeByHttp({ sim }: Stage): Promise<string> {
  const { verdict } = (await (await sim.fetch('/__admin/verdict')).json()) as { readonly verdict: string };
  return verdict;
}

const newcomer = { firstName: 'Nils', lastName: 'Ny', email };
const create = (send: Send) => send('POST', '/api/v3/contacts', newcomer);
const free = (send: Send) => send('PATCH', '/api/v3/contacts/bulk', [{ id: astrid, email: 'astrid.new@example.com' }]);
const redeem = (send: Send) =>
  send('POST', `/api/v3/promotions/codes/${promotion}/redeem?contactId=${bo}`, { redemptionChannel: 'POS' });

const outage = { respond: 'status', status: 503 };
const invalid = { currency: undefined };

describe('the verdict on unusual clients', () => {
  it.each<[string, (stage: Stage) => Promise<unknown>]>([
    [
      'a job',
      async (stage) => {
        const send = as(stage, 'till');
        await free(as(stage, 'importer'));
        await create(send);
        await stage.wait('16m');
        await create(send);
      },
    ],
    [
      'the control API',
      async (stage) => {
        const send = as(stage, 'till');
        await redeem(send);
        await stage.send('POST', '/__admin/trigger', {
          event: 'assignPromotion',
          contactId: bo,
          promotionId: promotion,
        });
        await redeem(send);
      },
    ],
  ])('lets a refused write be sent again after %s has changed something', async (_, play) => {
    const stage = await openStage('in process', { queueDelay: '15m' });
    await play(stage);
    expect([found(await stage.judge()), await judgeByHttp(stage)]).toEqual(['PASS, R2 note', 'PASS']);
  });

  it('fails a refused write that is sent again though nothing has changed but the time', async () => {
    const stage = await openStage('in process');
    const send = as(stage, 'till');
    await create(send);
    await stage.wait('16m');
    await create(send);
    expect([found(await stage.judge()), await judgeByHttp(stage)]).toEqual(['FAIL, R2 fail', 'FAIL']);
  });

  it.each([
    ['is refused in its turn, and corrected after the next', [invalid, {}], 'PASS'],
    ['comes after the next', [{}], 'FAIL, R9 fail'],
  ])('judges the order of a queue whose first receipt %s', async (_, [first, corrected], expected) => {
    const rules = [on('createReceipt', outage, outage)];
    const stage = await openStage('in process', { rules, policy: { storeAndForward: { after: '5m' } } });
    const send = as(stage, 'till');
    await sell(send, 'a-1', first);
    await sell(send, 'a-2');
    await stage.wait('6m');
    if (corrected) await sell(send, 'a-1', first);
    await sell(send, 'a-2');
    await sell(send, 'a-1', corrected ?? first);
    expect(found(await stage.judge())).toBe(expected);
  });

  it('takes what is sent under its key with other content, after it was refused, for a correction', async () => {
    const stage = await openStage('in process');
    const send = as(stage, 'till');
    const entry = { transactionId: 'k-1', amount: 5, source: 'Adjustment', description: 'x', ...row(astrid) };
    const book = (accountId: string) => send('POST', '/api/v3/point-transactions', { ...entry, accountId });
    await book('5a0e7c1e-0009-4000-8000-000000000009');
    const account = (await accounts(send, astrid))?.body.items[0].id;
    await book(account);
    expect(found(await stage.judge())).toBe('PASS, R2 note');
  });

  it.each([
    ['two by each of two clients', ['till', 'till', 'worker', 'worker'], 'PASS'],
    ['four by one', ['till', 'till', 'till', 'till'], 'FAIL, R7 fail'],
    ['four by the second', ['till', 'worker', 'worker', 'worker', 'worker'], 'FAIL, R7 fail'],
  ])('counts the attempts of a write by client: %s', async (_, clients, expected) => {
    const failures = clients.slice(1).map(() => 504);
    const stage = await openStage('in process', {
      rules: [on('createReceipt', ...failures)],
      policy: { maxAttempts: 3 },
    });
    for (const [i, id] of clients.entries()) {
      await sell(as(stage, id), 'k-1');
      await stage.wait(`${i + 1}s`);
    }
    expect(found(await stage.judge())).toBe(expected);
  });

  it.each([
    ['another client takes over at once', ['till', 'worker'], 'PASS'],
    ['the same goes on at once', ['till', 'till'], 'FAIL, R6 fail'],
  ])('holds each client to its own pauses: %s', async (_, clients, expected) => {
    const stage = await openStage('in process', { rules: [on('createReceipt', 504)], policy: { minBackoff: '60s' } });
    for (const id of clients) await sell(as(stage, id), 'k-1');
    expect(found(await stage.judge())).toBe(expected);
  });

  it.each([
    ['refused', { 'A-42': 'conflict' }, 'PASS, R4 note'],
    ['passed over', {}, 'FAIL, R4 fail'],
  ])('judges a key that another sale has already, when that is %s', async (_, assumptions, expected) => {
    const stage = await openStage('in process', { assumptions });
    const [a, b] = [as(stage, 'a'), as(stage, 'b')];
    const accountId = (await accounts(a, astrid))?.body.items[0].id;
    const book = (send: Send, transactionId: string, amount: number) =>
      send('POST', '/api/v3/point-transactions', { ...row(astrid), accountId, transactionId, amount });
    await book(b, 'n-1', 5);
    await book(a, 'n-1', 25);
    await book(a, 'n-1001', 25);
    expect(found(await stage.judge())).toBe(expected);
  });

  it('fails a slow write that lands on a newer one of its client, which had given it up', inTime, async () => {
    const rules = [on('updateContact', { delay: '900ms' })];
    const stage = await openStage('over HTTP', { rules, policy: { timeout: 300 } });
    const send = stage.start({ headers: { 'x-sim-client': 'till' }, timeout: 300, connections: 0 });
    await move(send, { street: 'N 1' });
    await move(stage.start({ headers: { 'x-sim-client': 'till' } }), { street: 'N 2' });
    const street = async () => (await person(as(stage, 'screen'), astrid))?.body.street;
    await expect.poll(street).toBe('N 1');
    const { findings, text } = await stage.judge();
    expect(findings).toEqual(['R1 note', 'R16 fail']);
    expect(text).toContain('it took effect after');
  });

  it.each([
    ['still waits', '1m', 'INCONCLUSIVE, R16 inconclusive'],
    ['has run', '20m', 'FAIL, R16 fail'],
  ])('judges a newer value by whether the job of an older one %s', async (_, time, expected) => {
    const stage = await openStage('in process', { queueDelay: '15m' });
    const send = as(stage, 'shop');
    await send('PATCH', '/api/v3/contacts/bulk', [{ id: astrid, street: 'N 1' }]);
    await move(send, { street: 'N 2' });
    await stage.wait(time);
    expect(found(await stage.judge())).toBe(expected);
  });

  it('passes two jobs that set a field in the order in which they were queued', async () => {
    const stage = await openStage('in process', { queueDelay: '15m' });
    const send = as(stage, 'shop');
    for (const street of ['N 1', 'N 2']) await send('PATCH', '/api/v3/contacts/bulk', [{ id: astrid, street }]);
    expect(found(await stage.judge())).toBe('PASS');
    await stage.wait('20m');
    expect(found(await stage.judge())).toBe('PASS');
  });

  it('leaves open equal points that come again after their client saw them done, and sold something', async () => {
    const stage = await openStage('in process', { rules: [on('addPointTransactions', lost)] });
    const send = as(stage, 'till');
    await addPoints(send);
    await accounts(send, astrid);
    await sell(send, 'r-1');
    await addPoints(send);
    const { findings, text } = await stage.judge();
    expect(findings).toEqual(['R10 inconclusive']);
    expect(text).toContain('but took effect (default-1), as its client saw, and was sent again (default-4)');
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['says so', { via: '1.1 proxy' }, 'PASS, R6 note'],
    ['says so, and clients declare themselves', { via: '1.1 proxy', 'x-sim-client': 'till' }, 'FAIL, R6 fail'],
    ['is none', {}, 'FAIL, R6 fail'],
  ])('takes requests by one connection for those of one client unless a proxy %s', async (_, headers, expected) => {
    const rules = [on('updateContact', 504)];
    const stage = await openStage('over HTTP', { rules, policy: { minBackoff: '60s' } });
    const send = stage.start({ headers });
    for (const pause of ['1s', '70s', '1s']) {
      await move(send, { street: 'N 1' });
      await stage.wait(pause);
    }
    expect(found(await stage.judge())).toBe(expected);
  });

  it.each<[string, object, (stage: Stage) => Promise<unknown>, Parameters<typeof on>[1][]]>([
    [
      'the reset of a queue has dropped',
      { queueDelay: '15m' },
      ({ send }) => send('POST', '/__admin/reset', { scopes: ['queue'] }),
      [],
    ],
    ['a response has redirected', {}, async () => {}, [{ status: 307, headers: { Location: '/api/v3/receipts' } }]],
  ])('lets a write be sent again that %s', async (_, options, between, faults) => {
    const stage = await openStage('in process', {
      ...options,
      rules: faults.length > 0 ? [on('createReceipt', ...faults)] : [],
    });
    const send = as(stage, 'till');
    await sell(send, 'r-1');
    await between(stage);
    await sell(send, 'r-1');
    expect(found(await stage.judge())).toBe('PASS, R2 note');
  });

  it('takes a refusal that time alone has ended for no final one', async () => {
    const stage = await openStage('in process');
    const send = as(stage, 'till');
    await stage.wait('P400D');
    expect((await redeemOwn(send))?.status).toBe(409);
    await stage.send('POST', '/__admin/clock', { set: '2026-03-01T12:00:00Z' });
    expect((await redeemOwn(send))?.status).toBe(200);
    expect(found(await stage.judge())).toBe('PASS, R2 note');
  });

  it('takes a clock that was set back for a pause', async () => {
    const stage = await openStage('in process', { rules: [on('createReceipt', 504)], policy: { minBackoff: '5m' } });
    const send = as(stage, 'till');
    await sell(send, 'r-1');
    await stage.send('POST', '/__admin/clock', { set: '2026-02-28T12:00:00Z' });
    await stage.wait('6m');
    await sell(send, 'r-1');
    expect((await stage.judge()).verdict).toBe('PASS');
  });

  it('does not fail a client whose API key changed between two attempts, if they came by one connection', async () => {
    const stage = await openStage('over HTTP', { rules: [on('getContact', 504)] });
    const send = stage.start();
    for (const apikey of ['old', 'new']) await send('GET', `/api/v3/contacts/${astrid}`, undefined, { apikey });
    expect(found(await stage.judge())).toBe('INCONCLUSIVE, R1 inconclusive');
  });
});
