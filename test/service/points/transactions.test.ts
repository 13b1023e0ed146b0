import { describe, expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { accountsOf, addRows, held, kinds, movesOf, row, setClock } from '../../support/points.ts';
import { astrid } from '../../support/people.ts';
import { openPointsSim } from '../../support/open-sim.ts';

const transactions = '/api/v3/point-transactions';
const bulk = '/api/v3/point-accounts/transactions';
const pendingFrom = '2026-03-09T00:00:00Z';

/** Amounts 1 to 7, entered and dated in this order, of which 2, 5 and 6 are pending. */
async function openMixed(): Promise<Client> {
  const client = await openPointsSim();
  const amounts = [1, 2, 3, 4, 5, 6, 7];
  const rows = amounts.map((amount) => ({ amount, ...([2, 5, 6].includes(amount) && { validFrom: pendingFrom }) }));
  await addRows(client, ...rows);
  return client;
}

const page = async ({ get }: Client, query: string) => {
  const { items, totalCount, count } = (await get(`${transactions}?id=2${query}`)).body;
  return [items.map(({ amount }: { amount: number }) => amount), count, totalCount];
};

describe('the transactions of an account', () => {
  it.each([
    ['', [[7, 6, 5, 4, 3, 2, 1], 7, 7]],
    ['&filter=', [[7, 6, 5, 4, 3, 2, 1], 7, 7]],
    ['&filter=all&sortOrder=asc', [[1, 2, 3, 4, 5, 6, 7], 7, 7]],
    ['&filter=Active', [[7, 4, 3, 1], 4, 4]],
    ['&filter=Active&sortOrder=asc', [[1, 3, 4, 7], 4, 4]],
    ['&filter=Active&offset=1&count=2', [[4, 3], 2, 4]],
    ['&filter=Active&offset=3&count=2', [[1], 1, 4]],
    ['&filter=Active&sortBy=createdOn&sortOrder=asc&offset=1&count=2', [[3, 4], 2, 4]],
    ['&filter=Pending', [[6, 5, 2], 3, 3]],
    ['&filter=pending&sortOrder=ascending&offset=1&count=1', [[5], 1, 3]],
    ['&filter=Pending&offset=9', [[], 0, 3]],
  ])('are found by "%s"', async (query, expected) => {
    expect(await page(await openMixed(), query)).toEqual(expected);
  });

  it('are all active when the time of the pending ones has come', async () => {
    const client = await openMixed();
    await setClock(client, pendingFrom);
    expect(await page(client, '&filter=Active')).toEqual([[7, 6, 5, 4, 3, 2, 1], 7, 7]);
    expect(await page(client, '&filter=Pending')).toEqual([[], 0, 0]);
  });

  it('link to the pages before and after, for as long as there are any', async () => {
    const { get } = await openMixed();
    const { links } = (await get(`${transactions}?id=2&filter=Active&offset=1&count=2`)).body;
    const of = (rel: string, offset: number) => ({
      id: '',
      href: `${transactions}?id=2&filter=Active&offset=${offset}&count=2`,
      method: 'GET',
      rel,
    });
    expect(links).toEqual([of('self', 1), of('previous', 0), of('next', 3)]);
    const last = (await get(links[2].href)).body;
    expect(last.links.map(({ rel }: { rel: string }) => rel)).toEqual(['self', 'previous']);
  });

  it('look the same alone as in the list', async () => {
    const client = await openPointsSim();
    await addRows(client, { timeStamp: '2026-02-27T16:42:00+01:00', validTo: '2026-05-01T00:00:00Z' });
    const [account] = await accountsOf(client);
    const [item] = (await client.get(`${transactions}?id=${account.id}`)).body.items;
    expect(item).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      accountId: account.id,
      description: 'for a test',
      source: 'Adjustment',
      amount: 10,
      type: 'Addition',
      transactionDate: '2026-02-27T16:42:00+01:00',
      createdOn: '2026-03-01T12:00:00.000Z',
      modifiedOn: '2026-03-01T12:00:00.000Z',
      validFrom: null,
      validTo: '2026-05-01T00:00:00Z',
      retailTransactionLineItemId: null,
      links: [{ id: item.id, href: `${transactions}/${item.id}`, method: 'GET', rel: 'self' }],
    });
    expect((await client.get(item.links[0].href)).body).toEqual(item);
  });

  it.each([
    [`${transactions}?id=99`, 404, 'PointAccountNotFound'],
    [transactions, 400, 'ValidationError'],
    [bulk, 400, 'ValidationError'],
    [`${transactions}?id=1&filter=Expired`, 400, 'ValidationError'],
    [`${transactions}/${astrid}`, 404, 'PointTransactionNotFound'],
    ['/api/v3/point-accounts', 400, 'ValidationError'],
    ['/api/v3/point-accounts?contactId=1', 404, 'ContactNotFound'],
    ['/api/v3/point-definitions/99', 404, 'PointDefinitionNotFound'],
  ])('GET %s is refused with %i %s', async (path, status, code) => {
    const refused = await (await openPointsSim()).get(path);
    expect([refused.status, refused.body.errorCode]).toEqual([status, code]);
  });
});

