import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { deriveSecret } from '../../src/webhooks/keys.ts';
import { adjust, advance, listed, openFollowerSim, statusesOf, tidyFollowers } from '../support/follower.ts';
import { stopTimers } from '../support/own-time.ts';
import { decryptAsTold, openReceiver, webhookKey } from '../support/receiver.ts';
import { astrid, nobody } from '../support/people.ts';
import { openEmptySim } from '../support/open-sim.ts';

afterEach(tidyFollowers);

const guid = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);

describe('an adjustment in point-follower mode', () => {
  const shared = { contactId: astrid, amount: 25, pointDefinitionId: 1 };

  it('by hand is sent as the specification says', async () => {
    const receiver = await openReceiver();
    const user = { userId: '00000000-0000-4000-8000-0000000000aa', userName: 'Eva Berg' };
    await adjust(await openFollowerSim(receiver), { description: 'Sorry', by: 'manual', ...user });
    await receiver.atLeast(1);
    const { envelope, headers } = receiver.received[0] ?? {};
    const told = { eventType: 'loyalty.addPoints', id: guid, tenant: 'default', isEncrypted: true };
    expect(envelope).toEqual({ ...told, payload: expect.any(String) });
    expect(decryptAsTold(envelope.payload)).toEqual({ ...shared, description: 'Sorry', source: 'Manual', ...user });
    expect(headers?.['content-type']).toBe('application/json; charset=utf-8');
  });

  it('by an automation is sent as the specification says', async () => {
    const receiver = await openReceiver();
    const workflow = { reason: 'Birthday', workflowId: '00000000-0000-4000-8000-0000000000bb', workflowName: 'Gifts' };
    await adjust(await openFollowerSim(receiver), { by: 'automation', ...workflow });
    await receiver.atLeast(1);
    const told = { ...shared, description: '', source: 'Automation', processId: guid, ...workflow };
    expect(decryptAsTold(receiver.received[0]?.envelope.payload)).toEqual(told);
  });

  it('is not applied', async () => {
    const client = await openFollowerSim(await openReceiver());
    const balances = async () => (await client.get(`/api/v3/point-accounts?contactId=${astrid}`)).body;
    const before = await balances();
    expect((await adjust(client)).body.effects.map(({ table }: { table: string }) => table)).toEqual([
      'webhookDeliveries',
    ]);
    await listed(client, '?wait=60s');
    expect(await balances()).toEqual(before);
  });

  it.each([
    [{ contactId: nobody }, 404],
    [{ definitionId: 99 }, 404],
    [{ by: 'manual', workflowName: 'Gifts' }, 400],
    [{ by: 'automation', userName: 'Eva' }, 400],
  ])('is refused with %j, and not sent', async (fields, status) => {
    const client = await openFollowerSim(await openReceiver());
    expect((await adjust(client, fields)).status).toBe(status);
    expect((await listed(client)).count).toBe(0);
  });

  it('is missed without a webhook: kept, warned about and noted', async () => {
    const notes: string[] = [];
    const client = await openFollowerSim(undefined, { onWarning: (note) => notes.push(note) });
    const { warnings } = (await adjust(client)).body;
    expect(warnings).toEqual([{ code: 'webhook-missed', message: expect.stringContaining('is missed') }]);
    expect(notes).toEqual([expect.stringContaining('webhook-missed: no webhook is configured')]);
    const { items, ...totals } = await listed(client, '?wait=60s&status=missed');
    expect(totals).toEqual({ sent: 0, delivered: 0, failed: 0, pending: 0, missed: 1, count: 1, complete: true });
    expect(items).toMatchObject([{ status: 'missed', attempts: [], raw: null, payload: { amount: 25 } }]);
  });
});

describe('a signature', () => {
  it('is accepted by the verifiers that others use', async () => {
    const receiver = await openReceiver();
    await adjust(await openFollowerSim(receiver));
    await receiver.atLeast(1);
    const { body = '', headers = {}, envelope } = receiver.received[0] ?? {};
    expect(new StandardWebhook(deriveSecret(webhookKey)).verify(body, headers)).toEqual(envelope);
    expect(new SvixWebhook(deriveSecret(webhookKey)).verify(body, headers)).toEqual(envelope);
    expect([headers['webhook-id'], headers['svix-id']]).toEqual([envelope.id, envelope.id]);
  });

  it('is made with the secret that was given', async () => {
    const receiver = await openReceiver();
    const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    await adjust(await openFollowerSim(receiver, { webhookSecret }));
    await receiver.atLeast(1);
    const { body = '', headers = {}, envelope } = receiver.received[0] ?? {};
    expect(new SvixWebhook(webhookSecret).verify(body, headers)).toEqual(envelope);
    expect(() => new SvixWebhook(deriveSecret(webhookKey)).verify(body, headers)).toThrow();
  });

  it('is left out when A-49 says so', async () => {
    const receiver = await openReceiver();
    await adjust(await openFollowerSim(receiver, { assumptions: { 'A-49': 'unsigned' } }));
    await receiver.atLeast(1);
    const names = Object.keys(receiver.received[0]?.headers ?? {});
    expect(names.filter((name) => /^(svix|webhook)-/.test(name))).toEqual([]);
  });
});

