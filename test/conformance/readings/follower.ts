/** Readings of what a webhook looks like and how it is delivered. */
import { expect } from 'vitest';
import type { SimOptions } from '../../../src/simulator/options.ts';
import { decryptEnvelopePayload } from '../../../src/webhooks/envelope.ts';
import { adjust, advance, listed, openFollowerSim, tidyFollowers } from '../../support/follower.ts';
import { decryptAsTold, openReceiver, webhookKey } from '../../support/receiver.ts';
import type { Received } from '../../support/receiver.ts';
import { buy } from '../../support/points.ts';
import { lineOf } from '../../support/receipt-lines.ts';
import type { Case } from '../world.ts';
import { astrid } from '../../support/people.ts';

/** A case about what is received under a reading. */
const received =
  (assumptions: SimOptions['assumptions'], check: (call: Received) => void): Case =>
  async () => {
    const receiver = await openReceiver();
    await adjust(await openFollowerSim(receiver, { assumptions }));
    await receiver.atLeast(1);
    await tidyFollowers();
    for (const call of receiver.received) check(call);
  };

/** A case about how often a receiver that always fails is tried within a day. */
const tried =
  (assumptions: SimOptions['assumptions'], times: number): Case =>
  async () => {
    const receiver = await openReceiver(() => 500);
    const client = await openFollowerSim(receiver, { assumptions });
    await adjust(client);
    await listed(client, '?wait=60s');
    await advance(client, '2d');
    await tidyFollowers();
    expect(receiver.received).toHaveLength(times);
  };

/** A case about what is told of points that become a voucher. */
const told =
  (variant: string, fields: readonly string[]): Case =>
  async () => {
    const webhookEvents = ['point.balance.updated', 'reward.voucher.created'];
    const options = { mode: 'standard', webhookEvents, assumptions: { 'A-76': variant } } as const;
    const client = await openFollowerSim(await openReceiver(), options);
    await buy(client, 'r-1', [lineOf({ grossPaidPrice: 20_000 })], { totalGrossPrice: 20_000 });
    await advance(client, '40d');
    const { items } = await listed(client);
    const fieldsOf = (kind: string): string[] =>
      Object.keys(items.find(({ eventType }: { eventType: string }) => eventType === kind)?.payload ?? {});
    await tidyFollowers();
    expect(fieldsOf('reward.voucher.created')).toEqual(fields);
    expect(fieldsOf('point.balance.updated')).toEqual([
      'contactId',
      'accountId',
      'definitionId',
      'balance',
      'balanceExpires',
      'timeStamp',
    ]);
  };

const signatureOf = ({ headers }: Received): string | undefined => headers['webhook-signature'];

export const followerReadings = {
  'A-48': {
    default: received({}, ({ envelope }) => {
      expect(decryptAsTold(envelope.payload)).toMatchObject({ contactId: astrid });
    }),
    'aes-256-gcm': received({ 'A-48': 'aes-256-gcm' }, ({ envelope }) => {
      const text = decryptEnvelopePayload(envelope.payload, { key: webhookKey, profile: 'aes-256-gcm' });
      expect(JSON.parse(text)).toMatchObject({ contactId: astrid });
    }),
    plain: received({ 'A-48': 'plain' }, ({ envelope }) => {
      expect(envelope.isEncrypted).toBe(false);
      expect(envelope.payload).toMatchObject({ contactId: astrid });
    }),
  },
  'A-76': {
    default: told('default', ['Amount', 'ContactId', 'Currency', 'Id', 'UniqueCode', 'ValidFrom', 'ValidTo']),
    camelCase: told('camelCase', ['amount', 'contactId', 'currency', 'id', 'uniqueCode', 'validFrom', 'validTo']),
  },
  'A-49': {
    default: tried({}, 8),
    once: tried({ 'A-49': 'once' }, 1),
    unsigned: received({ 'A-49': 'unsigned' }, (call) => expect(signatureOf(call)).toBeUndefined()),
  },
  'A-50': {
    default: received({}, ({ envelope }) => expect(envelope.isEncrypted).toBe(true)),
  },
};
