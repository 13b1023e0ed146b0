import { describe, expect, it } from 'vitest';
import { SideEffects } from '../../../src/core/exchange/exchange.ts';
import { assignPromotion } from '../../../src/service/promotions/operations.ts';
import type { Client } from '../../support/client.ts';
import { receiptOf } from '../../support/receipt.ts';
import { astrid, bo } from '../../support/people.ts';
import { openOffersSim } from '../../support/open-sim.ts';

const promotion = (n: number): string => `9b1d0c00-0001-4000-8000-00000000000${n}`;
const coupon = (n: number): string => `9b1d0c00-aaaa-4000-8000-00000000000${n}`;

const list = async ({ get }: Client, query = `contactId=${astrid}`) =>
  (await get(`/api/v3/promotion-assignments?${query}`)).body;

const idsOf = async (client: Client, query?: string): Promise<string[]> =>
  (await list(client, query)).map(({ id }: { id: string }) => id);

const redeem = ({ post }: Client, id: string, body?: unknown) => post(`/api/v3/promotions/codes/${id}/redeem`, body);

const advance = ({ sim }: Client, days: number) => sim.clock.advance(`${days}d`);

const buy = ({ post }: Client, id: string, usedPromotions: unknown[]) =>
  post('/api/v3/receipts', receiptOf(astrid, id, { usedPromotions }));

/** What happens inside the service and not through its API. */
const assign = ({ sim }: Client, promotionId: string, contactId: string) =>
  sim.tenants.default.transact(new SideEffects(), () =>
    assignPromotion(sim.tenants.default, { promotionId, contactId }),
  );

describe('GET /promotion-assignments', () => {
  it('answers what is active, with the texts of the promotion', async () => {
    expect((await list(await openOffersSim()))[1]).toEqual({
      id: coupon(2),
      promotionId: promotion(2),
      externalId: null,
      type: 'OFFER',
      name: 'Till only',
      heading: null,
      description: null,
      imageUrl: null,
      link: null,
      expiresOn: '2026-03-15T00:00:00Z',
      redeemed: false,
      redeemedOn: null,
      redemptionChannels: [
        {
          type: 'POS',
          valueType: 'MONEY',
          value: { amount: 100, currency: 'SEK' },
          localValues: [{ currency: 'NOK', amount: 95 }],
          instruction: null,
        },
      ],
    });
  });

  it('leaves out an inactive assignment, an inactive template and one that has not started', async () => {
    expect(await idsOf(await openOffersSim())).toEqual([coupon(1), coupon(2)]);
  });

  it.each([
    { channel: 'POS', ids: [coupon(1), coupon(2)] },
    { channel: 'ecom', ids: [coupon(1)] },
    { channel: 'OTHER', ids: [] },
  ])('answers only what is redeemable in $channel', async ({ channel, ids }) => {
    expect(await idsOf(await openOffersSim(), `contactId=${astrid}&redemptionChannelType=${channel}`)).toEqual(ids);
  });

  it('shows a template from the moment it starts', async () => {
    const client = await openOffersSim({ now: '2026-03-07T23:59:59.999Z' });
    expect(await idsOf(client)).not.toContain(coupon(4));
    await client.sim.clock.advance(1);
    expect(await idsOf(client)).toContain(coupon(4));
  });

  it.each([
    { expiring: 'an assignment', id: coupon(2), end: '2026-03-15T00:00:00Z', before: '2026-03-14T23:59:59.999Z' },
    { expiring: 'a template', id: coupon(1), end: '2026-04-01T00:00:00Z', before: '2026-03-31T23:59:59.999Z' },
  ])('leaves out $expiring at the moment of its expiry', async ({ id, end, before }) => {
    expect(await idsOf(await openOffersSim({ now: before }))).toContain(id);
    expect(await idsOf(await openOffersSim({ now: end }))).not.toContain(id);
  });

  it('takes the id of the contact in any case', async () => {
    expect(await idsOf(await openOffersSim(), `contactId=${astrid.toUpperCase()}`)).toHaveLength(2);
  });

  it('answers one page of the array', async () => {
    expect(await idsOf(await openOffersSim(), `contactId=${astrid}&offset=1&count=1`)).toEqual([coupon(2)]);
  });

  it('answers the paging envelope under A-31=envelope', async () => {
    const client = await openOffersSim({ assumptions: { 'A-31': 'envelope' } });
    const page = await list(client, `contactId=${astrid}&count=1`);
    expect(page).toMatchObject({ count: 1, offset: 0, totalCount: 2, items: [{ id: coupon(1) }] });
  });

  it.each([
    { query: '', status: 400, errorCode: 'ValidationError' },
    { query: `contactId=${astrid}&redemptionChannelType=FAX`, status: 400, errorCode: 'ValidationError' },
    { query: `contactId=${promotion(1)}`, status: 404, errorCode: 'ContactNotFound' },
    { query: 'contactId=astrid', status: 404, errorCode: 'ContactNotFound' },
  ])('refuses "$query" with $status $errorCode', async ({ query, status, errorCode }) => {
    const { get } = await openOffersSim();
    expect(await get(`/api/v3/promotion-assignments?${query}`)).toMatchObject({ status, body: { errorCode } });
  });
});

