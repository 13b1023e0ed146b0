import { afterEach, describe, expect, it } from 'vitest';
import { kindsIn, openFollowed, reportOf, send, summaryOf, sync } from '../support/audited.ts';
import { adjust, advance, listed, openFollowerSim, tidyFollowers } from '../support/follower.ts';
import { openReceiver } from '../support/receiver.ts';
import { smallestSubsetWithSum } from '../../src/webhooks/audit/subset-sum.ts';
import { astrid, bo, nobody } from '../support/people.ts';

afterEach(tidyFollowers);

const failingList = { match: { endpoint: 'setPointBalances' }, fault: { job: 'fail' }, times: 1 };

describe('a master', () => {
  it('passes whose balances follow every adjustment', async () => {
    const client = await openFollowed();
    await send(client, 25, -10);
    await sync(client, 115);
    await send(client, 5);
    await sync(client, 120);
    await sync(client, 120);
    expect(await reportOf(client)).toEqual({
      verdict: 'PASS',
      adjustments: { total: 3, shown: 3, waiting: 0, lost: 0 },
      balances: { requests: 4, set: 4, right: 4 },
      attempts: { total: 3, responded: 3, slowestMs: expect.any(Number) },
      findings: [],
    });
  });

  it('may begin with nothing', async () => {
    const client = await openFollowerSim(await openReceiver());
    await send(client, 25);
    await sync(client, 25);
    expect((await reportOf(client)).verdict).toBe('PASS');
  });

  it('may begin with anything, if it says so before the first adjustment', async () => {
    const client = await openFollowerSim(await openReceiver());
    await send(client, 25);
    await sync(client, 525);
    await send(client, 5);
    await sync(client, 530);
    const { verdict, findings } = await reportOf(client);
    expect([verdict, findings.length]).toEqual(['INCONCLUSIVE', 1]);
    expect(findings[0].message).toContain('set to 525 and should be 25, had the master begun with the balance');
  });

  it('is not judged before a balance has come', async () => {
    const client = await openFollowed();
    await send(client, 25);
    const { verdict, findings, adjustments } = await reportOf(client);
    expect([verdict, adjustments.waiting]).toEqual(['INCONCLUSIVE', 1]);
    expect(findings).toEqual([
      expect.objectContaining({
        kind: 'waiting',
        message: `Waiting: the adjustment of 25 points for contact ${astrid}, definition 1, of 2026-03-01T12:00:00.000Z. The master accepted it, and has sent no balance since.`,
      }),
    ]);
  });

  it('fails that loses an adjustment', async () => {
    const client = await openFollowed();
    await send(client, 25, 7);
    await sync(client, 107);
    const { verdict, findings } = await reportOf(client);
    expect([verdict, findings.map(({ kind }: { kind: string }) => kind)]).toEqual(['FAIL', ['lost']]);
    expect(findings[0].message).toContain('Lost: the adjustment of 25 points');
  });

  it('passes that is late by a balance, which is told', async () => {
    const client = await openFollowed();
    await send(client, 25);
    await sync(client, 100);
    await sync(client, 125);
    const { verdict, findings } = await reportOf(client);
    expect([verdict, findings.map(({ kind }: { kind: string }) => kind)]).toEqual(['PASS', ['stale-balance']]);
    expect(findings[0].message).toContain('was set to 100 and should be 125: it lacks one adjustment');
  });

  it('fails whose last balance is an earlier one over again', async () => {
    const client = await openFollowed();
    await send(client, 25);
    await sync(client, 125);
    await sync(client, 100);
    expect([(await reportOf(client)).verdict, await kindsIn(client)]).toEqual(['FAIL', ['lost']]);
    await sync(client, 125);
    expect((await reportOf(client)).verdict).toBe('PASS');
  });

  it('fails that applies a redelivery twice', async () => {
    const client = await openFollowed();
    await send(client, 25, 7);
    await sync(client, 132);
    const [{ id }] = (await listed(client)).items;
    await client.post(`/__admin/webhooks/${id}/redeliver`);
    await sync(client, 157);
    const { verdict, findings } = await reportOf(client);
    expect([verdict, findings.length]).toEqual(['FAIL', 1]);
    expect(findings[0].message).toContain(`was set to 157 and should be 132: as if applied twice (${id})`);
  });

  it.each([
    [409, '40h'],
    [503, '1s'],
  ])('may respond with %d to what it accepted before', async (status, pause) => {
    const client = await openFollowed((n) => (n === 1 ? 200 : status));
    await send(client, 25);
    await sync(client, 125);
    const [{ id }] = (await listed(client)).items;
    await client.post(`/__admin/webhooks/${id}/redeliver`);
    await advance(client, pause);
    expect(await summaryOf(client)).toEqual(['PASS']);
  });

  it('fails whose balance nothing explains', async () => {
    const client = await openFollowed();
    await send(client, 25);
    await sync(client, 75);
    expect([(await reportOf(client)).verdict, await kindsIn(client)]).toEqual(['FAIL', ['wrong-balance']]);
  });

  it('may have applied what it did not say it has', async () => {
    const client = await openFollowed((n) => (n === 1 ? 500 : 200));
    await send(client, 25);
    await sync(client, 125);
    await advance(client, '5s');
    await sync(client, 125);
    expect([(await reportOf(client)).verdict, await kindsIn(client)]).toEqual(['PASS', []]);
  });

  it('may not have applied it either', async () => {
    const client = await openFollowed((n) => (n === 1 ? 500 : 200));
    await send(client, 25);
    await sync(client, 100);
    await advance(client, '5s');
    await sync(client, 125);
    expect([(await reportOf(client)).verdict, await kindsIn(client)]).toEqual(['PASS', []]);
  });

  it('fails that never takes an adjustment', async () => {
    const client = await openFollowed(() => 400);
    await send(client, 25);
    expect([(await reportOf(client)).verdict, await kindsIn(client)]).toEqual(['INCONCLUSIVE', ['not-delivered']]);
    await advance(client, '2d');
    const { verdict, findings } = await reportOf(client);
    expect([verdict, findings[0].message]).toEqual([
      'FAIL',
      expect.stringMatching(/^Never delivered.*responded with 400/),
    ]);
  });

  it('does not fail that turns down what nobody could take', async () => {
    const client = await openFollowed(() => 400);
    await client.post('/__admin/webhooks/faults', { fault: 'wrong-key' });
    await send(client, 25);
    await advance(client, '2d');
    const { verdict, findings } = await reportOf(client);
    expect([verdict, findings]).toEqual([
      'INCONCLUSIVE',
      [expect.objectContaining({ kind: 'not-delivered', message: expect.stringMatching(/^Never delivered/) })],
    ]);
  });

  it('fails whose balances can not be set', async () => {
    const client = await openFollowed();
    await send(client, 25);
    await sync(client, 125);
    await sync(client, 5, { definitionId: 99 });
    expect([(await reportOf(client)).verdict, await kindsIn(client)]).toEqual(['FAIL', ['balance-not-set']]);
  });

  it('may send the balance of a contact that the service does not know', async () => {
    const client = await openFollowed();
    await send(client, 25);
    await sync(client, 125);
    await sync(client, 7, { contactId: nobody });
    expect(await summaryOf(client)).toEqual(['PASS', 'balance-not-set: note']);
  });

  it('passes whose list is set again after its job had failed, with a note', async () => {
    const client = await openFollowed();
    await send(client, 25);
    await client.post('/__admin/faults', failingList);
    await sync(client, 125);
    expect(await summaryOf(client)).toEqual(['FAIL', 'balance-not-set: fail', 'waiting: inconclusive']);
    await sync(client, 125);
    expect(await summaryOf(client)).toEqual(['PASS', 'balance-not-set: note']);
  });

  it('fails whose list failed and was not set again for all of its accounts', async () => {
    const client = await openFollowed();
    await client.post('/__admin/faults', failingList);
    const rows = [astrid, bo].map((contactId) => ({ contactId, definitionId: 1, amount: 100 }));
    await client.post('/api/v3/point-accounts/balances', rows);
    await send(client, 25);
    await sync(client, 125);
    expect(await summaryOf(client)).toEqual(['FAIL', 'balance-not-set: fail']);
  });

  it.each([{ contactId: bo }, { definitionId: 2 }])(
    'leaves open why a balance changed that was not adjusted: %o',
    async (other) => {
      const client = await openFollowed();
      await sync(client, 100, other);
      await send(client, 25);
      await sync(client, 125);
      await sync(client, 125, other);
      await sync(client, 130, other);
      const { verdict, findings } = await reportOf(client);
      expect([verdict, findings.length, findings[0].level]).toEqual(['INCONCLUSIVE', 1, 'inconclusive']);
      expect(findings[0].message).toMatch(/was set from 100 to 125, and no adjustment was sent for it/);
    },
  );

  it('may send the first balance of an account after adjusting another', async () => {
    const client = await openFollowed();
    await send(client, 25);
    await sync(client, 125);
    await sync(client, 70, { contactId: bo });
    expect(await summaryOf(client)).toEqual(['PASS']);
  });

  it('may change balances before the first adjustment', async () => {
    const client = await openFollowed();
    await sync(client, 225);
    await send(client, 25);
    await sync(client, 250);
    expect(await summaryOf(client)).toEqual(['PASS']);
  });

  it('is judged account by account', async () => {
    const client = await openFollowed();
    await send(client, 25);
    await adjust(client, { contactId: bo, amount: 3 });
    await listed(client, '?wait=60s&atLeast=2');
    await sync(client, 125);
    await sync(client, 3, { contactId: bo });
    expect((await reportOf(client)).verdict).toBe('PASS');
  });
});

describe('the audit', () => {
  it('tells of adjustments that were missed', async () => {
    const client = await openFollowerSim();
    await adjust(client);
    const { verdict, findings } = await reportOf(client);
    expect([verdict, findings[0].message]).toEqual(['INCONCLUSIVE', expect.stringMatching(/^Missed: .*none was sent/)]);
  });

  it.each([
    [[1, 2, 4], 5, [0, 2]],
    [[1, 2, 3], 3, [2]],
    [[0.1, 0.2, 7], 0.3, [0, 1]],
    [[5, -5, 10], 5, [0]],
    [[2, 4], 5, undefined],
    [[], 0, []],
    [Array.from({ length: 5000 }, (_, i) => i * 1.000001 + 1), -1, undefined],
  ])('finds the fewest amounts with a sum', (amounts, target, indexes) => {
    expect(smallestSubsetWithSum(amounts, target)).toEqual(indexes);
  });
});
