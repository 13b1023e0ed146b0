import { afterEach, describe, expect, it } from 'vitest';
import { jobs } from '../../../src/core/time/jobs.ts';
import { openEmptySim, openSim } from '../../support/open-sim.ts';
import { newFile, openSavedSim, reopenSim, tidySaved } from '../../support/saved.ts';
import { astrid } from '../../support/people.ts';
import { adjustAtOnce, begin, crowd, servedUntil } from '../../support/work-in-turns.ts';
import type { Client } from '../../support/client.ts';

const noon = '2026-03-01T12:00:00.000Z';

afterEach(tidySaved);

/** Queues the crowd for in an hour, and returns its batch. */
async function queueCrowd({ post }: Client): Promise<string> {
  return (await post('/api/v3/contacts/bulk', crowd)).body;
}

const statusOf = async ({ get }: Client, batch: string) =>
  (await get(`/api/v3/contacts/bulk/status?batchId=${batch}`)).body;

describe('a queued bulk that the control API executes', () => {
  it.each([
    ['/__admin/queue', { drain: true }, noon],
    ['/__admin/queue', { step: true }, noon],
    ['/__admin/clock', { advance: '2h' }, '2026-03-01T13:00:00.000Z'],
    ['/__admin/clock', { set: '2026-03-01T15:00:00Z' }, '2026-03-01T13:00:00.000Z'],
  ])('lets other tenants work meanwhile: %s %o', async (path, body, at) => {
    const client = await openEmptySim({ queueDelay: '1h' });
    const batch = await queueCrowd(client);
    const { answer, isDone } = await begin(client, () => client.post(path, body));
    expect(await servedUntil(client, isDone)).toBeGreaterThan(0);
    const { executed } = (await answer).body;
    expect(executed).toMatchObject([{ at, kind: 'contacts.bulk', exchange: 'default-1', error: null }]);
    expect(executed[0].effects).toHaveLength(4001);
    expect(await statusOf(client, batch)).toMatchObject({ status: 'Completed', succeededCount: 4000 });
  });

  it('lets other tenants work meanwhile when a held queue is released', async () => {
    const client = await openEmptySim({ queueDelay: '1h' });
    await queueCrowd(client);
    await client.post('/__admin/queue', { hold: true });
    await client.post('/__admin/clock', { advance: '2h' });
    const { answer, isDone } = await begin(client, () => client.post('/__admin/queue', { release: true }));
    expect(await servedUntil(client, isDone)).toBeGreaterThan(0);
    expect((await answer).body).toMatchObject({ held: false, queued: 0, executed: [{ kind: 'contacts.bulk' }] });
  });

  it('lets other tenants work meanwhile when a reset of the clock makes it due', async () => {
    const client = await openEmptySim({ queueDelay: '1h' });
    await client.post('/__admin/clock', { set: '2026-03-01T10:00:00Z' });
    const batch = await queueCrowd(client);
    const { answer, isDone } = await begin(client, () => client.post('/__admin/reset', { scopes: ['clock'] }));
    expect(await servedUntil(client, isDone)).toBeGreaterThan(0);
    expect((await answer).status).toBe(200);
    expect(await statusOf(client, batch)).toMatchObject({ status: 'Completed', finishedOn: noon });
  });

  it('lets other tenants work meanwhile when a restored snapshot makes it due', async () => {
    const client = await openEmptySim({ queueDelay: '1h' });
    const batch = await queueCrowd(client);
    const advanced = await begin(client, () => client.post('/__admin/clock', { advance: '1h' }));
    expect([(await client.post('/__admin/snapshots/at-one')).status, advanced.isDone()]).toEqual([201, false]);
    await advanced.answer;
    const { answer, isDone } = await begin(client, () => client.post('/__admin/snapshots/at-one/restore'));
    expect(await servedUntil(client, isDone)).toBeGreaterThan(0);
    expect((await answer).body).toMatchObject({ restored: 'at-one', now: '2026-03-01T13:00:00.000Z' });
    expect(await statusOf(client, batch)).toMatchObject({ status: 'Completed', succeededCount: 4000 });
    expect((await client.get('/api/v3/contacts/count')).body).toBe(4000);
  });

  it('lets requests of the same tenant wait for all of it', async () => {
    const client = await openEmptySim({ queueDelay: '1h' });
    await queueCrowd(client);
    const { answer, isDone } = await begin(client, () => client.post('/__admin/queue', { drain: true }));
    expect((await client.get('/__admin/tenants/default')).body.rows.contacts ?? 0).toBe(0);
    expect(isDone()).toBe(false);
    const count = client.get('/api/v3/contacts/count');
    const created = client.post('/api/v3/contacts', crowd[3999]);
    const queued = client.post('/api/v3/contacts/bulk', [{ email: 'later@example.com' }]);
    expect((await count).body).toBe(4000);
    expect([(await created).status, (await queued).status]).toEqual([409, 202]);
    expect((await answer).body).toMatchObject({ queued: 0, failed: 0 });
  });

  it('lets other calls about time and queue wait, which answer as if they were sent one after another', async () => {
    const client = await openEmptySim({ queueDelay: '1h' });
    await queueCrowd(client);
    const { answer, isDone } = await begin(client, () => client.post('/__admin/clock', { advance: '1d' }));
    const second = client.post('/__admin/clock', { advance: '1d' });
    const held = client.post('/__admin/queue', { hold: true });
    expect((await client.get('/__admin/queue')).body).toMatchObject({ held: false, queued: 1 });
    expect(isDone()).toBe(false);
    expect((await answer).body).toMatchObject({ now: '2026-03-02T12:00:00.000Z', executed: [{ error: null }] });
    expect((await second).body).toMatchObject({ now: '2026-03-03T12:00:00.000Z', executed: [] });
    expect((await held).body).toMatchObject({ held: true, queued: 0 });
  });

  it('is done once, with what somebody else did to the tenant meanwhile', async () => {
    const client = await openSim({ queueDelay: '1h' });
    await queueCrowd(client);
    const { answer, isDone } = await begin(client, () => client.post('/__admin/queue', { drain: true }));
    adjustAtOnce(client, astrid);
    expect(isDone()).toBe(false);
    expect((await answer).body.executed).toHaveLength(1);
    const { counts } = (await client.get('/__admin/snapshots/diff?limit=1')).body;
    expect([counts.contacts.created, counts.pointTransactions?.created]).toEqual([4000, 1]);
  });

  it('is not done when a reset takes it away meanwhile', async () => {
    const client = await openEmptySim({ queueDelay: '1h' });
    await queueCrowd(client);
    const { answer, isDone } = await begin(client, () => client.post('/__admin/queue', { drain: true }));
    expect([(await client.post('/__admin/reset', {})).status, isDone()]).toEqual([200, false]);
    expect((await answer).body).toMatchObject({ queued: 0, failed: 0, executed: [] });
    expect((await client.get('/api/v3/contacts/count')).body).toBe(0);
  });

  it('is ended by a reset of the clock, which stays reset', async () => {
    const client = await openEmptySim({ queueDelay: '1h' });
    await queueCrowd(client);
    const { answer, isDone } = await begin(client, () => client.post('/__admin/clock', { advance: '2h' }));
    expect([(await client.post('/__admin/reset', {})).status, isDone()]).toEqual([200, false]);
    expect((await answer).body).toMatchObject({ now: noon, executed: [] });
    expect((await client.get('/__admin/clock')).body).toMatchObject({ now: noon });
  });

  it('goes on to its moment over a reset of the journal', async () => {
    const client = await openEmptySim({ queueDelay: '1h' });
    await queueCrowd(client);
    const { answer } = await begin(client, () => client.post('/__admin/clock', { advance: '2h' }));
    await client.post('/__admin/reset', { scopes: ['journal'] });
    expect((await answer).body.now).toBe('2026-03-01T14:00:00.000Z');
  });
});

