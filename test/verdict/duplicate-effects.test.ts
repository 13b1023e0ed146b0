/** R10 and R11: what took effect twice, told in the words of the shop, and whether somebody looked before. */
import { describe, expect, it } from 'vitest';
import { addPoints, advance, award, findingsOf, lookForPoints } from '../support/judged.ts';
import { messagesOf, pointsRow, sendReceipt, times } from '../support/judged.ts';
import type { Client } from '../support/client.ts';
import { astrid } from '../support/people.ts';
import { assign, block, definitions } from '../support/challenges.ts';
import { openChallengesSim, openFailingSim } from '../support/open-sim.ts';

const order = {
  contact: { matchKey: 'astrid@example.com', matchKeyType: 'email' },
  orderNumber: 'W-1',
  paymentStatus: 'Pending',
  createdDate: '2026-03-01T10:00:00+01:00',
  storeId: '900',
  currency: 'SEK',
  totalGrossPrice: 499,
  items: [{ sku: '10442-M', quantity: 1, articleName: 'Linen shirt', grossPaidPrice: 499 }],
};

/** Its members need no key. */
const fixtures = 'test/support/orders.json';

const circumstances = 'took effect twice (attempt 1 committed, its response was lost; attempt 2)';

describe('the verdict on double effects', () => {
  it('tells of points', async () => {
    const client = await openFailingSim({ addPointTransactions: ['lost'] });
    await times(2, () => addPoints(client));
    expect(await messagesOf(client)).toEqual([
      `R10: contact 100001 has 120 points too many: POST /point-accounts/transactions ${circumstances}`,
      'R11: POST /api/v3/point-accounts/transactions got no response and was repeated without a read-back',
    ]);
  });

  it('tells of points that were withdrawn, of some contacts, and of how many more', async () => {
    const client = await openFailingSim({ addPointTransactions: ['lost'] });
    const rows = Array.from({ length: 8 }, (_, i) => ({
      contactId: `${astrid.slice(0, -1)}${i + 1}`,
      definitionId: 1,
      amount: i === 0 ? -1 : 10,
      source: 'Adjustment',
      description: 'x',
    }));
    await times(2, () => client.post('/api/v3/point-accounts/transactions', rows));
    const messages = (await messagesOf(client)).map((message) => message.replace(/:[^:]+$/, ''));
    expect(messages.slice(0, 2)).toEqual([
      'R10: contact 100001 has 1 point too few',
      'R10: contact 100002 has 10 points too many',
    ]);
    expect(messages[5]).toBe('R10: 3 more are concerned likewise');
  });

  it('tells of receipts', async () => {
    const client = await openFailingSim({ createReceipt: ['lost'] }, undefined, { assumptions: { 'A-24': 'twice' } });
    await times(2, () => sendReceipt(client, 'till-1'));
    expect(await messagesOf(client)).toContain(`R10: receipt till-1 is one too many: POST /receipts ${circumstances}`);
  });

  it('tells of promotions, of which a contact may hold several', async () => {
    const client = await openFailingSim({ redeemPromotion: ['lost'] });
    const promotionId = '9b1d0c00-0001-4000-8000-000000000001';
    await client.post('/__admin/trigger', { event: 'assignPromotion', contactId: astrid, promotionId });
    await times(2, () => client.post(`/api/v3/promotions/codes/${promotionId}/redeem?contactId=${astrid}`));
    expect(await messagesOf(client)).toEqual([
      `R10: contact 100001 has promotion ${promotionId} redeemed once too often: ` +
        `POST /promotions/codes/${promotionId}/redeem ${circumstances}`,
    ]);
  });

  it('tells of checkpoints', async () => {
    const client = await openFailingSim({ awardCheckpoints: ['lost'] });
    await times(2, () => award(client));
    const [message] = await messagesOf(client);
    expect(message).toBe(
      `R10: contact 100001 has 1 checkpoint too many: POST /challenges/checkpoints ${circumstances}`,
    );
  });

  it('does not count among them what others awarded in between', async () => {
    const lost = { phase: 'after', respond: 'none', end: 'reset' } as const;
    const rules = [{ match: { headers: { 'x-sim-test-id': 'mine' } }, fault: lost, times: 2 }];
    const client = await openChallengesSim({ scenario: { rules } });
    const awarding = (test: string) =>
      client
        .call('POST', '/api/v3/challenges/checkpoints', {
          body: [block(definitions.visits)],
          headers: { 'x-sim-test-id': test },
        })
        .catch(() => undefined);
    await assign(client, definitions.visits);
    for (const test of ['mine', 'mine', 'other', 'mine']) await awarding(test);
    expect((await messagesOf(client)).join()).toMatch(/ has 2 checkpoints too many: .* took effect 3 times/);
  });

  it('tells of contacts that no key keeps from being there twice', async () => {
    const client = await openFailingSim({ createContact: [504, 'lost'] }, undefined, { fixtures });
    await times(3, () => client.post('/api/v3/contacts', { firstName: 'Ella', lastName: 'Ek' }));
    const [message] = await messagesOf(client);
    expect(message).toBe(
      'R10: there is a second contact Ella Ek: POST /contacts took effect twice ' +
        '(attempt 2 committed, its response was lost; attempt 3)',
    );
  });

  it('tells of orders, whose status moves on between attempts', async () => {
    const options = { fixtures, assumptions: { 'A-73': 'again' } };
    const client = await openFailingSim({ createOrder: ['lost'] }, undefined, options);
    const send = (orderStatus: string) => times(1, () => client.post('/orders', { ...order, orderStatus }));
    for (const status of ['OrderConfirmed', 'Packed', 'OrderConfirmed']) await send(status);
    expect(await messagesOf(client)).toContain(`R10: order W-1 has a message too many: POST /orders ${circumstances}`);
  });

  it('says that nobody can look for an order, and fails none who repeats it', async () => {
    const client = await openFailingSim({ createOrder: ['lost', 504] }, undefined, { fixtures });
    await times(3, () => client.post('/orders', { ...order, orderStatus: 'OrderConfirmed' }));
    expect(await messagesOf(client)).toEqual([
      'R11: POST /orders got no response and was repeated; no endpoint shows whether it had taken effect, ' +
        'so it is unknown whether the live service would do it twice',
    ]);
    expect(await findingsOf(client)).toEqual(['R11 note']);
  });

  it('waits for work that is still queued', async () => {
    const client = await openFailingSim({ addPointTransactions: ['lost'] }, undefined, { queueDelay: 60_000 });
    await times(2, () => addPoints(client));
    expect(await findingsOf(client)).toEqual(['R10 inconclusive', 'R11 fail']);
    await advance(client, '1m');
    expect(await findingsOf(client)).toEqual(['R10 fail', 'R11 fail']);
  });

  it.each([
    ['looks before', {}, lookForPoints, []],
    ['looks at something else', {}, ({ get }: Client) => get('/api/v3/stores'), ['R11 fail']],
    ['looks in vain', { listPointAccounts: [504] }, lookForPoints, ['R11 fail', 'R1 fail']],
  ])('finds of a caller that repeats what adds, and %s', async (_, faults, look, found) => {
    const client = await openFailingSim({ addPointTransactions: [504], ...faults });
    await times(1, () => addPoints(client));
    await look(client);
    await addPoints(client);
    expect(await findingsOf(client)).toEqual(found);
  });

  it('finds nothing where an Idempotency-Key keeps it from happening twice', async () => {
    const client = await openFailingSim({ addPointTransactions: ['lost'] });
    await times(2, () => addPoints(client, { 'idempotency-key': 'bonus-1' }));
    expect(await findingsOf(client)).toEqual([]);
  });

  it.each([
    ['with the time stamp that it had', {}, ['R10 inconclusive']],
    ['with a time stamp of its own', { timeStamp: '2026-03-01T11:05:00Z' }, []],
  ])('judges the same %s, after the caller has gone on with other work', async (_, changes, found) => {
    const client = await openFailingSim({ addPointTransactions: ['lost'] });
    await times(1, () => addPoints(client));
    await lookForPoints(client);
    await sendReceipt(client, 'till-1');
    await client.call('POST', '/api/v3/point-accounts/transactions', { body: [{ ...pointsRow, ...changes }] });
    expect(await findingsOf(client)).toEqual(found);
  });
});

it('the verdict leaves open whether what was found to be done is repeated, or meant again', async () => {
  const client = await openFailingSim({ addPointTransactions: ['lost'] });
  await times(1, () => addPoints(client));
  await lookForPoints(client);
  await addPoints(client);
  expect(await findingsOf(client)).toEqual(['R10 inconclusive']);
});
