import { describe, expect, it } from 'vitest';
import { ella } from '../support/people.ts';
import { openEmptySim } from '../support/open-sim.ts';

const now = '2026-03-01T12:00:00.000Z';

describe('the control API of snapshots', () => {
  it('takes, lists, replaces and forgets snapshots', async () => {
    const { get, post, call } = await openEmptySim();
    expect(await post('/__admin/snapshots/a')).toMatchObject({ status: 201, body: { name: 'a', takenAt: now } });
    await post('/__admin/snapshots/b');
    await post('/__admin/clock', { advance: '1d' });
    await post('/__admin/snapshots/a');
    expect((await get('/__admin/snapshots')).body.snapshots).toEqual([
      { name: 'b', takenAt: now },
      { name: 'a', takenAt: '2026-03-02T12:00:00.000Z' },
    ]);
    expect((await call('DELETE', '/__admin/snapshots/b')).body).toEqual({ deleted: 'b' });
    expect((await call('DELETE', '/__admin/snapshots/b')).status).toBe(404);
  });

  it('puts state, queue and clock back as they were', async () => {
    const { get, post, patch } = await openEmptySim({ queueDelay: 1000 });
    const { id } = (await post('/api/v3/contacts', ella)).body;
    await post('/api/v3/contacts/bulk', [ella]);
    await post('/__admin/snapshots/before');
    await patch(`/api/v3/contacts/${id}`, { firstName: 'Elin' });
    await post('/__admin/clock', { advance: '1d' });
    const { status, body } = await post('/__admin/snapshots/before/restore');
    expect([status, body]).toEqual([200, { restored: 'before', now, frozen: true }]);
    expect((await get(`/api/v3/contacts/${id}`)).body.firstName).toBe('Ella');
    expect((await get('/__admin/queue')).body.queued).toBe(1);
  });

  it('holds the queue again when it was held, and only then', async () => {
    const { get, post } = await openEmptySim();
    await post('/__admin/snapshots/flowing');
    await post('/__admin/queue', { hold: true });
    await post('/api/v3/contacts/bulk', [ella]);
    await post('/__admin/snapshots/held');
    await post('/__admin/snapshots/flowing/restore');
    expect((await get('/__admin/queue')).body).toMatchObject({ held: false, queued: 0 });
    await post('/__admin/snapshots/held/restore');
    expect((await get('/__admin/queue')).body).toMatchObject({ held: true, queued: 1 });
    expect((await post('/__admin/queue', { release: true })).body.executed).toHaveLength(1);
  });

  it('keeps and restores the very state, not a copy', async () => {
    const { sim, post } = await openEmptySim();
    await post('/api/v3/contacts', ella);
    const { state } = sim.tenants.default;
    await post('/__admin/snapshots/before');
    await post('/__admin/reset', { scopes: ['state', 'queue', 'webhooks'] });
    expect(sim.tenants.default.state).not.toBe(state);
    await post('/__admin/snapshots/before/restore');
    expect(sim.tenants.default.state).toBe(state);
  });

  it('compares snapshots with each other, the seed and the present', async () => {
    const { get, post, patch } = await openEmptySim();
    const { id } = (await post('/api/v3/contacts', ella)).body;
    await post('/__admin/snapshots/a');
    await patch(`/api/v3/contacts/${id}`, { firstName: 'Elin' });
    const fields = { 'attributes.firstName': { from: 'Ella', to: 'Elin' } };
    expect((await get('/__admin/snapshots/diff?from=a')).body).toEqual({
      from: 'a',
      to: 'current',
      counts: { contacts: { created: 0, updated: 1, deleted: 0 } },
      effects: [{ table: 'contacts', key: id, change: 'updated', fields }],
      truncated: false,
    });
    expect((await get('/__admin/snapshots/diff?from=a&to=seed')).body.counts.contacts.deleted).toBe(1);
    expect((await get('/__admin/snapshots/diff?from=a&to=a')).body.counts).toEqual({});
  });

  it('counts all differences, and lists as many as were asked for', async () => {
    const { get, post } = await openEmptySim();
    for (const n of [1, 2, 3])
      await post('/api/v3/contacts', { ...ella, email: `e${n}@example.com`, mobilePhone: `+4670174060${n}` });
    const { counts, effects, truncated } = (await get('/__admin/snapshots/diff?limit=2')).body;
    expect([counts.contacts.created, effects.length, truncated]).toEqual([3, 2, true]);
  });

  it('says which snapshot was meant', async () => {
    const { get, post } = await openEmptySim();
    await post('/__admin/snapshots/before');
    const message = 'There is no snapshot "befor"; did you mean "before"? GET /__admin/snapshots lists them.';
    expect((await post('/__admin/snapshots/befor/restore')).body.message).toBe(message);
    expect((await get('/__admin/snapshots/diff?from=befor')).body.message).toBe(message);
  });

  it.each(['seed', 'current', 'diff', 'a%2Fb'])('refuses the name %s', async (name) => {
    const { post } = await openEmptySim();
    expect((await post(`/__admin/snapshots/${name}`)).status).toBe(400);
  });
});
