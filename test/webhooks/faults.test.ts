import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { deriveSecret } from '../../src/webhooks/keys.ts';
import type { Client } from '../support/client.ts';
import { folderWith } from '../support/folders.ts';
import { adjust, advance, listed, openFollowerSim, statusesOf, tidyFollowers } from '../support/follower.ts';
import { decryptAsTold, openReceiver, webhookKey } from '../support/receiver.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import { readScenarioFile } from '../../src/scenario/load.ts';
import { astrid } from '../support/people.ts';

afterEach(tidyFollowers);

const newKey = 'abcdefghijklmnopqrstuvwxyz012345';

const plan = ({ post }: Client, rule: object) => post('/__admin/webhooks/faults', rule);

/** A service with rules, and a receiver that can tell a good call from others. */
async function openWith(...rules: object[]): Promise<{ client: Client; receiver: Receiver }> {
  const receiver = await openReceiver((_, call) => (isRight(call) ? 200 : 401));
  const client = await openFollowerSim(receiver);
  for (const rule of rules) expect((await plan(client, rule)).status).toBe(201);
  return { client, receiver };
}

function isRight({ body, headers, envelope }: Received): boolean {
  try {
    new Webhook(deriveSecret(webhookKey)).verify(body, headers);
    decryptAsTold(envelope.payload);
    return true;
  } catch {
    return false;
  }
}

const attemptsOf = async (client: Client, n = 0) =>
  (await listed(client)).items[n].attempts.map(({ status, fault, rule }: Record<string, unknown>) => [
    status,
    fault,
    rule,
  ]);

describe('a webhook that is meant to go wrong', () => {
  it('is dropped: not sent, and tried again', async () => {
    const { client, receiver } = await openWith({ id: 'lose', fault: 'drop', times: 1 });
    await adjust(client);
    await listed(client, '?wait=60s');
    expect(receiver.received).toEqual([]);
    await advance(client, '5s');
    expect(await attemptsOf(client)).toEqual([
      [null, 'drop', 'lose'],
      [200, null, null],
    ]);
  });

  it('is duplicated: sent twice under one id', async () => {
    const { client, receiver } = await openWith({ fault: 'duplicate', times: 1 });
    await adjust(client);
    await listed(client, '?wait=60s');
    expect(receiver.received.map(({ body }) => body)).toEqual([receiver.received[0]?.body, receiver.received[0]?.body]);
    expect(await attemptsOf(client)).toEqual([
      [200, null, 'webhook-fault-1'],
      [200, 'duplicate', 'webhook-fault-1'],
    ]);
  });

  it('is given up when all attempts are dropped', async () => {
    const { client, receiver } = await openWith({ fault: 'drop' });
    await adjust(client);
    await advance(client, '2d');
    expect([await statusesOf(client), (await attemptsOf(client)).length]).toEqual([['failed'], 8]);
    expect(receiver.received).toEqual([]);
  });

  it('is tried again after the usual pause when both of a pair fail', async () => {
    const client = await openFollowerSim(await openReceiver(() => 500));
    await plan(client, { fault: 'duplicate', times: 1 });
    await adjust(client);
    const [{ dueAt, attempts }] = (await listed(client, '?wait=60s')).items;
    expect([dueAt, attempts.length]).toEqual(['2026-03-01T12:00:05.000Z', 2]);
  });

  it('is delayed on the clock', async () => {
    const { client, receiver } = await openWith({ id: 'late', fault: { delay: '10m' }, times: 1 });
    await adjust(client);
    await advance(client, '599s');
    expect([await statusesOf(client), receiver.received]).toEqual([['pending'], []]);
    await advance(client, '1s');
    expect([await statusesOf(client), receiver.received.length]).toEqual([['delivered'], 1]);
    expect(await attemptsOf(client)).toEqual([[200, 'delay', 'late']]);
  });

  it('comes after the next one', async () => {
    const { client, receiver } = await openWith({ fault: 'reorder', nth: 1 });
    await adjust(client, { amount: 1 });
    await adjust(client, { amount: 2 });
    await listed(client, '?wait=60s&atLeast=2');
    const amounts = receiver.received.map(({ envelope }) => decryptAsTold(envelope.payload));
    expect(amounts).toMatchObject([{ amount: 2 }, { amount: 1 }]);
    expect(await attemptsOf(client)).toEqual([[200, 'reorder', 'webhook-fault-1']]);
    expect(await attemptsOf(client, 1)).toEqual([[200, null, null]]);
  });

  it('comes by itself after 5 s when no other follows', async () => {
    const { client } = await openWith({ fault: 'reorder', times: 1 });
    await adjust(client);
    await advance(client, '5s');
    expect(await statusesOf(client)).toEqual(['delivered']);
  });

  it.each(['tamper', 'wrong-key'])(
    'is turned down when it has the fault %s, and comes right the next time',
    async (fault) => {
      const { client, receiver } = await openWith({ id: 'bad', fault, times: 1 });
      await adjust(client);
      await listed(client, '?wait=60s');
      await advance(client, '5s');
      expect(await attemptsOf(client)).toEqual([
        [401, fault, 'bad'],
        [200, null, null],
      ]);
      const [bad, good] = receiver.received;
      expect([bad?.envelope.id, bad?.envelope.payload === good?.envelope.payload]).toEqual([good?.envelope.id, false]);
    },
  );

  it('is encrypted and signed with the key that was rotated to', async () => {
    const { client, receiver } = await openWith({ fault: { 'rotated-key': newKey }, skip: 1 });
    await adjust(client);
    await adjust(client);
    await listed(client, '?wait=60s&atLeast=2');
    const [, { body, headers, envelope } = { body: '', headers: {}, envelope: undefined }] = receiver.received;
    expect(decryptAsTold(envelope.payload, newKey)).toMatchObject({ contactId: astrid });
    expect(new Webhook(deriveSecret(newKey)).verify(body, headers)).toEqual(envelope);
    expect(receiver.received.map(isRight)).toEqual([true, false]);
  });
});

