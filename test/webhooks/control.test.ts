import { afterEach, describe, expect, it } from 'vitest';
import { clientOf } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { adjust, advance, listed, openFollowerSim, statusesOf, tidyFollowers } from '../support/follower.ts';
import { decryptAsTold, openReceiver, webhookKey } from '../support/receiver.ts';
import { newFile } from '../support/saved.ts';
import { astrid } from '../support/people.ts';

afterEach(tidyFollowers);

const firstOf = async (client: Client) => (await listed(client, '?wait=60s')).items[0];

describe('the list of webhooks', () => {
  it('shows what was sent, decrypted and as it was, and what became of it', async () => {
    const receiver = await openReceiver();
    const client = await openFollowerSim(receiver);
    await adjust(client, { description: 'Sorry' });
    const shown = await firstOf(client);
    const at = '2026-03-01T12:00:00.000Z';
    const [{ body, envelope } = { body: '', envelope: { id: '', payload: '' } }] = receiver.received;
    expect(shown).toEqual({
      id: envelope.id,
      number: 1,
      eventType: 'loyalty.addPoints',
      status: 'delivered',
      createdAt: at,
      dueAt: null,
      exchange: null,
      attempts: [{ at, ms: expect.any(Number), status: 200, error: null, fault: null, rule: null }],
      payload: decryptAsTold(envelope.payload),
      raw: body,
    });
    expect((await client.get(`/__admin/webhooks/${shown.id}`)).body).toEqual(shown);
  });

  it('waits until as many as were asked for have been tried', async () => {
    const client = await openFollowerSim(await openReceiver());
    const waiting = listed(client, '?wait=60s&eventType=loyalty.addPoints&atLeast=3');
    for (let i = 0; i < 3; i++) await adjust(client);
    expect(await waiting).toMatchObject({ complete: true, sent: 3 });
    expect(await listed(client, '?wait=20ms&atLeast=4')).toMatchObject({ complete: false, count: 3 });
    expect(await listed(client, '?wait=20ms&status=failed')).toMatchObject({ complete: false, count: 0 });
  });

  it('counts every delivery once, whatever becomes of it', async () => {
    const statuses = [200, 500, 200, 404, 204];
    const client = await openFollowerSim(await openReceiver((n) => statuses[n - 1] ?? 500));
    for (const _ of statuses) await adjust(client);
    await listed(client, '?wait=60s&atLeast=5');
    const { sent, delivered, failed, pending } = await listed(client, '?limit=1');
    expect([sent, delivered, failed, pending]).toEqual([5, 3, 0, 2]);
    await advance(client, '2d');
    expect(await listed(client, '?status=failed')).toMatchObject({ sent: 5, delivered: 3, failed: 2, count: 2 });
  });

  it.each(['?status=lost', '?eventType=loyalty.addPoint', '?wait=2h', '?atLest=1'])('refuses %s', async (query) => {
    const { get } = await openFollowerSim();
    expect((await get(`/__admin/webhooks${query}`)).body.errorCode).toBe('ValidationError');
  });
});

const again = ({ post }: Client, id: string) => post(`/__admin/webhooks/${id}/redeliver`);

describe('a redelivery', () => {
  it('sends the same once more, and tells what became of it', async () => {
    const receiver = await openReceiver();
    const client = await openFollowerSim(receiver);
    await adjust(client);
    const { id } = await firstOf(client);
    const { body } = await again(client, id);
    expect([body.status, body.attempts.length]).toEqual(['delivered', 2]);
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
    expect((await listed(client)).sent).toBe(1);
  });

  it('is tried again as often as the first time when it fails', async () => {
    const receiver = await openReceiver((n) => (n === 1 ? 200 : 500));
    const client = await openFollowerSim(receiver);
    await adjust(client);
    expect((await again(client, (await firstOf(client)).id)).body.status).toBe('pending');
    await advance(client, '2d');
    expect([await statusesOf(client), receiver.received.length]).toEqual([['failed'], 9]);
  });

  it('comes before a retry that is not due yet', async () => {
    const client = await openFollowerSim(await openReceiver((n) => (n === 1 ? 500 : 200)));
    await adjust(client);
    expect((await again(client, (await firstOf(client)).id)).body.status).toBe('delivered');
  });

  it('is refused of what is unknown, under way, or has nowhere to go', async () => {
    const receiver = await openReceiver(() => undefined);
    const client = await openFollowerSim(receiver);
    expect((await again(client, 'nothing')).status).toBe(404);
    await adjust(client);
    await receiver.atLeast(1);
    const [{ id }] = (await listed(client)).items;
    expect((await again(client, id)).body.message).toContain('is being sent right now');
    const unheard = await openFollowerSim();
    await adjust(unheard);
    expect((await again(unheard, (await listed(unheard)).items[0].id)).body.message).toContain('no webhook to send it');
  });
});

