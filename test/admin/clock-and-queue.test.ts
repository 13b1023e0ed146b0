import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { ella, nils } from '../support/people.ts';
import { openEmptySim } from '../support/open-sim.ts';

const now = '2026-03-01T12:00:00.000Z';
const quarter = 15 * 60_000;

/** A client with a job for each of some batches, each due a quarter of an hour after the one before. */
async function openQueued(...batches: unknown[][]): Promise<Client & { statuses: () => Promise<string[]> }> {
  const client = await openEmptySim({ queueDelay: quarter });
  const ids: string[] = [];
  for (const batch of batches) ids.push((await client.post('/api/v3/contacts/bulk', batch)).body);
  const statusOf = async (id: string) => (await client.get(`/api/v3/contacts/bulk/status?batchId=${id}`)).body.status;
  return { ...client, statuses: () => Promise.all(ids.map(statusOf)) };
}

const kindsOf = (executed: { job: string; at: string }[]) => executed.map(({ job, at }) => [Number(job), at]);

describe('the clock', () => {
  it('is frozen, set, advanced and resumed', async () => {
    const { get, post } = await openEmptySim();
    expect((await get('/__admin/clock')).body).toEqual({ now, frozen: true });
    const set = await post('/__admin/clock', { set: '2026-05-01T00:00:00+02:00' });
    expect(set.body).toEqual({ now: '2026-04-30T22:00:00.000Z', frozen: true, executed: [], warnings: [] });
    expect((await post('/__admin/clock', { advance: 'P1M' })).body.now).toBe('2026-05-30T22:00:00.000Z');
    expect((await post('/__admin/clock', { resume: true })).body.frozen).toBe(false);
    expect((await post('/__admin/clock', { freeze: true })).body.frozen).toBe(true);
  });

  it('does the work that falls due on the way, each at its own moment, and tells of it', async () => {
    const { post, statuses } = await openQueued([ella]);
    const { body } = await post('/__admin/clock', { advance: '30d' });
    expect(body).toMatchObject({ now: '2026-03-31T12:00:00.000Z', frozen: true });
    expect(body.executed).toMatchObject([
      { at: '2026-03-01T12:15:00.000Z', kind: 'contacts.bulk', exchange: 'default-1', error: null },
    ]);
    const { effects } = body.executed[0];
    expect(effects.map(({ table, change }: Record<string, string>) => [table, change])).toEqual([
      ['contacts', 'created'],
      ['contactBatches', 'updated'],
    ]);
    expect(await statuses()).toEqual(['Completed']);
  });

  it('does the same when it is set forwards', async () => {
    const { post, statuses } = await openQueued([ella]);
    await post('/__admin/clock', { set: '2026-03-01T12:14:59Z' });
    expect(await statuses()).toEqual(['Queued']);
    await post('/__admin/clock', { set: '2026-03-01T12:15:00Z' });
    expect(await statuses()).toEqual(['Completed']);
  });

  it('does nothing when it is set back, and says what that does not undo', async () => {
    const { post, statuses } = await openQueued([ella]);
    const { executed, warnings } = (await post('/__admin/clock', { set: '2020-01-01T00:00:00Z' })).body;
    const [warning] = warnings;
    expect([executed, warnings.length, warning.code]).toEqual([[], 1, 'clock-went-back']);
    expect(warning.message).toContain('from 2026-03-01T12:00:00.000Z to 2020-01-01T00:00:00.000Z');
    expect(warning.message).toMatch(/points that expired.+stay.+restore a snapshot.+POST \/__admin\/reset/);
    expect(await statuses()).toEqual(['Queued']);
    expect((await post('/__admin/clock', { set: '2020-01-01T00:00:00Z' })).body.warnings).toEqual([]);
  });

  it('names the latest snapshot of by then when it is set back', async () => {
    const { post } = await openEmptySim();
    for (const name of ['one', 'two']) await post(`/__admin/snapshots/${name}`);
    await post('/__admin/clock', { advance: '2d' });
    await post('/__admin/snapshots/late');
    const { warnings } = (await post('/__admin/clock', { set: '2026-03-02T12:00:00Z' })).body;
    expect(warnings[0].message).toContain('restore the snapshot "two" (POST /__admin/snapshots/{name}/restore)');
  });

  it('goes back with a reset, with a note where it goes alone', async () => {
    const { post } = await openEmptySim();
    await post('/__admin/clock', { advance: '1d' });
    const { notes } = (await post('/__admin/reset', { scopes: ['clock'] })).body;
    expect(notes).toEqual([expect.stringContaining('the clock went back from 2026-03-02T12:00:00.000Z')]);
    await post('/__admin/clock', { advance: '1d' });
    expect((await post('/__admin/reset', { scopes: ['clock', 'state'] })).body.notes).toEqual([]);
  });

  it.each([
    [{}, 'send exactly one of {"freeze":true}'],
    [{ freeze: true, advance: '1d' }, 'send exactly one of {"freeze":true}'],
    [{ freeze: false }, 'must be true'],
    [{ advance: '-P1D' }, 'time only advances forwards'],
    [{ advance: 'P500Y' }, 'leads beyond 2200-12-31'],
    [{ advance: 30 }, 'must be a text'],
    [{ set: 'tomorrow' }, 'must be an ISO 8601 timestamp'],
    [{ forward: '1d' }, 'is not a field that the service reads'],
  ])('refuses %j', async (body, message) => {
    const { get, post } = await openEmptySim();
    const refused = await post('/__admin/clock', body);
    expect(refused.status).toBe(400);
    expect(refused.body.validationErrors[0].errorDescription).toContain(message);
    expect((await get('/__admin/clock')).body.now).toBe(now);
  });

  it('can be turned by a call that does not say that it sends JSON', async () => {
    const { call } = await openEmptySim();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await call('POST', '/__admin/clock', { body: { advance: '1d' }, headers })).status).toBe(200);
  });
});