describe('a webhook rule', () => {
  it('means webhooks by kind and payload, and the first rule that may fire decides', async () => {
    const { client } = await openWith(
      { id: 'all', fault: 'drop', times: 1 },
      { id: 'large', match: { payload: { amount: { atLeast: 100 } } }, fault: 'duplicate' },
      { id: 'others', match: { eventType: 'contact.created' }, fault: 'drop' },
    );
    await adjust(client, { amount: 100 });
    await adjust(client, { amount: 99 });
    await listed(client, '?wait=60s&atLeast=2');
    const { rules } = (await client.get('/__admin/webhooks/faults')).body;
    const counts = rules.map(({ id, matched, fired, remaining }: Record<string, unknown>) => [
      id,
      matched,
      fired,
      remaining,
    ]);
    expect(counts).toEqual([
      ['others', 0, 0, null],
      ['large', 1, 1, null],
      ['all', 2, 1, 0],
    ]);
  });

  it('draws by the delivery, whatever comes in between', async () => {
    const first = await drawn();
    expect(new Set(first)).toEqual(new Set([null, 'drop']));
    expect(await drawn()).toEqual(first);
  });

  it('fails a master that accepts what cannot be right', async () => {
    const client = await openFollowerSim(await openReceiver());
    await plan(client, { fault: ['tamper', 'wrong-key'] });
    await adjust(client);
    await adjust(client);
    await listed(client, '?wait=60s&atLeast=2');
    const { verdict, findings } = (await client.get('/__admin/webhooks/report')).body;
    const accepted = findings.filter(({ kind }: { kind: string }) => kind === 'accepted-unreadable');
    expect([verdict, accepted.map(({ message }: { message: string }) => message.slice(0, 60))]).toEqual([
      'FAIL',
      [
        'Accepted although it was invalid (it was altered after it wa',
        'Accepted although it was invalid (it was encrypted with a ke',
      ],
    ]);
  });
});

/** What went wrong with the first attempt of each of twelve, when each has half a chance. */
async function drawn(): Promise<unknown[]> {
  const { client } = await openWith({ fault: 'drop', probability: 0.5 });
  for (let i = 0; i < 12; i++) await adjust(client);
  const { items } = await listed(client, '?wait=60s&atLeast=12');
  return items.map(({ attempts: [first] }: { attempts: readonly { fault: unknown }[] }) => first?.fault);
}

