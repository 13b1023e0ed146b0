/** In point-follower mode the verdict is on the point master too. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { adjust, listed, openFollowerSim, tidyFollowers } from '../support/follower.ts';
import { openReceiver } from '../support/receiver.ts';
import { astrid } from '../support/people.ts';
import { openSim } from '../support/open-sim.ts';

afterEach(tidyFollowers);

const master = 'the point master follows adjustments with the right balances';

const sync = ({ post }: Client, amount: number) =>
  post('/api/v3/point-accounts/balances', [{ contactId: astrid, definitionId: 1, amount }]);

const verdictOn = async ({ get }: Client, query = '') => (await get(`/__admin/verdict${query}`)).body;

/** The master has sent 100 points, was told of 25 more, and sends this. */
async function openAdjusted(then?: number): Promise<Client> {
  const client = await openFollowerSim(await openReceiver());
  await sync(client, 100);
  await adjust(client, { amount: 25 });
  await listed(client, '?wait=60s');
  if (then !== undefined) await sync(client, then);
  return client;
}

describe('the verdict in point-follower mode', () => {
  it('passes with a master whose balance follows', async () => {
    const { verdict, checks } = await verdictOn(await openAdjusted(125));
    const reason = 'its balances show 1 of 1';
    expect([verdict, checks]).toEqual(['PASS', [{ description: master, verdict: 'PASS', reason, requests: [] }]]);
  });

  it('fails with a master that lost an adjustment, or applied it twice', async () => {
    const lost = await verdictOn(await openAdjusted(100));
    expect([lost.verdict, lost.reason]).toEqual([
      'FAIL',
      expect.stringMatching(`^${master}: Lost: the adjustment of 25`),
    ]);
    const twice = await verdictOn(await openAdjusted(150));
    expect([twice.verdict, twice.reason]).toEqual(['FAIL', expect.stringContaining('as if applied twice')]);
  });

  it('fails by it when no call came that could be judged', async () => {
    const client = await openAdjusted(150);
    await client.post('/__admin/reset', { scopes: ['journal'] });
    expect((await verdictOn(client)).verdict).toBe('FAIL');
  });

  it('names what is open still, and does not fail by it', async () => {
    const { verdict, checks } = await verdictOn(await openAdjusted());
    const reason = expect.stringMatching(/^its balances show 0 of 1; still open: Waiting: the adjustment of 25 points/);
    expect([verdict, checks[0]]).toEqual(['PASS', { description: master, verdict: 'PASS', reason, requests: [] }]);
  });

  it('leaves open what is open when nothing more can come', async () => {
    const { verdict, reason } = await verdictOn(await openAdjusted(), '?clientEnded=true');
    expect([verdict, reason]).toEqual(['INCONCLUSIVE', expect.stringContaining('still open: Waiting: the adjustment')]);
    const failing = await openFollowerSim(await openReceiver(() => 500));
    await sync(failing, 100);
    await adjust(failing, { amount: 25 });
    await listed(failing, '?wait=60s');
    expect((await verdictOn(failing, '?clientEnded=true')).verdict).toBe('INCONCLUSIVE');
    const right = await verdictOn(await openAdjusted(125), '?clientEnded=true');
    expect([right.verdict, right.checks[0].verdict]).toEqual(['PASS', 'PASS']);
  });

  it('names what was missed', async () => {
    const client = await openFollowerSim();
    await sync(client, 100);
    await adjust(client);
    const { checks } = await verdictOn(client, '?clientEnded=true');
    expect(checks[0]).toMatchObject({ verdict: 'PASS' });
    expect(checks[0].reason).toContain('still open: Missed: the adjustment of 25 points');
  });

  it('says nothing of a master that no points were adjusted for', async () => {
    const follower = await openFollowerSim();
    await sync(follower, 100);
    expect((await verdictOn(follower)).checks).toEqual([]);
    const standard = await openSim();
    await adjust(standard);
    await standard.get('/api/v3/stores');
    expect((await verdictOn(standard)).checks).toEqual([]);
  });
});