/**
 * Lets the clock run until the work has begun: a request of the tenant waits then, while others are served three times. A
 * fast machine may be done with it soon after.
 */
async function untilBegun(client: Client) {
  await client.post('/__admin/clock', { set: '2026-03-01T12:59:59.900Z' });
  await client.post('/__admin/clock', { resume: true });
  for (;;) {
    const seen = { isDone: false };
    const counted = client.get('/api/v3/contacts/count').finally(() => (seen.isDone = true));
    for (let served = 0; served < 3; served++) await client.get('/t/other/api/v3/contacts/count');
    if (!seen.isDone) return { counted, isDone: () => seen.isDone };
    expect((await counted).body).toBe(0);
    await new Promise(setImmediate);
  }
}

describe('a queued bulk that falls due while the clock runs', () => {
  it('lets other tenants work meanwhile, and requests of the same tenant wait for all of it', async () => {
    const client = await openEmptySim({ queueDelay: '1h' });
    const batch = await queueCrowd(client);
    const { counted } = await untilBegun(client);
    expect(client.sim.tenants.default.count(jobs)).toBe(1);
    expect((await counted).body).toBe(4000);
    expect(await statusOf(client, batch)).toMatchObject({ status: 'Completed', succeededCount: 4000 });
    expect((await client.get('/__admin/queue')).body).toMatchObject({ queued: 0, failed: 0 });
  });

  it('stays queued when the simulator is closed meanwhile, and is done by the next run', async () => {
    const file = newFile();
    const first = await openSavedSim(file, { queueDelay: '1h', now: '2026-03-01T12:00:00Z' });
    const batch = await queueCrowd(first);
    const { counted, isDone } = await untilBegun(first);
    expect(isDone()).toBe(false);
    const second = await reopenSim(first, file);
    expect((await counted).body).toBe(0);
    await second.post('/__admin/queue', { drain: true });
    expect(await statusOf(second, batch)).toMatchObject({ status: 'Completed', succeededCount: 4000 });
    expect((await second.get('/api/v3/contacts/count')).body).toBe(4000);
  });

  it('is left as it is when the simulator is closed meanwhile', async () => {
    const client = await openEmptySim({ queueDelay: '1h' });
    await queueCrowd(client);
    const { counted, isDone } = await untilBegun(client);
    expect(isDone()).toBe(false);
    await client.sim.close();
    expect((await counted).body).toBe(0);
  });
});
