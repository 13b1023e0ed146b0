/** A job that fails after its 202 leaves the work undone: the client may send it again, and is a late writer as after a 504. */
import { describe, expect, it } from 'vitest';
import { inTime } from '../support/in-time.ts';
import { astrid, bo } from '../support/people.ts';
import { lost, on, openStage } from '../support/programs.ts';
import type { Judged, Program, Send, Stage } from '../support/programs.ts';
import { receiptOf } from '../support/receipt.ts';

const till = { headers: { 'x-sim-client': 'till-7' } };
const jobFails = { job: 'fail' };

const sell: Play = (send) => send('POST', '/api/v3/receipts', receiptOf(astrid, 'k1'));
const sellCorrected: Play = (send) =>
  send('POST', '/api/v3/receipts', receiptOf(astrid, 'k1', { totalGrossPrice: 99 }));
const sellAsNew: Play = (send) => send('POST', '/api/v3/receipts', receiptOf(astrid, 'k2'));
const readTransactions: Play = (send) => send('GET', `/api/v3/contacts/${astrid}/transactions`);
const readAccount: Play = (send) => send('GET', `/api/v3/point-accounts?contactId=${astrid}`);
const addPoints =
  (headers: Readonly<Record<string, string>> = { 'idempotency-key': 'q1' }): Play =>
  (send) => {
    const row = { contactId: astrid, definitionId: 1, amount: 10, source: 'Adjustment', description: 'welcome' };
    return send('POST', '/api/v3/point-accounts/transactions', [row], headers);
  };
const patchBulk =
  (street: string): Play =>
  (send) =>
    send('PATCH', '/api/v3/contacts/bulk?contactType=Member', [{ id: astrid, street }]);
const patchBulkOfBo: Play = (send) =>
  send('PATCH', '/api/v3/contacts/bulk?contactType=Member', [{ id: bo, street: 'N' }]);
const patch =
  (street: string): Play =>
  (send) =>
    send('PATCH', `/api/v3/contacts/${astrid}`, { street });
const setBalance =
  (amount: number, minute: number): Play =>
  (send) => {
    const timeStamp = `2026-03-01T12:0${minute}:00Z`;
    return send('POST', '/api/v3/point-accounts/balances', [{ contactId: astrid, amount, definitionId: 1, timeStamp }]);
  };

type Play = (send: Send) => Promise<unknown>;

const found = ({ verdict, failedBy }: Judged): string => [verdict, ...failedBy].join(' ');

const openFailing = (endpoint: string, options: object = {}): Promise<Stage> =>
  openStage('over HTTP', { rules: [on(endpoint, jobFails)], ...options });

async function playAll(send: Send, ...plays: readonly Play[]): Promise<void> {
  for (const play of plays) await play(send);
}