describe('assigning a promotion', () => {
  it('gives the contact one more, to be redeemed by itself', async () => {
    const client = await openOffersSim();
    const { assignment } = assign(client, promotion(1), astrid.toUpperCase());
    expect(await idsOf(client)).toEqual([coupon(1), coupon(2), assignment.id]);
    expect((await redeem(client, assignment.id)).status).toBe(200);
  });

  it.each([
    { promotionId: promotion(9), contactId: astrid, code: 'PromotionNotFound' },
    { promotionId: promotion(1), contactId: promotion(1), code: 'ContactNotFound' },
  ])('is refused with $code', async ({ promotionId, contactId, code }) => {
    const client = await openOffersSim();
    expect(() => assign(client, promotionId, contactId)).toThrow(expect.objectContaining({ code }));
  });
});

describe('POST /promotions/codes/{promotionId}/redeem', () => {
  it('answers the assignment as the listing shows it from then on', async () => {
    const client = await openOffersSim();
    const [before] = await list(client);
    const { status, body } = await redeem(client, coupon(1), { redemptionChannel: 'POS' });
    expect({ status, body }).toEqual({
      status: 200,
      body: { ...before, redeemed: true, redeemedOn: '2026-03-01T12:00:00.000Z' },
    });
    expect((await list(client))[0]).toEqual(body);
  });

  it.each([
    { by: 'the id of the assignment alone', path: coupon(1) },
    { by: 'the id of the assignment in capitals', path: coupon(1).toUpperCase() },
    { by: "the assignment's id and its contact", path: coupon(1), contactId: astrid },
    { by: "the promotion's id and a contact", path: promotion(1), contactId: astrid },
  ])('takes $by, without a body', async ({ path, contactId = '' }) => {
    const client = await openOffersSim();
    const { status, body } = await client.post(`/api/v3/promotions/codes/${path}/redeem?contactId=${contactId}`);
    expect({ status, id: body.id, redeemed: body.redeemed }).toEqual({ status: 200, id: coupon(1), redeemed: true });
  });

  it('redeems an assigned promotion as often as it was assigned', async () => {
    const client = await openOffersSim();
    const path = `/api/v3/promotions/codes/${promotion(2)}/redeem?contactId=${bo}`;
    const answers = [await client.post(path), await client.post(path), await client.post(path)];
    expect(answers.map(({ body }) => body.id ?? body.errorCode)).toEqual([
      coupon(6),
      coupon(7),
      'PromotionAlreadyRedeemed',
    ]);
  });

  it.each([
    { path: promotion(9), status: 404, errorCode: 'PromotionNotFound' },
    { path: 'SPRING', status: 404, errorCode: 'PromotionNotFound' },
    { path: coupon(3), status: 404, errorCode: 'PromotionNotFound' },
    { path: coupon(4), status: 404, errorCode: 'PromotionNotFound' },
    { path: coupon(5), status: 404, errorCode: 'PromotionNotFound' },
    { path: promotion(2), status: 404, errorCode: 'PromotionNotAssociatedWithContact' },
    { path: promotion(5), contactId: astrid, status: 404, errorCode: 'PromotionNotAssociatedWithContact' },
    { path: coupon(6), contactId: astrid, status: 404, errorCode: 'PromotionNotAssociatedWithContact' },
    { path: coupon(1), contactId: 'nobody', status: 404, errorCode: 'ContactNotFound' },
    { path: coupon(2), channel: 'ecom', status: 409, errorCode: 'PromotionNotValidForRedemptionChannel' },
    { path: coupon(2), channel: 'FAX', status: 400, errorCode: 'ValidationError' },
  ])('refuses $path with $status $errorCode: $contactId $channel', async (sent) => {
    const { path, contactId = '', channel, status, errorCode } = sent;
    const client = await openOffersSim();
    const before = await Promise.all([list(client), list(client, `contactId=${bo}`)]);
    const body = channel && { redemptionChannel: channel };
    const answered = await client.post(`/api/v3/promotions/codes/${path}/redeem?contactId=${contactId}`, body);
    expect(answered).toMatchObject({ status, body: { errorCode } });
    expect(await Promise.all([list(client), list(client, `contactId=${bo}`)])).toEqual(before);
  });

  it('says how to redeem by the id of a promotion', async () => {
    const { body } = await redeem(await openOffersSim(), promotion(2));
    expect(body.message).toContain('add ?contactId=');
  });

  it.each([`${coupon(1)}/redeem`, `${promotion(1)}/redeem?contactId=${astrid}`])(
    'refuses %s a second time',
    async (path) => {
      const client = await openOffersSim();
      const first = await client.post(`/api/v3/promotions/codes/${path}`);
      await advance(client, 1);
      const second = await client.post(`/api/v3/promotions/codes/${path}`);
      expect(second).toMatchObject({ status: 409, body: { errorCode: 'PromotionAlreadyRedeemed' } });
      expect((await list(client))[0]).toEqual(first.body);
    },
  );

  it('says of a redeemed promotion that it is redeemed, even when it has expired since', async () => {
    const client = await openOffersSim();
    await redeem(client, coupon(2));
    await advance(client, 14);
    expect((await redeem(client, coupon(2))).body.errorCode).toBe('PromotionAlreadyRedeemed');
  });

  it('answers a second time as the first under A-33=again-ok', async () => {
    const client = await openOffersSim({ assumptions: { 'A-33': 'again-ok' } });
    const first = await redeem(client, coupon(1), { redemptionChannel: 'POS' });
    await advance(client, 1);
    const second = await redeem(client, coupon(1), { redemptionChannel: 'ECOM' });
    expect({ status: second.status, body: second.body }).toEqual({ status: 200, body: first.body });
  });

  it('refuses an expired promotion from the moment of its expiry', async () => {
    expect((await redeem(await openOffersSim({ now: '2026-03-14T23:59:59.999Z' }), coupon(2))).status).toBe(200);
    expect(await redeem(await openOffersSim({ now: '2026-03-15T00:00:00Z' }), coupon(2))).toMatchObject({
      status: 409,
      body: { errorCode: 'PromotionExpired' },
    });
  });

  it.each([
    { sent: 'no body', path: coupon(1), status: 400 },
    { sent: 'a body without a channel', path: coupon(1), body: {}, status: 400 },
    { sent: "a promotion's id", path: promotion(1), body: { redemptionChannel: 'POS' }, status: 400 },
    { sent: "an assignment's id and a channel", path: coupon(1), body: { redemptionChannel: 'POS' }, status: 200 },
  ])('answers $sent with $status under A-32=strict', async ({ path, body, status }) => {
    const client = await openOffersSim({ assumptions: { 'A-32': 'strict' } });
    const answered = await client.post(`/api/v3/promotions/codes/${path}/redeem?contactId=${astrid}`, body);
    expect([answered.status, answered.body.errorCode]).toEqual([status, status === 400 ? 'NoData' : undefined]);
  });
});

