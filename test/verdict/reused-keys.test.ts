/** A key of work that was done, under other work: that is lost, and no needless repeat. */
import { describe, expect, it } from 'vitest';
import { findingsOf, messagesOf, pointsRow, sendReceipt } from '../support/judged.ts';
import { openFailingSim, openSim } from '../support/open-sim.ts';
import { bo } from '../support/people.ts';

const sale = { totalGrossPrice: 100, paymentMethods: [{ type: 'CARD', value: 100 }] };
const otherSale = {
  totalGrossPrice: 777,
  paymentMethods: [{ type: 'CARD', value: 777 }],
  contact: { matchKey: bo, matchKeyType: 'contactId' },
};
const bulk = '/api/v3/point-accounts/transactions';

describe('the verdict on reused keys', () => {
  it('fails a key that comes again with another sale, which is lost', async () => {
    const client = await openSim();
    for (const fields of [sale, otherSale]) await sendReceipt(client, 'a1', fields);
    expect(await messagesOf(client)).toEqual([
      'R4: POST /api/v3/receipts was sent with another contact.matchKey, totalGrossPrice, paymentMethods[0].value under the key a1, which got status 202 before: the service has kept the first, and not this',
    ]);
    const { operations } = (await client.get('/__admin/verdict?clientEnded=true')).body;
    expect(operations[0].findings[0].advice).toContain('Make a new key for each sale');
  });

  it('tells how often that came', async () => {
    const client = await openSim();
    for (const total of [100, 200, 300, 100]) await sendReceipt(client, 'a1', { totalGrossPrice: total });
    expect(await messagesOf(client)).toEqual([expect.stringMatching(/not this; so were 1 more$/)]);
  });

  it('fails other points under a transactionId that was taken', async () => {
    const client = await openSim();
    const points = { accountId: '1', transactionId: 'crm-1', transactionType: 'Addition', source: 'Automation' };
    for (const amount of [5, 50])
      await client.post('/api/v3/point-transactions', { ...points, amount, description: 'x' });
    expect(await findingsOf(client)).toEqual(['R4 fail']);
  });

  it('fails it within one test id as well, which covers several keys', async () => {
    const client = await openSim();
    const headers = { 'x-sim-test-id': 'T1' };
    for (const [key, fields] of [
      ['a1', sale],
      ['a2', otherSale],
      ['a1', otherSale],
    ] as const) {
      await sendReceipt(client, key, fields, headers);
    }
    expect(await findingsOf(client)).toEqual(['R4 fail']);
  });

  it('still fails the same receipt after success as a needless repeat', async () => {
    const client = await openSim();
    for (const fields of [sale, sale]) await sendReceipt(client, 'a1', fields);
    expect(await findingsOf(client)).toEqual(['R2 fail']);
  });

  it('still fails a total that changes after 504', async () => {
    const client = await openFailingSim({ createReceipt: [504] });
    for (const fields of [sale, { ...sale, totalGrossPrice: 99 }]) await sendReceipt(client, 'a1', fields);
    expect(await findingsOf(client)).toEqual(['R4 fail']);
  });

  it('lets fields differ that the policy names', async () => {
    const client = await openFailingSim({}, { ignoreFields: ['totalGrossPrice'] });
    for (const totalGrossPrice of [100, 101]) await sendReceipt(client, 'a1', { totalGrossPrice });
    expect(await findingsOf(client)).toEqual(['R2 fail']);
  });
});

it.each([
  ['other rows', { contactId: bo, amount: 55 }, ['R4 fail']],
  ['the same rows', {}, ['R2 fail']],
  ['the same rows at another time', { timeStamp: '2026-03-01T11:30:00Z' }, ['R2 fail']],
])('an Idempotency-Key that comes again after success with %s', async (_, fields, found) => {
  const client = await openSim();
  const headers = { 'idempotency-key': 'k' };
  await client.call('POST', bulk, { body: [pointsRow], headers });
  await client.call('POST', bulk, { body: [{ ...pointsRow, ...fields }], headers });
  expect(await findingsOf(client)).toEqual(found);
});
