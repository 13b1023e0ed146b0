/** A restored snapshot, or a reset of the state, takes back what was done: it can't be doubled or overwritten any more. */
import { describe, expect, it } from 'vitest';
import { inTime } from '../support/in-time.ts';
import { astrid } from '../support/people.ts';
import { lost, on, openStage } from '../support/programs.ts';
import type { Judged, Program, Send, Stage } from '../support/programs.ts';
import { receiptOf } from '../support/receipt.ts';

const till = { headers: { 'x-sim-client': 'till-7' } };

type Play = (send: Send) => Promise<unknown>;

const sell: Play = (send) => send('POST', '/api/v3/receipts', receiptOf(astrid, 'k1'));
const redeem: Play = (send) => send('POST', '/api/v3/promotions/codes/9b1d0c00-aaaa-4000-8000-000000000001/redeem', {});
const readAccount: Play = (send) => send('GET', `/api/v3/point-accounts?contactId=${astrid}`);
const addPoints =
  (headers: Readonly<Record<string, string>> = {}): Play =>
  (send) => {
    const row = { contactId: astrid, definitionId: 1, amount: 10, source: 'Adjustment', description: 'welcome' };
    return send('POST', '/api/v3/point-accounts/transactions', [row], headers);
  };
const addKeyedPoints = addPoints({ 'idempotency-key': 'i1' });
const patch =
  (street: string): Play =>
  (send) =>
    send('PATCH', `/api/v3/contacts/${astrid}`, { street });

const take: Play = (send) => send('POST', '/__admin/snapshots/s');
const restore: Play = (send) => send('POST', '/__admin/snapshots/s/restore');
const reset: Play = (send) => send('POST', '/__admin/reset', { scopes: ['state'] });

async function playAll(send: Send, ...plays: readonly Play[]): Promise<void> {
  for (const play of plays) await play(send);
}

const found = ({ verdict, failedBy }: Judged): string => [verdict, ...failedBy].join(' ');

describe('the verdict on restored states', () => {
  it.each<[string, (program: Program, stage: Stage) => Promise<unknown>]>([
    ['a receipt that a restored snapshot lacks', (send) => playAll(send, take, sell, restore, sell)],
    ['points with a key after a reset of the state', (send) => playAll(send, addKeyedPoints, reset, addKeyedPoints)],
    [
      'a receipt after a reset of the state, by a new connection',
      async (send, { start }) => {
        await sell(send);
        await send.kill();
        await playAll(start(till), reset, sell);
      },
    ],
    ['a coupon that a restored snapshot shows unused', (send) => playAll(send, take, redeem, restore, redeem)],
  ])('passes a client that sends again %s', inTime, async (_, play) => {
    const stage = await openStage('over HTTP');
    await play(stage.start(till), stage);
    const judged = await stage.judge();
    expect(judged.findings).toEqual([]);
    expect(judged.verdict).toBe('PASS');
  });

  it('takes no value for overwritten that a restored snapshot had taken back', inTime, async () => {
    const { start, judge } = await openStage('over HTTP', { rules: [on('updateContact', 504)] });
    await playAll(start(till), take, patch('Old 1'), patch('New 2'), restore, patch('Old 1'));
    expect(found(await judge())).toBe('PASS');
  });

  it('takes points for done once that a restored snapshot had taken back', inTime, async () => {
    const { start, judge } = await openStage('over HTTP', { rules: [on('addPointTransactions', lost)] });
    await playAll(start(till), take, addPoints(), restore, readAccount, addPoints());
    expect((await judge()).findings.filter((one) => one.startsWith('R10'))).toEqual([]);
  });

  it.each<[string, readonly unknown[], readonly Play[], string]>([
    ['sends a receipt again that the snapshot holds', [], [sell, take, restore, sell], 'FAIL R2'],
    ['sends a receipt again after a snapshot that is not restored', [], [sell, take, sell], 'FAIL R2'],
    ['doubles points after a restore', [lost], [take, restore, addPoints(), addPoints()], 'FAIL R10 R11'],
    ['doubles points that the snapshot holds', [lost], [addPoints(), take, restore, addPoints()], 'FAIL R10 R11'],
    ['doubled points before a restore', [lost], [take, addPoints(), addPoints(), restore], 'FAIL R10 R11'],
    ['repeats points blindly over a restore', [lost], [take, addPoints(), restore, addPoints()], 'FAIL R11'],
  ])('fails a client that %s', inTime, async (_, faults, plays, expected) => {
    const rules = faults.length > 0 ? [on('addPointTransactions', ...faults)] : [];
    const { start, judge } = await openStage('over HTTP', { rules });
    await playAll(start(till), ...plays);
    expect(found(await judge())).toBe(expected);
  });

  it('fails who overwrites a newer value that the restored snapshot holds', inTime, async () => {
    const { start, judge } = await openStage('over HTTP', { rules: [on('updateContact', 504)] });
    await playAll(start(till), patch('Old 1'), patch('New 2'), take, restore, patch('Old 1'));
    expect(found(await judge())).toBe('FAIL R16');
  });

  it('fails who never delivers over a restore what had failed before it', inTime, async () => {
    const { start, judge } = await openStage('over HTTP', { rules: [on('createReceipt', 504)] });
    await playAll(start(till), take, sell, restore, readAccount);
    expect(found(await judge())).toBe('FAIL R1');
  });

  it('takes a request that overtakes a slow one for no sign of a state that was set back', inTime, async () => {
    const slow = { phase: 'after', delay: '300ms' };
    const { start, judge } = await openStage('over HTTP', {
      rules: [on('addPointTransactions', { delay: '300ms' }, slow)],
    });
    const send = start({ ...till, connections: 2 });
    await Promise.all([addPoints()(send), addPoints()(send)]);
    expect((await judge()).failedBy).toContain('R8');
  });
});