describe('the verdict on failed jobs', () => {
  it.each<[string, string, (program: Program, stage: Stage) => Promise<unknown>]>([
    [
      'points under one key, after a look at the account',
      'addPointTransactions',
      (send) => playAll(send, addPoints(), readAccount, addPoints()),
    ],
    [
      'a receipt, after a look at the transactions',
      'createReceipt',
      (send) => playAll(send, sell, readTransactions, sell),
    ],
    [
      'points under one key, by a new connection',
      'addPointTransactions',
      async (send, { start }) => {
        await addPoints()(send);
        await send.kill();
        await playAll(start(till), readAccount, addPoints());
      },
    ],
    [
      'a receipt, an hour later by a new connection',
      'createReceipt',
      async (send, { start, wait }) => {
        await sell(send);
        await send.kill();
        await wait('1h');
        await playAll(start(till), readTransactions, sell);
      },
    ],
    [
      'points without a key, after a look at the account',
      'addPointTransactions',
      (send) => playAll(send, addPoints({}), readAccount, addPoints({})),
    ],
  ])('passes a client whose job fails, and that sends again %s', inTime, async (_, endpoint, play) => {
    const stage = await openFailing(endpoint);
    await play(stage.start(till), stage);
    expect(found(await stage.judge())).toBe('PASS');
  });

  it.each<[string, (stage: Stage, send: Send) => Promise<unknown>]>([
    [
      'it is sent a third time, when the second was done',
      (_, send) => playAll(send, sell, readTransactions, sell, sell),
    ],
    [
      'it is sent again while its job still waits',
      async ({ send }, sender) => {
        await send('POST', '/__admin/queue', { hold: true });
        await playAll(sender, sell, sell);
        await send('POST', '/__admin/queue', { hold: false });
      },
    ],
  ])('fails a receipt whose job fails when %s', inTime, async (_, play) => {
    const stage = await openFailing('createReceipt');
    await play(stage, stage.start(till));
    expect(found(await stage.judge())).toBe('FAIL R2');
  });

  it('fails points that are doubled blindly after the job of a first request had failed', inTime, async () => {
    const rules = [on('addPointTransactions', jobFails, lost)];
    const { start, judge } = await openStage('over HTTP', { rules });
    await playAll(start(till), addPoints({}), addPoints({}), addPoints({}));
    expect((await judge()).failedBy).toContain('R10');
  });

  it('takes no late delivery for sent twice when its job failed', inTime, async () => {
    const { start, judge, wait } = await openStage('over HTTP', { rules: [on('createReceipt', 504, jobFails)] });
    const send = start(till);
    await sell(send);
    await wait('10m');
    await playAll(send, sell, readTransactions, sell);
    expect(found(await judge())).toBe('PASS');
  });

  it('lets a key that counts as new carry corrected content', inTime, async () => {
    const { start, judge } = await openFailing('createReceipt');
    await playAll(start(till), sell, readTransactions, sellCorrected);
    expect(found(await judge())).toBe('PASS');
  });

  it.each<[string, string, readonly Play[], string]>([
    [
      'a bulk',
      'updateContacts',
      [patchBulk('Old 1'), patch('New 2'), patchBulk('Old 1')],
      'R16: the street "New 2" of contact 100001 is missing',
    ],
    [
      'a balance',
      'setPointBalances',
      [setBalance(50, 0), setBalance(70, 1), setBalance(50, 0)],
      'R16: the balance 70 of contact 100001 is missing',
    ],
  ])('fails %s whose job failed, sent again over a newer change', inTime, async (_, endpoint, plays, message) => {
    for (const fault of [jobFails, 504]) {
      const { start, judge } = await openStage('over HTTP', { rules: [on(endpoint, fault)], mode: 'point-follower' });
      await playAll(start(till), ...plays);
      const judged = await judge();
      expect(found(judged)).toBe('FAIL R16');
      expect(judged.text).toContain(message);
    }
  });

  it.each<[string, readonly Play[]]>([
    ['is sent again before the newer one', [patchBulk('Old 1'), patchBulk('Old 1'), patch('New 2')]],
    ['is dropped', [patchBulk('Old 1'), patch('New 2')]],
  ])('passes a bulk whose job failed when it %s', inTime, async (_, plays) => {
    const { start, judge } = await openFailing('updateContacts');
    await playAll(start(till), ...plays);
    expect(found(await judge())).toBe('PASS');
  });

  it('passes the same change made again when its first job was done', inTime, async () => {
    const { start, judge } = await openStage('over HTTP');
    await playAll(start(till), patchBulk('Old 1'), patch('New 2'), patchBulk('Old 1'));
    expect(found(await judge())).toBe('PASS');
  });

  it.each<[string, string, readonly Play[], readonly string[]]>([
    ['a receipt', 'createReceipt', [sell, readTransactions], ['never sent again']],
    ['a bulk', 'updateContacts', [patchBulk('Old 1')], ['never sent again']],
    ['a bulk that a newer change has replaced', 'updateContacts', [patchBulk('Old 1'), patch('New 2')], []],
    [
      'a bulk, before one of another contact was done',
      'updateContacts',
      [patchBulk('Old 1'), patchBulkOfBo],
      ['never sent again'],
    ],
    ['a receipt that was sent again', 'createReceipt', [sell, readTransactions, sell], []],
    ['a receipt that was sent again under another key', 'createReceipt', [sell, readTransactions, sellAsNew], []],
  ])('notes that the job of %s failed, if nobody sent it again', inTime, async (_, endpoint, plays, said) => {
    const { start, judge } = await openFailing(endpoint);
    await playAll(start(till), ...plays);
    const judged = await judge();
    expect(found(judged)).toBe('PASS');
    expect(judged.text.match(/(?<=R9: .*)never sent again/gu) ?? []).toEqual(said);
  });

  it(
    'says nothing of a failed job when an attempt before it, whose response was lost, had done the work',
    inTime,
    async () => {
      const { start, judge } = await openStage('over HTTP', { rules: [on('createReceipt', lost, jobFails)] });
      await playAll(start(till), sell, sell);
      expect((await judge()).text).not.toContain('its job failed');
    },
  );
});