const single = (fields: object = {}): object => ({ accountId: 1, transactionId: 't-1', amount: 10, ...fields });

describe('POST /point-transactions', () => {
  it('makes points pending until their validFrom', async () => {
    const { get, post } = await openPointsSim();
    await post(transactions, single({ validFrom: pendingFrom }));
    const { balance, pendingPoints } = (await get('/api/v3/point-accounts/1')).body;
    expect([balance, pendingPoints]).toEqual([40, 10]);
  });

  it('keeps no validFrom that is ignored, and lets the points be over before it', async () => {
    const { post } = await openPointsSim({ assumptions: { 'A-57': 'ignored' } });
    const validity = { validFrom: pendingFrom, validTo: '2026-03-02T00:00:00Z' };
    const { status, body, warnings } = await post(transactions, single({ source: 'Automation', ...validity }));
    expect([status, body.validFrom, body.validTo]).toEqual([201, null, validity.validTo]);
    expect(warnings).toBe(
      `valid-from-ignored: validFrom ${pendingFrom} is ignored, since the source is Automation: such points are active at once`,
    );
  });

  it('takes a negative amount without a type for a deduction, and an id in either form', async () => {
    const { get, post } = await openPointsSim();
    const { body } = await post(transactions, single({ accountId: '1', transactionId: 77, amount: -5 }));
    expect([body.type, body.amount]).toEqual(['Deduction', -5]);
    expect((await get(`${transactions}/77`)).body).toEqual(body);
  });

  it('fills in what is left blank, as a missing validTo, null or an empty text', async () => {
    const client = await openPointsSim();
    await addRows(client, { definitionId: kinds.byAge });
    const ends = [];
    for (const [i, blank] of [undefined, null, ''].entries()) {
      const fields = { accountId: 2, transactionId: i, validTo: blank, expireAfterMonthsInactive: blank };
      ends.push((await client.post(transactions, single(fields))).body.validTo);
    }
    expect(ends).toEqual(Array.from({ length: 3 }, () => '2027-03-01T12:00:00.000Z'));
  });

  it('says that a validTo does nothing to points that are taken', async () => {
    const { post } = await openPointsSim();
    const { status, warnings } = await post(transactions, single({ amount: -5, validTo: '2026-02-01T00:00:00Z' }));
    expect([status, warnings]).toEqual([201, expect.stringMatching(/^valid-to-unused: validTo 2026-02-01[^|]+$/)]);
  });

  it('refuses points that would expire before they are active', async () => {
    const { post } = await openPointsSim();
    const { status, body } = await post(transactions, single({ validFrom: pendingFrom, validTo: pendingFrom }));
    expect([status, body.validationErrors[0].field]).toEqual([400, 'validTo']);
  });

  it('warns of points that are over, and lets them expire at once', async () => {
    const client = await openPointsSim();
    const { status, warnings } = await client.post(transactions, single({ validTo: '2026-02-01T00:00:00Z' }));
    expect([status, warnings]).toEqual([201, expect.stringContaining('points-expired')]);
    expect((await client.get('/api/v3/point-accounts/1')).body.balance).toBe(40);
  });
});

