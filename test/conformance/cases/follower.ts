/** Rules of point-follower mode that show at the webhook and at the point master. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { adjust, listed, openFollowerSim, tidyFollowers } from '../../support/follower.ts';
import { accountsOf } from '../../support/points.ts';
import { decryptAsTold, openReceiver } from '../../support/receiver.ts';
import type { Received, Receiver } from '../../support/receiver.ts';
import type { Client } from '../../support/client.ts';
import type { Case } from '../world.ts';
import { astrid } from '../../support/people.ts';

interface Follower {
  readonly client: Client;
  readonly receiver: Receiver;
}

/** A case with a service that follows, somebody at its webhook, and an end for both. */
const following =
  (check: (follower: Follower) => Promise<void>): Case =>
  async () => {
    const receiver = await openReceiver();
    try {
      await check({ receiver, client: await openFollowerSim(receiver) });
    } finally {
      await tidyFollowers();
    }
  };

/** What is sent for an adjustment. */
export async function sentFor({ client, receiver }: Follower, by: 'automation' | 'manual'): Promise<Received> {
  await adjust(client, { by });
  await receiver.atLeast(1);
  const [received] = receiver.received;
  if (!received) throw new Error('nothing was received');
  return received;
}

const sourceOf = (by: 'automation' | 'manual', source: string): Case =>
  following(async (follower) => {
    expect(decryptAsTold((await sentFor(follower, by)).envelope.payload)).toMatchObject({ source });
  });

const balanceIn = async (client: Client): Promise<number> =>
  (await accountsOf(client)).find(({ definitionId }: { definitionId: number }) => definitionId === 1)?.balance ?? 0;

/** An adjustment changes nothing until the master has sent a balance. */
const afterTheNextSync = following(async ({ client, receiver }) => {
  const before = await balanceIn(client);
  await sentFor({ client, receiver }, 'manual');
  expect(await balanceIn(client)).toBe(before);
  const items = [{ contactId: astrid, definitionId: 1, amount: before + 25 }];
  await client.post('/api/v3/point-accounts/balances', items);
  expect(await balanceIn(client)).toBe(before + 25);
});

const sentToTheWebhook = following(async (follower) => {
  const { envelope } = await sentFor(follower, 'manual');
  expect(envelope.eventType).toBe('loyalty.addPoints');
});

/** The card of a contact shows what the master tells, which is asked by the contact's id. */
const historyOnTheCard: Case = async () => {
  const items = [{ transactionDate: '2026-02-01T10:00:00Z', amount: 50, description: 'Purchase' }];
  const asked: (string | undefined)[] = [];
  const master = createServer((request, response) => {
    asked.push(request.url);
    response.end(JSON.stringify(items));
  });
  await new Promise<void>((resolve) => master.listen(0, '127.0.0.1', resolve));
  const pointMasterUrl = `http://127.0.0.1:${(master.address() as AddressInfo).port}`;
  const { get } = await openFollowerSim(undefined, { pointMasterUrl });
  const { body } = await get(`/__admin/contacts/${astrid}/card`);
  master.close();
  master.closeAllConnections();
  await tidyFollowers();
  expect([body.pointHistory, asked]).toEqual([{ items, note: null }, [`/fetchPointHistory?id=${astrid}`]]);
};

export const followerRules = {
  'pointHistory.host': historyOnTheCard,
  'pointHistory.contactCard': historyOnTheCard,
  'follower.webhookMode': async () => {
    const receiver = await openReceiver();
    const client = await openFollowerSim(receiver, { mode: 'standard' });
    await adjust(client);
    expect((await listed(client)).sent).toBe(0);
    await tidyFollowers();
  },
  'follower.notAppliedAtOnce': afterTheNextSync,
  'follower.sentToMaster': sentToTheWebhook,
  'follower.nextSync': afterTheNextSync,
  'follower.configureFirst': async () => {
    const client = await openFollowerSim();
    await adjust(client);
    expect(await listed(client)).toMatchObject({ sent: 0, missed: 1 });
    await tidyFollowers();
  },
  'follower.encryptedPayload': following(async (follower) => {
    const { envelope, body } = await sentFor(follower, 'manual');
    expect(body).not.toContain(astrid);
    expect(decryptAsTold(envelope.payload)).toMatchObject({ contactId: astrid });
  }),
  'follower.automationSource': sourceOf('automation', 'Automation'),
  'follower.manualSource': sourceOf('manual', 'Manual'),
  'follower.otherWebhooks': async () => {
    const receiver = await openReceiver();
    const client = await openFollowerSim(receiver, { webhookEvents: ['contact.updated'] });
    await client.patch(`/api/v3/contacts/${astrid}`, { street: 'Drottninggatan 1' });
    await receiver.atLeast(1);
    expect(receiver.received[0]?.envelope.eventType).toBe('contact.updated');
    await tidyFollowers();
  },
};