describe('a delivery', () => {
  const pauses = ['5s', '5m', '30m', '2h', '5h', '10h', '10h'];

  it('that fails is tried again after each pause on the clock, and then given up', async () => {
    const receiver = await openReceiver(() => 503);
    const client = await openFollowerSim(receiver);
    await adjust(client);
    await listed(client, '?wait=60s');
    for (const [i, pause] of pauses.entries()) {
      expect(await statusesOf(client)).toEqual(['pending']);
      await advance(client, pause);
      expect(receiver.received).toHaveLength(i + 2);
    }
    expect(await statusesOf(client)).toEqual(['failed']);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  it('is tried at its own moments while a long time passes', async () => {
    const client = await openFollowerSim(await openReceiver((n) => (n < 4 ? 500 : 204)));
    await adjust(client);
    await listed(client, '?wait=60s');
    const { executed } = (await advance(client, '30d')).body;
    const [{ status, attempts, dueAt }] = (await listed(client)).items;
    expect([status, dueAt]).toEqual(['delivered', null]);
    const moments = ['12:00:00', '12:00:05', '12:05:05', '12:35:05'].map((time) => `2026-03-01T${time}.000Z`);
    expect(attempts.map(({ at }: { at: string }) => at)).toEqual(moments);
    const tried = executed.filter(({ kind }: { kind: string }) => kind === 'webhooks.attempt');
    expect(tried.map(({ at }: { at: string }) => at)).toEqual(moments.slice(1));
    expect(attempts.map((attempt: { status: number }) => attempt.status)).toEqual([500, 500, 500, 204]);
  });

  it('that is tried while the clock moves is part of what executed, and so is what it missed', async () => {
    const client = await openFollowerSim(await openReceiver((n) => (n < 3 ? 500 : 204)));
    const { exchange } = (await adjust(client)).body;
    const { items } = await listed(client, '?wait=60s');
    const { executed } = (await advance(client, '1h')).body;
    const shared = { job: items[0].id, kind: 'webhooks.attempt', exchange: exchange ?? null, warnings: [] };
    expect(executed).toMatchObject([
      { ...shared, at: '2026-03-01T12:00:05.000Z', error: 'responded with 500' },
      { ...shared, at: '2026-03-01T12:05:05.000Z', error: null },
    ]);
    const [{ table, fields }] = executed[1].effects;
    expect([table, fields.status]).toEqual(['webhookDeliveries', { from: 'pending', to: 'delivered' }]);
    expect((await advance(client, '1d')).body.executed).toEqual([]);
  });

  it('is not told of when a thousand others were tried too, and a person is told that', async () => {
    const client = await openFollowerSim(await openReceiver(() => 500));
    for (let i = 0; i < 143; i++) await adjust(client);
    const { executed, warnings } = (await advance(client, '3d')).body;
    const tried = executed.filter(({ kind }: { kind: string }) => kind === 'webhooks.attempt');
    expect(tried).toHaveLength(1000);
    expect(warnings).toEqual([
      { code: 'webhooks-not-listed', message: expect.stringContaining('first 1000 attempts') },
    ]);
  });

  it('is tried once when A-49 says so', async () => {
    const client = await openFollowerSim(await openReceiver(() => 500), { assumptions: { 'A-49': 'once' } });
    await adjust(client);
    expect((await listed(client, '?wait=60s')).items[0]).toMatchObject({ status: 'failed', dueAt: null });
  });

  it.each([
    ['a reset', (n: number) => n, 'the connection was reset'],
    ['a redirect', () => 302, 'responded with 302'],
    ['an error', () => 400, 'responded with 400'],
  ])('fails by %s', async (what, status, error) => {
    const receiver = await openReceiver((n, _, response) => {
      if (what !== 'a reset') return status(n);
      response.socket?.resetAndDestroy();
      return undefined;
    });
    const client = await openFollowerSim(receiver);
    await adjust(client);
    expect((await listed(client, '?wait=60s')).items[0].attempts).toMatchObject([{ error }]);
  });

  it('to nobody fails, and a person is told without what is secret in the address', async () => {
    const { url, close } = await openReceiver();
    await close();
    const notes: string[] = [];
    const to = { url: url.replace('//', '//me:secret@') + '?token=secret' };
    const client = await openFollowerSim(to, { onWarning: (note) => notes.push(note) });
    await adjust(client);
    expect((await listed(client, '?wait=60s')).items[0].attempts[0].error).toBe('nobody listens there');
    expect(notes).toEqual([expect.stringContaining(`to ${url}?(hidden) failed at attempt 1: nobody listens there`)]);
    expect(notes.join()).not.toContain('secret');
  });

  it('goes on in real time when the clock runs', async () => {
    const receiver = await openReceiver((n) => (n === 1 ? 500 : 200));
    const client = await openFollowerSim(receiver, { now: undefined });
    await adjust(client);
    await listed(client, '?wait=60s');
    await advance(client, '4s');
    await receiver.atLeast(2);
    expect((await listed(client, '?wait=60s&status=delivered')).complete).toBe(true);
  });
});

describe('a reset', () => {
  it.each([
    [['webhooks'], 0],
    [['state', 'journal', 'faults', 'clock', 'queue'], 1],
    [undefined, 0],
  ])('of %j leaves %i deliveries, and the receiver what it has', async (scopes, left) => {
    const receiver = await openReceiver(() => 500);
    const client = await openFollowerSim(receiver);
    await adjust(client);
    await listed(client, '?wait=60s');
    await client.post('/__admin/reset', scopes && { scopes });
    await advance(client, '5s');
    expect([(await listed(client)).count, receiver.received.length]).toEqual([left, left + 1]);
  });

  it('breaks off what is under way, and no id comes again', async () => {
    // No attempt ends by itself, as it does after 15 s.
    stopTimers();
    let brokenOff: Promise<unknown> | undefined;
    const receiver = await openReceiver((n, _, response) => {
      if (n > 1) return 200;
      brokenOff = once(response, 'close');
      return undefined;
    });
    const client = await openFollowerSim(receiver);
    await adjust(client);
    await receiver.atLeast(1);
    await client.post('/__admin/reset');
    await brokenOff;
    await adjust(client);
    expect((await listed(client, '?wait=60s')).items).toMatchObject([{ number: 1, status: 'delivered' }]);
    expect(new Set(receiver.received.map(({ envelope }) => envelope.id)).size).toBe(2);
  });
});

it('a webhook is sent again when a snapshot from before is restored', async () => {
  const receiver = await openReceiver((n) => (n === 1 ? 500 : 200));
  const client = await openFollowerSim(receiver);
  await adjust(client);
  await listed(client, '?wait=60s');
  await client.post('/__admin/snapshots/retrying');
  await advance(client, '1m');
  await client.post('/__admin/snapshots/retrying/restore');
  expect(await statusesOf(client)).toEqual(['pending']);
  await advance(client, '5s');
  expect([await statusesOf(client), receiver.received.length]).toEqual([['delivered'], 3]);
});

it('an attempt is broken off when a snapshot from before it is restored', async () => {
  // No attempt ends by itself, as it does after 15 s.
  stopTimers();
  const answers: ServerResponse[] = [];
  const receiver = await openReceiver((n, _, response) => {
    answers.push(response);
    return n > 2 ? 200 : undefined;
  });
  const client = await openFollowerSim(receiver);
  await adjust(client);
  await receiver.atLeast(1);
  await client.post('/__admin/snapshots/untried');
  answers[0]?.writeHead(500).end();
  await listed(client, '?wait=60s');
  const passing = advance(client, '5s');
  await receiver.atLeast(2);
  await client.post('/__admin/snapshots/untried/restore');
  await passing;
  expect((await listed(client)).items).toMatchObject([{ status: 'delivered', attempts: [{ status: 200 }] }]);
});

async function idOfNewRun(): Promise<string> {
  const client = await openFollowerSim();
  await adjust(client);
  return (await listed(client)).items[0].id;
}

it('a webhook has an id that no other run gives again', async () => {
  const [first, begun] = [await idOfNewRun(), Date.now()];
  await vi.waitUntil(() => Date.now() > begun);
  expect(await idOfNewRun()).not.toBe(first);
});

it('a simulator lists no webhook when nothing is configured', async () => {
  const client = await openEmptySim();
  expect(client.sim.tenants.default.webhookSender).toBeUndefined();
  expect(await listed(client)).toMatchObject({ sent: 0, missed: 0, count: 0 });
});