describe('POST /point-accounts/transactions', () => {
  it('is done when the queue comes to it', async () => {
    const client = await openPointsSim({ queueDelay: 60_000 });
    expect((await addRows(client, {})).status).toBe(202);
    expect(await accountsOf(client)).toEqual([]);
    await client.post('/__admin/queue', { hold: true });
    await client.post('/__admin/clock', { advance: '2m' });
    expect(await accountsOf(client)).toEqual([]);
    await client.post('/__admin/queue', { release: true });
    expect(await held(client)).toEqual([10, 0]);
  });

  it.each([
    ['failed', { fail: true }, 'its job 0000000001 failed (failed on demand by POST /__admin/queue)'],
    ['was taken away', undefined, 'its job 0000000001 is no longer in the queue and was not done'],
  ])('forgets a key whose job %s', async (_, fail, why) => {
    const client = await openPointsSim({ queueDelay: 60_000 });
    const send = () => client.call('POST', bulk, { body: [row()], headers: { 'Idempotency-Key': 'k-1' } });
    const first = await send();
    expect((await send()).warnings).toContain('repeated-bulk');
    if (fail) await client.post('/__admin/queue', fail);
    else await client.post('/__admin/reset', { scopes: ['queue'] });
    const anew = await send();
    expect([anew.status, anew.body]).toEqual([202, first.body]);
    expect(anew.warnings).toBe(
      `bulk-sent-again: the Idempotency-Key "k-1" was sent before, but ${why}; it counts as new`,
    );
    await client.post('/__admin/clock', { advance: '1m' });
    expect([await held(client), (await send()).warnings]).toEqual([[10, 0], expect.stringContaining('repeated-bulk')]);
  });

  it('says what is wrong with each row that it skips', async () => {
    const { post } = await openPointsSim();
    const wrong = [
      7,
      row({ amount: '1' }),
      row({ validFrom: 'soon' }),
      row({ validFrom: pendingFrom, validTo: pendingFrom }),
      row({ definitionId: 1.5 }),
    ];
    const { body } = await post(bulk, wrong);
    expect([body.notAccepted, body.errorMessages]).toEqual([
      wrong,
      [
        '[0] must be an object',
        '[1] amount must be a finite number',
        expect.stringContaining('[2] validFrom must be an ISO 8601 timestamp'),
        `[3] validTo must be later than validFrom, which is ${pendingFrom}`,
        '[4] definitionId must be the id of a point definition, a whole number',
      ],
    ]);
  });

  it('names an unknown contact and definition once, in the form they were sent', async () => {
    const { post } = await openPointsSim();
    const { body } = await post(bulk, [row({ contactId: 17 }), row({ contactId: 17 }), row({ definitionId: '9' })]);
    expect([body.missingContactIds, body.missingDefinitionIds]).toEqual([[17], ['9']]);
  });

  it('warns of a field that nobody reads, and refuses its row where fields are checked strictly', async () => {
    const typo = row({ validUntil: pendingFrom });
    const warned = await (await openPointsSim()).post(bulk, [typo]);
    expect([warned.body.notAccepted, warned.warnings]).toEqual([[], expect.stringContaining('"[0].validUntil"')]);
    const strict = await (await openPointsSim({ fieldValidation: 'strict' })).post(bulk, [typo]);
    expect(strict.body.notAccepted).toEqual([typo]);
  });

  it('passes over a validFrom where points cannot be pending', async () => {
    const client = await openPointsSim();
    await addRows(client, { definitionId: kinds.neverPending, validFrom: pendingFrom });
    expect(await held(client)).toEqual([10, 0]);
  });

  it('adds decimals up to what a person gets', async () => {
    const client = await openPointsSim();
    await addRows(client, { amount: 0.1 }, { amount: 0.2 }, { amount: -0.3, validTo: null });
    expect([await held(client), (await movesOf(client)).length]).toEqual([[0, 0], 3]);
  });
});