describe('the queue', () => {
  it('lists jobs in the order they will be done', async () => {
    const { get, post } = await openQueued([ella]);
    await post('/__admin/clock', { advance: '5m' });
    await post('/api/v3/contacts/bulk', [nils]);
    const { jobs, ...sizes } = (await get('/__admin/queue')).body;
    expect(sizes).toEqual({ held: false, queued: 2, failed: 0 });
    expect(jobs[1]).toMatchObject({
      kind: 'contacts.bulk',
      status: 'queued',
      createdAt: '2026-03-01T12:05:00.000Z',
      dueAt: '2026-03-01T12:20:00.000Z',
      exchange: 'default-2',
      payload: { items: [nils] },
      error: null,
    });
    expect((await get('/__admin/queue?offset=1&limit=1')).body.jobs).toEqual([jobs[1]]);
  });

  it('does one job at a time while it is held, and the rest when released', async () => {
    const { post, statuses } = await openQueued([ella], [nils], [ella]);
    expect((await post('/__admin/queue', { hold: true })).body).toEqual({
      held: true,
      queued: 3,
      failed: 0,
      executed: [],
    });
    expect((await post('/__admin/clock', { advance: '1h' })).body.executed).toEqual([]);
    const stepped = (await post('/__admin/queue', { step: true })).body;
    expect(kindsOf(stepped.executed)).toEqual([[1, '2026-03-01T13:00:00.000Z']]);
    expect(await statuses()).toEqual(['Completed', 'Queued', 'Queued']);
    const released = (await post('/__admin/queue', { release: true })).body;
    expect(released).toMatchObject({ held: false, queued: 0, failed: 0 });
    expect(kindsOf(released.executed).map(([job]) => job)).toEqual([2, 3]);
    expect(await statuses()).toEqual(['Completed', 'Completed', 'CompletedWithErrors']);
  });

  it('holds work that would be done at once', async () => {
    const { get, post } = await openEmptySim();
    await post('/__admin/queue', { hold: true });
    await post('/api/v3/contacts/bulk', [ella]);
    expect((await get('/__admin/queue')).body).toMatchObject({ held: true, queued: 1 });
    expect((await post('/__admin/queue', { release: true })).body.executed).toHaveLength(1);
  });

  it('does so many jobs, or all of them, before they are due', async () => {
    const { post, statuses } = await openQueued([ella], [nils], [ella]);
    expect((await post('/__admin/queue', { step: 2 })).body).toMatchObject({ queued: 1 });
    expect((await post('/__admin/queue', { drain: true })).body).toMatchObject({ queued: 0 });
    expect(await statuses()).toEqual(['Completed', 'Completed', 'CompletedWithErrors']);
    expect((await post('/__admin/queue', { step: true })).body.executed).toEqual([]);
  });

  it('lets a job fail, which is then never done', async () => {
    const { get, post, statuses } = await openQueued([ella], [nils]);
    const [, second] = (await get('/__admin/queue')).body.jobs;
    const { body } = await post('/__admin/queue', { fail: second.id });
    expect(body.executed).toMatchObject([{ job: second.id, error: 'failed on demand by POST /__admin/queue' }]);
    await post('/__admin/clock', { advance: '1d' });
    expect(await statuses()).toEqual(['Completed', 'Failed']);
    expect((await get('/__admin/queue')).body.jobs).toMatchObject([{ id: second.id, status: 'failed' }]);
    expect((await post('/__admin/queue', { fail: second.id })).status).toBe(409);
  });

  it('lets the next job fail, if there is one', async () => {
    const { post } = await openQueued([ella]);
    expect((await post('/__admin/queue', { fail: true })).body).toMatchObject({ queued: 0, failed: 1 });
    expect((await post('/__admin/queue', { fail: true })).status).toBe(409);
    expect((await post('/__admin/queue', { fail: '0000000009' })).status).toBe(404);
  });

  it.each([[{}], [{ hold: true, step: 1 }], [{ step: 0 }], [{ step: false }], [{ drian: true }]])(
    'refuses %j',
    async (body) => {
      const { post } = await openEmptySim();
      expect((await post('/__admin/queue', body)).status).toBe(400);
    },
  );
});
