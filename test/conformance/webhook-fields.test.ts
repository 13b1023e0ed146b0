import { afterEach, describe, expect, it } from 'vitest';
import { pointHistoryItem } from '../../src/webhooks/point-history.ts';
import { openFollowerSim, tidyFollowers } from '../support/follower.ts';
import { decryptAsTold, openReceiver } from '../support/receiver.ts';
import { sentFor } from './cases/follower.ts';
import { fieldTables } from './spec/fields.ts';

afterEach(tidyFollowers);

/** The names of a table's fields with the kind of JSON that each is. */
const fieldsOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    (fieldTables.find(({ table }) => table === name)?.fields ?? []).map((field) => [
      field.name,
      { integer: 'number', number: 'number' }[String(field.type)] ?? 'string',
    ]),
  );

const kindsOf = (sent: object): Record<string, string> =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, typeof value]));

describe('the simulator', () => {
  it('reads the fields of PointHistoryItem', () => {
    expect(Object.keys(pointHistoryItem.shape)).toEqual(Object.keys(fieldsOf('PointHistoryItem')));
  });

  it.each([
    ['automation', 'AutomationAdjustmentPayload'],
    ['manual', 'ManualAdjustmentPayload'],
  ] as const)('tells of an adjustment by %s with the fields of %s', async (by, table) => {
    const receiver = await openReceiver();
    const { envelope } = await sentFor({ receiver, client: await openFollowerSim(receiver) }, by);
    //
    expect(kindsOf(envelope)).toEqual({ ...fieldsOf('WebhookEnvelope'), isEncrypted: 'boolean' });
    expect(kindsOf(decryptAsTold(envelope.payload) as object)).toEqual(fieldsOf(table));
  });
});
