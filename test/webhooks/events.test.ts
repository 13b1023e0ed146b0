import { afterEach, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { listed, openFollowerSim, tidyFollowers } from '../support/follower.ts';
import { buy } from '../support/points.ts';
import { lineOf } from '../support/receipt-lines.ts';
import { openReceiver, webhookKey } from '../support/receiver.ts';
import { promotions } from '../conformance/world.ts';
import { clientOf } from '../support/client.ts';
import { startSim } from '../support/open-sim.ts';
import { optionalEventTypes } from '../../src/service/events/event-types.ts';
import { astrid } from '../support/people.ts';

afterEach(tidyFollowers);

const now = '2026-03-01T12:00:00.000Z';

const openStandard = async (webhookEvents: readonly string[] = optionalEventTypes): Promise<Client> =>
  openFollowerSim(await openReceiver(), { mode: 'standard', webhookEvents });

const told = async (client: Client): Promise<object[]> => {
  const { items } = await listed(client);
  return items.map(({ eventType, payload }: { eventType: string; payload: object }) => ({ [eventType]: payload }));
};

describe('a webhook of an event', () => {
  it('tells of a contact that is made, and of its consents', async () => {
    const client = await openStandard();
    const consents = [{ id: 'newsletter', value: true }];
    const { body } = await client.post('/api/v3/contacts', { email: 'new@example.com', consents });
    const stored = [{ ...consents[0], date: now, source: null, comment: null }];
    expect(await told(client)).toEqual([
      { 'contact.created': { contactId: body.id, contactType: 'Member', createdOn: now } },
      { 'contact.consent.changed': { contactId: body.id, consents: stored } },
    ]);
  });

  it('tells of a contact that is changed, once, and not of consents that stay', async () => {
    const client = await openStandard();
    await client.patch(`/api/v3/contacts/${astrid}`, { street: 'Drottninggatan 1' });
    const payload = { contactId: astrid, contactType: 'Member', modifiedOn: now };
    expect(await told(client)).toEqual([{ 'contact.updated': payload }]);
  });

  it('tells of points that come of a purchase, and of the voucher that they become', async () => {
    const client = await openStandard(['point.balance.updated', 'reward.voucher.created']);
    await buy(client, 'r-1', [lineOf({ grossPaidPrice: 20_000 })], { totalGrossPrice: 20_000, createdDate: now });
    await client.post('/__admin/clock', { advance: '40d' });
    const kinds = (await told(client)).flatMap(Object.keys);
    expect(kinds).toContain('point.balance.updated');
    expect(kinds).toContain('reward.voucher.created');
  });

  it('tells nothing of a call that is refused, nor of what was not asked for', async () => {
    const client = await openStandard(['contact.created']);
    await client.post('/api/v3/contacts', { email: 'astrid.lindqvist@example.com' });
    await client.patch(`/api/v3/contacts/${astrid}`, { street: 'Drottninggatan 1' });
    expect(await told(client)).toEqual([]);
  });

  it('names the request that an event came of', async () => {
    const client = await openStandard();
    const { headers } = await client.patch(`/api/v3/contacts/${astrid}`, { street: 'Drottninggatan 1' });
    const [{ exchange }] = (await listed(client)).items;
    expect(exchange).toBe(headers.get('x-request-id'));
    const { assumptions } = (await client.get(`/__admin/requests/${exchange}`)).body;
    expect(assumptions.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(['A-48', 'A-49', 'A-50']));
  });

  it('tells of each preference that changes', async () => {
    const client = await openStandard(['contact.acceptsEmail.changed', 'contact.acceptsSms.changed']);
    const change = (preferences: object) => client.patch(`/api/v3/contacts/${astrid}`, { preferences });
    await change({ acceptsEmail: false, acceptsSms: true });
    await change({ acceptsEmail: true, acceptsSms: true });
    expect(await told(client)).toEqual([
      { 'contact.acceptsEmail.changed': { contactId: astrid, acceptsEmail: false } },
      { 'contact.acceptsSms.changed': { contactId: astrid, acceptsSms: true } },
      { 'contact.acceptsEmail.changed': { contactId: astrid, acceptsEmail: true } },
    ]);
  });

  it('tells of a promotion that is assigned', async () => {
    const client = clientOf(
      await startSim({
        fixtures: 'test/conformance/retailer.json',
        webhookUrl: (await openReceiver()).url,
        webhookKey,
        webhookEvents: ['promotion.multichannel.assigned'],
      }),
    );
    const promotionId = promotions.spring;
    await client.post('/__admin/trigger', { event: 'assignPromotion', contactId: astrid, promotionId });
    expect(await told(client)).toEqual([
      {
        'promotion.multichannel.assigned': {
          contactId: astrid,
          promotionId,
          id: expect.any(String),
          assignedOn: now,
          expiresOn: null,
        },
      },
    ]);
    await client.sim.close();
  });
});
