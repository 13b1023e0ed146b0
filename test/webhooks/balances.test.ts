import { afterEach, describe, expect, it } from 'vitest';
import { openFollowed, play, reportOf, summaryOf, sync } from '../support/audited.ts';
import type { Client } from '../support/client.ts';
import { adjust, listed, openFollowerSim, tidyFollowers } from '../support/follower.ts';
import { openReceiver } from '../support/receiver.ts';

afterEach(tidyFollowers);

/** Returns the verdict and what is more than a note. */
const judged = async (client: Client): Promise<string[]> =>
  (await summaryOf(client)).filter((line) => !line.endsWith(': note'));

const fails = (steps: string, script?: Parameters<typeof openReceiver>[0]): Promise<string[]> =>
  openFollowed(script).then((client) => play(client, steps).then(judged));

const losesFirst = (n: number): number => (n === 1 ? 500 : 200);

describe('a master that works adjustments off one by one', () => {
  it.each([
    ['+30 +20 +10 =130 =150 =160'],
    ['+50 +25 +25 =150 =175 =200'],
    ['+25 +10 +15 =125 =135 =150'],
    ['+20 +15 +10 +5 =120 =135 =145 =150'],
    ['+10 +9 +8 +7 +6 +5 +4 +3 +2 +1 =110 =119 =127 =134 =140 =145 =149 =152 =154 =155'],
    ['+0.3 +0.2 +0.1 =100.3 =100.5 =100.6'],
    ['+10 -10 +5 =110 =100 =105'],
  ])('passes: %s', async (steps) => {
    expect(await fails(steps)).toEqual(['PASS']);
  });

  it.each([['=130 =140 =160'], ['=110 =140 =160'], ['=120 =130 =160'], ['=110 =130 =160']])(
    'passes in any order: +30 +20 +10 %s',
    async (steps) => {
      expect(await fails(`+30 +20 +10 ${steps}`)).toEqual(['PASS']);
    },
  );

  it('passes when the response to the first was lost after it was applied', async () => {
    expect(await fails('+30 +20 +10 =130 =150 =160 5s', losesFirst)).toEqual(['PASS']);
  });

  it.each([
    ['+32 +16 +8 +4 =132 =140 =144', ['FAIL', 'lost: fail']],
    ['+40 +20 +10 =140 =160', ['FAIL', 'lost: fail']],
    ['+30 +20 +10 =130 =160 =180', ['FAIL', 'applied-twice: fail']],
    ['+30 +20 +10 =130 =237 =160', ['FAIL', 'wrong-balance: fail']],
    ['+25 =150 =125', ['FAIL', 'applied-twice: fail']],
    ['+25 =150 +10 =160', ['FAIL', 'applied-twice: fail']],
  ])('fails: %s', async (steps, findings) => {
    expect(await fails(steps)).toEqual(findings);
  });
});

const amounts = Array.from({ length: 40 }, (_, i) => 100_003 + i * i * 977);

const sumOf = (list: readonly number[]): number => list.reduce((sum, amount) => sum + amount, 100);

async function openBacklog(count: number): Promise<Client> {
  const client = await openFollowed();
  for (const amount of amounts.slice(0, count)) await adjust(client, { amount });
  await listed(client, `?wait=60s&status=delivered&atLeast=${count}`);
  return client;
}