describe('rules about webhooks', () => {
  it.each([
    [{ fault: 'lose' }, 'fault'],
    [{}, 'fault'],
    [{ fault: { 'rotated-key': 'short' } }, 'fault.rotated-key'],
    [{ fault: 'drop', nth: 1, skip: 1 }, 'skip'],
    [{ fault: 'drop', match: { eventType: 'loyalty.addPoint' } }, 'match.eventType'],
    [{ fault: 'drop', time: 1 }, 'time'],
  ])('are refused as %j', async (rule, field) => {
    const { status, body } = await plan(await openFollowerSim(), rule);
    const fields = body.validationErrors.map((error: { field: string }) => error.field);
    expect([status, fields]).toEqual([400, [field]]);
  });

  it('are counted in the order in which webhooks are due, however long a pattern takes for one of them', async () => {
    const { client } = await openWith(
      { id: 'none', match: { payload: { description: { matches: '[a-e]{190}[x-z]' } } }, fault: 'drop' },
      { id: 'first', match: { payload: { description: { matches: 'abc' } } }, fault: 'drop', times: 1 },
      { id: 'late', match: { payload: { description: { matches: '^short' } } }, fault: { delay: '10m' }, times: 1 },
    );
    for (const description of ['abcde'.repeat(1800), 'short abc', 'another abc']) await adjust(client, { description });
    const countsOfRules = async () => {
      const { rules } = (await client.get('/__admin/webhooks/faults')).body;
      return rules.map(({ id, matched, fired }: Record<string, unknown>) => [id, matched, fired]);
    };
    await expect.poll(countsOfRules).toEqual([
      ['late', 1, 1],
      ['first', 3, 1],
      ['none', 0, 0],
    ]);
    expect(await attemptsOf(client)).toEqual([[null, 'drop', 'first']]);
  });

  it('let go of a webhook that a reset removes while a pattern is searched in it', async () => {
    const slow = Array.from({ length: 6 }, (_, n) => ({
      match: { payload: { description: { matches: `[a-e${n}]{190}[x-z]` } } },
      fault: 'drop',
    }));
    const { client } = await openWith(...slow, { id: 'late', fault: { delay: '10m' } });
    for (let n = 0; n < 3; n++) await adjust(client, { description: 'abcde'.repeat(1800) });
    await client.post('/__admin/reset', { scopes: ['state', 'queue', 'webhooks'] });
    await adjust(client, { description: 'short' });
    const countOfLate = async () => {
      const { rules } = (await client.get('/__admin/webhooks/faults')).body;
      return rules.find(({ id }: { id: string }) => id === 'late').matched;
    };
    await expect.poll(countOfLate).toBe(1);
    expect((await listed(client)).items.map(({ payload }: Record<string, object>) => payload)).toEqual([
      expect.objectContaining({ description: 'short' }),
    ]);
  });

  it('are taken away one by one, all at once, and by a reset', async () => {
    const { client } = await openWith({ id: 'one', fault: 'drop' }, { fault: 'drop' }, { fault: 'drop' });
    expect((await plan(client, { id: 'one', fault: 'drop' })).status).toBe(409);
    expect((await client.call('DELETE', '/__admin/webhooks/faults/one')).status).toBe(200);
    expect((await client.call('DELETE', '/__admin/webhooks/faults/one')).status).toBe(404);
    expect((await client.call('DELETE', '/__admin/webhooks/faults')).body).toEqual({ deleted: 2 });
    await plan(client, { fault: 'drop' });
    await client.post('/__admin/reset', { scopes: ['faults'] });
    expect((await client.get('/__admin/webhooks/faults')).body.rules).toEqual([]);
  });

  it('are part of scenarios, shown without keys, and leave the verdict open when they never fire', async () => {
    const scenario = {
      webhooks: [
        { fault: 'drop', times: 1 },
        { id: 'new', fault: { 'rotated-key': newKey }, nth: 9 },
      ],
    };
    const folder = folderWith({ 'webhooks.json': scenario });
    const { spec } = readScenarioFile(`${folder}/webhooks.json`);
    const client = await openFollowerSim(await openReceiver(), { scenario: spec });
    await adjust(client);
    await listed(client, '?wait=60s');
    const { body } = await client.get('/__admin/scenario');
    expect(body.webhooks.map(({ fired }: { fired: number }) => fired)).toEqual([1, 0]);
    expect(JSON.stringify(body)).not.toContain(newKey);
    await client.get('/api/v3/consents');
    const { rules } = (await client.get('/__admin/verdict')).body;
    expect(rules.map(({ id, verdict }: Record<string, string>) => [id, verdict])).toEqual([
      ['webhook-1', 'PASS'],
      ['new', 'INCONCLUSIVE'],
    ]);
  });
});