const make = ({ post }: Client, setup: object) => post('/__admin/tenants', { name: 'own', ...setup });

const fiveMore = { event: 'adjustPoints', contactId: astrid, definitionId: 1, amount: 5 };

describe('a tenant of its own', () => {
  const key = 'abcdefghijklmnopqrstuvwxyz012345';

  it('has its own webhook and key, and is named in the envelope', async () => {
    const [mine, theirs] = [await openReceiver(), await openReceiver()];
    const client = await openFollowerSim(theirs);
    const { body } = await make(client, { webhookUrl: mine.url, webhookKey: key });
    expect([body.webhookUrl, body.mode]).toEqual([mine.url, 'point-follower']);
    await client.post('/__admin/trigger?tenant=own', fiveMore);
    await mine.atLeast(1);
    const { envelope } = mine.received[0] ?? {};
    expect([envelope.tenant, decryptAsTold(envelope.payload, key)]).toEqual(['own', expect.any(Object)]);
    expect(theirs.received).toEqual([]);
  });

  it.each([
    [{ webhookUrl: 'nowhere' }, 'webhookUrl'],
    [{ webhookUrl: 'http://127.0.0.1:1' }, 'webhookKey'],
    [{ webhookKey: 'short', webhookUrl: 'http://127.0.0.1:1' }, 'webhookKey'],
    [{ webhookEvents: ['contact.made'], webhookUrl: 'http://127.0.0.1:1', webhookKey }, 'webhookEvents[0]'],
    [{ webhookKey }, 'webhookKey'],
  ])('is refused with %j', async (setup, field) => {
    const { status, body } = await make(await openFollowerSim(), setup);
    expect([status, body.validationErrors.map((error: { field: string }) => error.field)]).toEqual([400, [field]]);
    expect(JSON.stringify(body)).not.toContain('short"');
  });

  it('is removed with what is under way', async () => {
    const receiver = await openReceiver(() => undefined);
    const client = await openFollowerSim(receiver);
    await make(client, {});
    await client.post('/__admin/trigger?tenant=own', fiveMore);
    await receiver.atLeast(1);
    expect((await client.call('DELETE', '/__admin/tenants/own')).status).toBe(200);
  });
});

describe('the simulator', () => {
  it('holds up nobody who lets time pass when its tenant goes', async () => {
    const receiver = await openReceiver(() => undefined);
    const client = await openFollowerSim(receiver);
    await make(client, {});
    await client.post('/__admin/trigger?tenant=own', fiveMore);
    const passing = client.post('/__admin/clock?tenant=own', { advance: '1h' });
    await receiver.atLeast(1);
    await client.call('DELETE', '/__admin/tenants/own');
    expect((await passing).status).toBe(200);
  });

  it('says no key and no secret in any answer', async () => {
    const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const client = await openFollowerSim(await openReceiver(), { webhookSecret });
    await adjust(client);
    await firstOf(client);
    const paths = ['webhooks', 'tenants', 'tenants/default', 'requests', 'queue', 'version', 'snapshots/diff'];
    const answers = await Promise.all(paths.map(async (path) => (await client.get(`/__admin/${path}`)).body));
    expect(JSON.stringify(answers)).not.toMatch(new RegExp(`${webhookKey}|${webhookSecret.slice(6)}`));
  });
});

it('a simulator goes on with what was pending when it is started again', async () => {
  const receiver = await openReceiver((n) => (n === 1 ? 500 : 200));
  const data = newFile();
  const client = await openFollowerSim(receiver, { data });
  await adjust(client);
  const before = await firstOf(client);
  await client.sim.close();
  const next = await openFollowerSim(receiver, { data });
  expect(await firstOf(next)).toEqual(before);
  await advance(next, '5s');
  expect(await statusesOf(clientOf(next.sim))).toEqual(['delivered']);
});
