/** Work that is done again in another form after a lost response: recognized as the repeat by whom it is for and what it adds. */
import { describe, expect, it } from 'vitest';
import { advance, findingsOf, lookForPoints, messagesOf, sendReceipt, times } from '../support/judged.ts';
import type { Client } from '../support/client.ts';
import { astrid, bo } from '../support/people.ts';
import type { ScenarioInput } from '../../src/scenario/scenario-schema.ts';
import { openFailingSim, openSimWithRules } from '../support/open-sim.ts';

const fiveVisits = '9b1d0c00-cccc-4000-8000-000000000001';

const row = (contactId: string, description: string, amount = 120): object => ({
  contactId,
  definitionId: 1,
  amount,
  timeStamp: '2026-03-01T11:00:00Z',
  source: 'Adjustment',
  description,
});

const addPoints = ({ post }: Client, ...rows: readonly object[]): Promise<void> =>
  times(1, () => post('/api/v3/point-accounts/transactions', rows));

const keyed = (key: string) => ({ 'idempotency-key': key });
const addKeyed = ({ call }: Client, rows: readonly object[], headers: Readonly<Record<string, string>>) =>
  times(1, () => call('POST', '/api/v3/point-accounts/transactions', { body: rows, headers }));

const checkpoints = ({ post }: Client, ...people: readonly string[]) =>
  times(1, () =>
    post(
      '/api/v3/challenges/checkpoints',
      people.map((contactId) => ({ contactId, definitionId: fiveVisits, checkpointAmount: 1 })),
    ),
  );

const anotherTime = { createdDate: '2026-03-01T12:00:57Z' };
const slow = { minBackoff: ['15s', '30s'] };

const order = (orderNumber: string, createdDate: string) => ({
  contact: { matchKey: astrid, matchKeyType: 'contactId' },
  orderNumber,
  orderStatus: 'OrderConfirmed',
  paymentStatus: 'Pending',
  createdDate,
  storeId: '900',
  currency: 'SEK',
  totalGrossPrice: 499,
  items: [{ sku: '10442-M', quantity: 1, articleName: 'Linen shirt', grossPaidPrice: 499 }],
});

/** Adds points in two chunks, of which the second fails, and does something before it adds both again. */
async function importAgain(client: Client, between: () => Promise<unknown>, changed: object = {}): Promise<string[]> {
  await addPoints(client, { ...row(astrid, 'row 1'), ...changed });
  await addPoints(client, { ...row(bo, 'row 2'), ...changed });
  await between();
  await addPoints(client, { ...row(astrid, 'row 1'), ...changed });
  await addPoints(client, { ...row(bo, 'row 2'), ...changed });
  return (await findingsOf(client)).filter((one) => one.startsWith('R10'));
}

const redeemCoupon = ({ post }: Client, number: number): Promise<void> =>
  times(1, () =>
    post(`/api/v3/promotions/codes/9b1d0c00-aaaa-4000-8000-00000000000${number}/redeem`, { redemptionChannel: 'POS' }),
  );

const usedPromotions = [1, 2].map((number) => ({ couponId: `9b1d0c00-aaaa-4000-8000-00000000000${number}` }));

const welcome = '9b1d0c00-0001-4000-8000-000000000001';
const byCoupon = '/api/v3/promotions/codes/9b1d0c00-aaaa-4000-8000-000000000001/redeem';
const byPromotion = `/api/v3/promotions/codes/${welcome}/redeem?contactId=${astrid}`;
const byCapitals = `/api/v3/promotions/codes/${welcome.toUpperCase()}/redeem?contactId=${astrid.toUpperCase()}`;
const ofBo = `/api/v3/promotions/codes/${welcome}/redeem?contactId=${bo}`;
const ofOther = `/api/v3/promotions/codes/9b1d0c00-0001-4000-8000-000000000002/redeem?contactId=${astrid}`;