describe('a promotion on a receipt', () => {
  it.each([
    { by: 'couponId', used: { couponId: coupon(1) } },
    { by: 'promotionId', used: { promotionId: promotion(1) } },
  ])('is redeemed by $by', async ({ used }) => {
    const client = await openOffersSim();
    expect((await buy(client, 'R-1', [used])).warnings).toBe('');
    expect((await list(client))[0]).toMatchObject({ redeemed: true, redeemedOn: '2026-03-01T12:00:00.000Z' });
    expect((await redeem(client, coupon(1))).body.errorCode).toBe('PromotionAlreadyRedeemed');
  });

  it.each([{ couponId: coupon(1) }, { promotionId: promotion(1) }])(
    'stays redeemed when it was, and is warned about on another receipt: %o',
    async (used) => {
      const client = await openOffersSim();
      const redeemed = await redeem(client, coupon(1));
      await advance(client, 1);
      expect((await buy(client, 'R-1', [used])).warnings).toBe('');
      expect((await list(client))[0]).toEqual(redeemed.body);
      expect((await buy(client, 'R-2', [used])).warnings).toContain('promotion-used-again');
    },
  );

  it('is the one that was redeemed, of several of the same promotion', async () => {
    const client = await openOffersSim();
    await redeem(client, coupon(7));
    await client.post('/api/v3/receipts', receiptOf(bo, 'R-1', { usedPromotions: [{ promotionId: promotion(2) }] }));
    expect((await redeem(client, coupon(6))).status).toBe(200);
  });

  it.each([{ couponId: coupon(1) }, { promotionId: promotion(1) }])(
    'may be named twice by one receipt: %o',
    async (used) => {
      expect((await buy(await openOffersSim(), 'R-1', [used, used])).warnings).toBe('');
    },
  );

  it('may have expired between the redeeming and the receipt', async () => {
    const client = await openOffersSim();
    await redeem(client, coupon(2));
    await advance(client, 14);
    expect((await buy(client, 'R-1', [{ couponId: coupon(2) }])).warnings).toBe('');
  });

  it.each([
    { used: { couponId: 'SUMMER' }, code: 'unknown-promotion' },
    { used: { couponId: promotion(1) }, code: 'unknown-promotion' },
    { used: { promotionId: promotion(5) }, code: 'unknown-promotion' },
    { used: { couponId: coupon(6) }, code: 'promotion-of-another-contact' },
  ])('is warned about as $code and changes nothing: $used', async ({ used, code }) => {
    const client = await openOffersSim();
    const before = await Promise.all([list(client), list(client, `contactId=${bo}`)]);
    expect(await buy(client, 'R-1', [used])).toMatchObject({ status: 202, warnings: expect.stringContaining(code) });
    expect(await Promise.all([list(client), list(client, `contactId=${bo}`)])).toEqual(before);
  });

  it('is warned about when it has not started, and counts as used all the same', async () => {
    const client = await openOffersSim();
    expect((await buy(client, 'R-1', [{ couponId: coupon(4) }])).warnings).toContain('promotion-not-active');
    expect((await redeem(client, coupon(4))).body.errorCode).toBe('PromotionAlreadyRedeemed');
  });
});
