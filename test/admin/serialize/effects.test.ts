import { describe, expect, it } from 'vitest';
import { astrid } from '../../support/people.ts';
import { openSim } from '../../support/open-sim.ts';

interface Effect {
  readonly table: string;
  readonly fields: Readonly<Record<string, { readonly to?: unknown }>>;
}

const fieldsOf = (effects: readonly Effect[], table: string) =>
  effects.find((effect) => effect.table === table)?.fields;

describe('the effects of a request', () => {
  it('shows when a job was asked for and is due as timestamps', async () => {
    const { get, post } = await openSim({ queueDelay: 900_000 });
    await post('/api/v3/contacts/bulk', [{ firstName: 'Nils', email: 'nils.ny@example.com' }]);
    const [{ id }] = (await get('/__admin/requests')).body.items;
    const { effects } = (await get(`/__admin/requests/${id}`)).body;
    expect(fieldsOf(effects, 'jobs')).toMatchObject({
      createdAt: { to: '2026-03-01T12:00:00.000Z' },
      dueAt: { to: '2026-03-01T12:15:00.000Z' },
    });
  });

  it('shows from when points count as a timestamp', async () => {
    const { post } = await openSim();
    const event = { event: 'adjustPoints', contactId: astrid, definitionId: 2, amount: 25 };
    const { effects } = (await post('/__admin/trigger', event)).body;
    expect(fieldsOf(effects, 'pointLots')).toMatchObject({
      left: { to: 25 },
      activeFrom: { to: '2026-03-01T12:00:00.000Z' },
    });
  });

  it('shows when a webhook was tried as timestamps', async () => {
    const webhook = { webhookUrl: 'http://127.0.0.1:1', webhookKey: 'k'.repeat(32) };
    const { get, post } = await openSim({ ...webhook, webhookEvents: ['contact.created'] });
    await post('/api/v3/contacts', { email: 'new@example.com', contactType: 'Member' });
    await get('/__admin/webhooks?wait=60s');
    const { effects } = (await get('/__admin/snapshots/diff')).body;
    const attempt = expect.objectContaining({ at: '2026-03-01T12:00:00.000Z' });
    expect(fieldsOf(effects, 'webhookDeliveries')).toMatchObject({
      createdAt: { to: '2026-03-01T12:00:00.000Z' },
      attempts: { to: [attempt] },
    });
  });
});