describe('the verdict on repeated work', () => {
  it('tells what a bulk in parts has doubled, and advises no repeat', async () => {
    const client = await openFailingSim({ addPointTransactions: ['lost'] });
    await addPoints(client, row(astrid, 'welcome'), row(bo, 'welcome'));
    for (const id of [astrid, bo]) await addPoints(client, row(id, 'welcome'));
    const line = 'POST /api/v3/point-accounts/transactions';
    expect(await messagesOf(client)).toEqual([
      `R10: contact 100001 has 120 points too many: ${line} took effect (default-1 got no response), and again as ${line} (default-2)`,
      `R10: contact 100002 has 120 points too many: ${line} took effect (default-1 got no response), and again as ${line} (default-3)`,
      `R11: ${line} got no response and was repeated as ${line} (default-2), ${line} (default-3) without a read-back`,
    ]);
  });

  it.each([
    ['only a part of it', [row(astrid, 'welcome')], ['R1 fail', 'R10 fail', 'R11 fail']],
    ['with another amount', [row(astrid, 'welcome', 60), row(bo, 'welcome', 60)], ['R1 fail']],
    ['for another reason', [row(astrid, 'birthday'), row(bo, 'birthday')], ['R1 fail']],
    ['more than it', [row(astrid, 'welcome'), row(bo, 'welcome'), row(astrid, 'welcome')], ['R1 fail']],
    [
      'with a numbered text',
      [row(bo, 'welcome #2'), row(astrid, 'welcome (retry 1)')],
      ['R4 fail', 'R10 fail', 'R10 fail', 'R11 fail'],
    ],
  ])('finds of a bulk whose response is lost, and a client that sends %s', async (_, rows, found) => {
    const client = await openFailingSim({ addPointTransactions: ['lost'] });
    await addPoints(client, row(astrid, 'welcome'), row(bo, 'welcome'));
    await addPoints(client, ...rows);
    expect(await findingsOf(client)).toEqual(found);
  });

  it.each<[string, Readonly<Record<string, string>>[], object, string[]]>([
    ['without it', [{}], {}, ['R10 fail', 'R10 fail', 'R5 fail']],
    ['row by row under other keys', [keyed('a-0'), keyed('a-1')], {}, ['R10 fail', 'R10 fail', 'R4 fail']],
    ['row by row without it', [{}, {}], {}, ['R10 fail', 'R10 fail', 'R4 fail']],
    ['with other work under other keys', [keyed('b')], { timeStamp: '2026-03-01T11:00:05Z' }, []],
  ])('finds of a bulk with a key that is given up, and sent again %s', async (_, headers, fields, found) => {
    const client = await openFailingSim({ addPointTransactions: ['lost', 504, 504, 504] });
    const rows = [row(astrid, 'welcome'), row(bo, 'welcome')].map((one) => ({ ...one, ...fields }));
    for (let i = 0; i < 4; i++) await addKeyed(client, [row(astrid, 'welcome'), row(bo, 'welcome')], keyed('a'));
    for (const [i, header] of headers.entries())
      await addKeyed(client, headers.length === 1 ? rows : rows.slice(i, i + 1), header);
    const later = (await findingsOf(client)).filter((one) => !one.startsWith('R1 ') && !one.startsWith('R9 '));
    expect(later.toSorted()).toEqual(found);
  });

  it.each<[string, string, string[]]>([
    ['of the other customer', astrid, ['R10 inconclusive']],
    ['of the same customer', bo, []],
  ])('finds of a batch of checkpoints whose half is sent again after a look at those %s', async (_, seen, found) => {
    const client = await openFailingSim({ awardCheckpoints: ['lost'] });
    await checkpoints(client, astrid, bo);
    await client.get(`/api/v3/challenges?contactId=${seen}&definitionId=${fiveVisits}`);
    await checkpoints(client, bo);
    expect(await findingsOf(client)).toEqual(found);
  });

  it('takes the same for a new operation when the client has seen that it was done', async () => {
    const client = await openFailingSim({ addPointTransactions: ['lost'] });
    await addPoints(client, row(astrid, 'welcome'));
    await lookForPoints(client);
    await addPoints(client, row(astrid, 'welcome (2)'));
    expect(await findingsOf(client)).toEqual([]);
  });

  it('finds a contact that is created in bulk after its creation got no response', async () => {
    const client = await openFailingSim({ createContact: ['lost'] });
    const sent = { email: 'nils.ny@example.com', firstName: 'Nils', lastName: 'Ny' };
    await times(1, () => client.post('/api/v3/contacts', sent));
    await client.post('/api/v3/contacts/bulk', [sent]);
    expect(await findingsOf(client)).toEqual(['R11 note']);
  });

  it.each([
    ['to the same customer', { totalGrossPrice: 249 }, ['R5 fail', 'R10 fail', 'R10 fail']],
    ['to the same customer for another price', { totalGrossPrice: 99 }, ['R1 fail']],
    ['to nobody', { contact: undefined }, ['R1 fail']],
  ])(
    'finds of a lost receipt and one under another key %s, with other requests in between',
    async (_, fields, found) => {
      const client = await openFailingSim({ createReceipt: ['lost'] });
      await times(1, () => sendReceipt(client, 'till-1'));
      await client.get('/api/v3/stores');
      await sendReceipt(client, 'till-2', fields);
      expect(await findingsOf(client)).toEqual(found);
    },
  );

  it('takes the next receipt of nobody for a sale of its own when other requests came in between', async () => {
    const client = await openFailingSim({ createReceipt: ['lost'] });
    await times(1, () => sendReceipt(client, 'till-1', { contact: undefined }));
    await client.get('/api/v3/stores');
    await sendReceipt(client, 'till-2', { contact: undefined });
    expect(await findingsOf(client)).toEqual(['R1 fail']);
  });

  it.each<[string, object, string[]]>([
    ['the first chunk, unchanged', {}, ['R10 fail', 'R11 fail']],
    ['the first chunk, at another time', { timeStamp: '2026-03-01T11:00:05Z' }, ['R10 inconclusive', 'R11 fail']],
    ['the first chunk, without a time', { timeStamp: undefined }, ['R10 inconclusive', 'R11 fail']],
    ['other points of the same customer', { amount: 60 }, ['R11 fail']],
  ])('finds of an import that begins again after its second chunk failed, and sends %s', async (_, changed, found) => {
    const rules = [{ match: { endpoint: 'addPointTransactions', nth: 2 }, fault: { status: 504 } }];
    const client = await openSimWithRules(rules);
    await addPoints(client, row(astrid, 'row 1'));
    await addPoints(client, row(bo, 'row 2'));
    await addPoints(client, { ...row(astrid, 'row 1'), ...changed });
    await addPoints(client, row(bo, 'row 2'));
    expect((await findingsOf(client)).toSorted()).toEqual(found);
  });

  it('leaves equal points alone when what failed in between was never part of a series', async () => {
    const client = await openFailingSim({ createReceipt: [504] });
    await addPoints(client, row(astrid, 'welcome'));
    await sendReceipt(client, 'till-1', { contact: { matchKey: bo, matchKeyType: 'contactId' } });
    await addPoints(client, row(astrid, 'welcome'));
    await sendReceipt(client, 'till-1', { contact: { matchKey: bo, matchKeyType: 'contactId' } });
    expect(await findingsOf(client)).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ['at the same time', {}, ['R10 inconclusive', 'R10 inconclusive']],
    ['at another time', { createdDate: '2026-03-01T11:00:05Z' }, []],
    ['for another price', { totalGrossPrice: 99 }, []],
  ])('finds of a lost receipt that a read has shown, and another under a new key %s', async (_, fields, found) => {
    const client = await openFailingSim({ createReceipt: ['lost'] });
    await times(1, () => sendReceipt(client, 'till-1'));
    await client.get(`/api/v3/transactions?contactId=${astrid}`);
    await sendReceipt(client, 'till-2', fields);
    expect(await findingsOf(client)).toEqual(found);
  });

  it.each<[string, object, string[]]>([
    ['at once', { createdDate: '2026-03-01T11:00:05Z' }, ['R10 fail', 'R10 fail', 'R4 fail', 'R5 fail']],
    ['for another price', { totalGrossPrice: 99 }, []],
  ])('finds of a lost receipt, one under a new key %s, and a look at both after that', async (_, fields, found) => {
    const client = await openFailingSim({ createReceipt: ['lost'] });
    await times(1, () => sendReceipt(client, 'till-1'));
    await sendReceipt(client, 'till-2', fields);
    await client.get(`/api/v3/contacts/${astrid}/purchasehistorysummary`);
    expect((await findingsOf(client)).toSorted()).toEqual(found);
  });

  it('finds a till that draws a key for each attempt, and stores the first for later', async () => {
    const client = await openFailingSim({ createReceipt: [504, 'lost', 504, 504] });
    for (const [i, key] of ['till-1', 'till-2', 'till-1', 'till-3', 'till-1'].entries()) {
      await times(1, () => sendReceipt(client, key));
      await advance(client, i % 2 === 0 ? '2s' : '1m');
    }
    expect(await findingsOf(client)).toEqual(['R5 fail', 'R10 fail', 'R10 fail']);
  });

  it.each<[string, object]>([
    ['at another time', { createdDate: '2026-03-01T11:00:05Z' }],
    ['for another price', { totalGrossPrice: 99 }],
  ])('takes a receipt %s for another sale, which was never repeated', async (_, fields) => {
    const client = await openFailingSim({ createReceipt: [504, 504] });
    await sendReceipt(client, 'till-1');
    await sendReceipt(client, 'till-2', fields);
    await sendReceipt(client, 'till-1');
    expect(await findingsOf(client)).toEqual(['R1 fail']);
  });

  it.each<[string, object, string[]]>([
    ['the same sale', {}, ['R5 fail']],
    ['a sale at another time', { createdDate: '2026-03-01T11:00:05Z' }, ['R9 fail']],
  ])('finds of a receipt that failed twice, and %s under a new key', async (_, fields, found) => {
    const client = await openFailingSim({ createReceipt: [504, 504] });
    for (const key of ['till-1', 'till-1', 'till-2']) await sendReceipt(client, key, key === 'till-2' ? fields : {});
    expect(await findingsOf(client)).toEqual(found);
  });

  it.each([
    ['fail', ['R5 fail']],
    ['note', ['R9 note']],
  ] as const)(
    'finds of a key that got 503 between two attempts under another, where giving up is to %s',
    async (giveUp, found) => {
      const client = await openFailingSim({ createReceipt: [503, 503] }, { giveUp });
      for (const key of ['till-1', 'till-2', 'till-1']) await sendReceipt(client, key);
      expect(await findingsOf(client)).toEqual(found);
    },
  );

  it.each<[string, string, object, ScenarioInput['policy'], string[]]>([
    ['8 s later, at another time', '8s', anotherTime, {}, ['R4 fail', 'R5 fail']],
    ['57 s later, at the same time', '57s', {}, {}, ['R5 fail']],
    ['57 s later, at another time', '57s', anotherTime, {}, ['R1 fail']],
    ['57 s later, at another time, by a client with long pauses', '57s', anotherTime, slow, ['R4 fail', 'R5 fail']],
    ['57 s later, for another price', '57s', { totalGrossPrice: 99 }, {}, ['R1 fail']],
  ])('finds of a receipt that failed, and one under another key %s', async (_, pause, fields, policy, found) => {
    const client = await openFailingSim({ createReceipt: [500] }, policy);
    await sendReceipt(client, 'till-1');
    await advance(client, pause);
    await sendReceipt(client, 'till-2', fields);
    expect(await findingsOf(client)).toEqual(found);
  });

  it('says which later sale may have been meant as the repeat', async () => {
    const client = await openFailingSim({ createReceipt: [500] });
    await sendReceipt(client, 'till-1');
    await advance(client, '57s');
    await sendReceipt(client, 'till-2', anotherTime);
    expect(await messagesOf(client)).toEqual([
      'R1: POST /api/v3/receipts got status 500 and was never repeated; default-2 differs only in its key and time: if that was meant as the repeat, it has to carry the same',
    ]);
  });

  it.each([
    ['the first', '2026-03-01T11:00:00Z', 'till-0, till-3'],
    ['the second', '2026-03-01T11:00:20Z', 'till-1, till-3'],
  ])('tells by its time which of two equal sales that failed is repeated: %s', async (_, createdDate, keys) => {
    const client = await openFailingSim({ createReceipt: [500, 500] });
    for (const [i, date] of ['2026-03-01T11:00:00Z', '2026-03-01T11:00:20Z'].entries()) {
      await sendReceipt(client, `till-${i}`, { createdDate: date });
      await advance(client, '20s');
    }
    await sendReceipt(client, 'till-3', { createdDate });
    const rekeyed = (await messagesOf(client)).filter((message) => message.startsWith('R5'));
    expect(rekeyed).toEqual([`R5: POST /api/v3/receipts was repeated with another uniqueReceiptId each time: ${keys}`]);
  });

  it.each([
    ['8 s', ['R4 fail', 'R11 note']],
    ['57 s', ['R1 fail']],
  ])('finds of an order that failed, and one under another number and date %s later', async (pause, found) => {
    const client = await openFailingSim({ createOrder: [500] });
    await client.post('/orders', order('W-1', '2026-03-01T12:00:00Z'));
    await advance(client, pause.replace(' ', ''));
    await client.post('/orders', order('W-2', '2026-03-01T12:00:57Z'));
    expect(await findingsOf(client)).toEqual(found);
  });

  it.each([
    ['at the same time', '2026-03-01T11:00:00Z', ['R10 fail', 'R4 fail']],
    ['at another time', '2026-03-01T11:00:57Z', ['R1 fail']],
  ])('finds of a bulk with a key that is lost, and a row of it %s a minute later', async (_, timeStamp, found) => {
    const client = await openFailingSim({ addPointTransactions: ['lost'] });
    const rows = [row(astrid, 'welcome'), row(bo, 'welcome')];
    await addKeyed(client, rows, keyed('a'));
    await advance(client, '57s');
    await addKeyed(client, [{ ...row(astrid, 'welcome'), timeStamp }], keyed('b'));
    expect((await findingsOf(client)).filter((one) => one !== 'R1 fail' || found.includes(one)).toSorted()).toEqual(
      found,
    );
  });

  it('finds a receipt that is corrected after a 400, lost, and sent under another key', async () => {
    const rules = [
      { match: { endpoint: 'createReceipt' }, skip: 1, fault: [{ respond: 'none' as const, end: 'reset' as const }] },
    ];
    const client = await openSimWithRules(rules);
    await sendReceipt(client, 'till-1', { storeExternalId: undefined });
    for (const key of ['till-1', 'till-2']) await times(1, () => sendReceipt(client, key));
    expect(await findingsOf(client)).toEqual(['R5 fail']);
  });

  it.each<[string, (client: Client) => Promise<unknown>, object, string[]]>([
    ['at once', async () => {}, {}, ['R10 fail']],
    ['without a time, at once', async () => {}, { timeStamp: undefined }, ['R10 inconclusive']],
    ['after a look at the first chunk', lookForPoints, {}, []],
    ['after another write', ({ patch }) => patch(`/api/v3/contacts/${astrid}`, { city: 'Lund' }), {}, []],
    ['after two requests at once', ({ get }) => Promise.all([1, 2].map(() => get(`/api/v3/contacts/${bo}`))), {}, []],
  ])('finds of an import that begins again %s', async (_, between, changed, found) => {
    const rules = [{ match: { endpoint: 'addPointTransactions', nth: 2 }, fault: { status: 504 } }];
    const client = await openSimWithRules(rules);
    expect(await importAgain(client, () => between(client), changed)).toEqual(found);
  });

  it.each<[string, object, string[]]>([
    ['at the same time', {}, ['R10 fail']],
    ['at another time', { timeStamp: '2026-03-01T11:00:05Z' }, []],
  ])(
    'finds of points that are added again %s after another request for the same customer failed',
    async (_, changed, found) => {
      const client = await openFailingSim({ updateContact: [504] });
      const move = () => client.patch(`/api/v3/contacts/${astrid}`, { city: 'Lund' });
      await addPoints(client, row(astrid, 'welcome'));
      await move();
      await addPoints(client, { ...row(astrid, 'welcome'), ...changed });
      await move();
      expect(await findingsOf(client)).toEqual(found);
    },
  );

  it.each<[string, number[], object, string[]]>([
    ['its repeat was refused', [2, 2, 1], {}, ['R10 fail']],
    ['its repeat was refused, though a receipt names both', [2, 2, 1], { usedPromotions }, []],
    ['it was never repeated', [2, 1], {}, ['R1 fail']],
  ])('finds of a coupon whose response was lost, and the next one after %s', async (_, numbers, fields, found) => {
    const client = await openFailingSim({ redeemPromotion: ['lost'] });
    for (const number of numbers) await redeemCoupon(client, number);
    await sendReceipt(client, 'till-1', fields);
    expect(await findingsOf(client)).toEqual(found);
  });

  it.each<[fault: 504 | 'lost', string, string, held: number, string[]]>([
    ['lost', byCoupon, byPromotion, 1, []],
    [504, byCoupon, byPromotion, 1, []],
    [504, byCoupon, byCapitals, 1, []],
    ['lost', byPromotion, byCoupon, 1, []],
    [504, byPromotion, byCoupon, 1, []],
    [504, byPromotion, byCoupon, 2, []],
    ['lost', byCoupon, byPromotion, 2, ['R10 fail']],
    [504, byCoupon, ofBo, 1, ['R1 fail']],
    [504, byCoupon, ofOther, 1, ['R1 fail']],
  ])(
    'finds of a redemption, %s, by %s and then by %s, of which the contact holds %d',
    async (fault, one, other, held, found) => {
      const client = await openFailingSim({ redeemPromotion: [fault] });
      const assign = { event: 'assignPromotion', contactId: astrid, promotionId: welcome };
      if (held > 1) await client.post('/__admin/trigger', assign);
      for (const path of [one, other]) await times(1, () => client.post(path, { redemptionChannel: 'POS' }));
      await sendReceipt(client, 'till-1', { usedPromotions: usedPromotions.slice(0, 1) });
      expect(await findingsOf(client)).toEqual(found);
    },
  );

  it.each<[string, object, object, string[]]>([
    ['is the first key, both times', { receiptNumber: 'S-3' }, { receiptNumber: 'S-3' }, []],
    ['is another, both times', { receiptNumber: '77' }, { receiptNumber: '77' }, []],
    ['is the key each time', { receiptNumber: 'S-3' }, { receiptNumber: 'S-3x1' }, []],
    ['is the second key, both times', { receiptNumber: 'S-3x1' }, { receiptNumber: 'S-3x1' }, []],
    ['is the first key, and then another', { receiptNumber: 'S-3' }, { receiptNumber: '77' }, ['R4 fail']],
    ['is another, and then the second key', { receiptNumber: '77' }, { receiptNumber: 'S-3x1' }, ['R4 fail']],
    ['is the first key, and then not there', { receiptNumber: 'S-3' }, { receiptNumber: undefined }, ['R4 fail']],
  ])('finds of a receipt that is repeated under another key, and whose number %s', async (_, first, next, found) => {
    const client = await openFailingSim({ createReceipt: ['lost'] });
    await times(1, () => sendReceipt(client, 'S-3', first));
    await sendReceipt(client, 'S-3x1', next);
    expect((await findingsOf(client)).toSorted()).toEqual(['R10 fail', 'R10 fail', ...found, 'R5 fail']);
  });

  it('finds of a receipt whose number is the first key, repeated under another, with another price', async () => {
    const client = await openFailingSim({ createReceipt: [504] });
    await sendReceipt(client, 'S-3', { receiptNumber: 'S-3' });
    await sendReceipt(client, 'S-3', { receiptNumber: 'S-3', totalGrossPrice: 99 });
    expect(await messagesOf(client)).toEqual(['R4: POST /api/v3/receipts was repeated with another totalGrossPrice']);
  });
});