describe('with many adjustments open', () => {
  it.each([
    [25, 12],
    [34, 17],
    [40, 1],
    [40, 39],
  ])('passes of %d the first %d, then all', async (count, first) => {
    const client = await openBacklog(count);
    await sync(client, sumOf(amounts.slice(0, first)));
    await sync(client, sumOf(amounts.slice(0, count)));
    expect(await judged(client)).toEqual(['PASS']);
  });

  it('does not fail for a balance that nobody can work out', async () => {
    const client = await openBacklog(40);
    await sync(client, sumOf(amounts.filter((_, i) => i % 3 === 0)));
    await sync(client, sumOf(amounts));
    expect(await judged(client)).toEqual(['INCONCLUSIVE', 'wrong-balance: inconclusive']);
    expect((await reportOf(client)).findings[0].message).toContain('too many adjustments may be in it to tell');
  });

  it('fails for such a balance if it is the last', async () => {
    const client = await openBacklog(40);
    await sync(client, sumOf(amounts.filter((_, i) => i % 3 === 0)));
    expect(await judged(client)).toEqual(['FAIL', 'wrong-balance: fail']);
    expect((await reportOf(client)).findings[0].message).toContain(
      'it lacks adjustments that the master had accepted, or',
    );
  });

  it('fails for a balance that they cannot add up to', async () => {
    const client = await openBacklog(40);
    await sync(client, sumOf(amounts.slice(0, 20)) + 0.5);
    await sync(client, sumOf(amounts));
    expect(await judged(client)).toEqual(['FAIL', 'wrong-balance: fail']);
  });
});

describe('a list that is late', () => {
  it.each([
    ['=100@1 +25 +40 =165@5 =125@3 =165@9', ['PASS', 'stale-balance: note']],
    ['=100@1 +25 +40 =165@5 =140@3 =165@9', ['PASS', 'stale-balance: note']],
    ['=100@1 +25 +40 =165@5 =125@6 =165@9', ['PASS', 'stale-balance: note']],
    ['=100@1 +25 +40 =165@5 =125@3', ['FAIL', 'stale-balance: note', 'lost: fail']],
    ['=100@1 +25 +40 =165@5 =125@6', ['FAIL', 'lost: fail']],
  ])('is told once: %s', async (steps, findings) => {
    expect(await summaryOf(await play(await openFollowed(), steps))).toEqual(findings);
  });
});

/** The service shows no points, and the master has sent no balance yet. */
const fromNothing = async (steps: string): Promise<string[]> =>
  judged(await play(await openFollowerSim(await openReceiver()), steps));

describe('without a balance before the first adjustment', () => {
  it.each([
    ['+25 =0 =25', ['PASS']],
    ['+25 +10 =0 =25 =35', ['PASS']],
    ['+25 =50', ['FAIL', 'applied-twice: fail']],
    ['+25 +40 =300 =325 =365', ['INCONCLUSIVE', 'wrong-balance: inconclusive']],
  ])('judges %s', async (steps, findings) => {
    expect(await fromNothing(steps)).toEqual(findings);
  });
});

describe('after a part of the records was taken away', () => {
  it.each([
    [['state'], '=125 +10 =135', ['PASS']],
    [['webhooks'], '+10 =135', ['PASS']],
    [['webhooks'], '+10 =145', ['INCONCLUSIVE', 'wrong-balance: inconclusive']],
    [['webhooks'], '+10 =135 +5 =145', ['FAIL', 'applied-twice: fail']],
    [['state', 'webhooks'], '=125 +10 =135', ['PASS']],
    [['journal'], '+10 =135', ['PASS']],
  ])('by a reset of %j, it judges what came since: %s', async (scopes, steps, findings) => {
    const client = await play(await openFollowed(), '+25 =125');
    await client.post('/__admin/reset', { scopes });
    expect(await judged(await play(client, steps))).toEqual(findings);
  });

  it('does not know what the service deleted before it was shown', async () => {
    const client = await play(await openFollowed(), '+25');
    await client.post('/__admin/reset', { scopes: ['webhooks'] });
    expect(await judged(await play(client, '+10 =135'))).toEqual(['INCONCLUSIVE', 'wrong-balance: inconclusive']);
  });

  it('judges a master that a snapshot could not put back by what came since', async () => {
    const client = await play(await openFollowed(), '+25 =125');
    await client.call('PUT', '/__admin/snapshots/before');
    await play(client, '+10 =135');
    await client.post('/__admin/snapshots/before/restore');
    expect(await judged(await play(client, '=135 +5 =140'))).toEqual(['PASS']);
  });
});
