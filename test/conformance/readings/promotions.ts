import { expect } from 'vitest';
import type { Answered, Client } from '../../support/client.ts';
import { coupons, listPromotions, promotions, redeem, refused } from '../world.ts';
import type { Case } from '../world.ts';
import { astrid } from '../../support/people.ts';
import { openOffersSim, openRetailerSim } from '../../support/open-sim.ts';

const pathOf = (id: string): Promise<Answered> =>
  openRetailerSim().then((client) => redeem(client, id, `?contactId=${astrid}`, { redemptionChannel: 'POS' }));

const redeemTwice = async (client: Client): Promise<Answered> => {
  await redeem(client, coupons.spring);
  return redeem(client, coupons.spring);
};

export const promotionReadings = {
  'A-31': {
    default: async () => {
      const [first] = (await listPromotions(await openRetailerSim())).body;
      expect(first).toEqual({
        id: coupons.spring,
        promotionId: promotions.spring,
        externalId: 'SPRING',
        type: 'OFFER',
        name: 'Spring',
        heading: null,
        description: null,
        imageUrl: null,
        link: null,
        expiresOn: null,
        redeemed: false,
        redeemedOn: null,
        redemptionChannels: ['POS', 'ECOM'].map((type) => ({
          type,
          valueType: 'PERCENT',
          value: 20,
          localValues: [],
          instruction: null,
        })),
      });
    },
    envelope: async () => {
      const offers = (await (await openOffersSim()).get(`/api/v3/promotion-assignments?contactId=${astrid}`)).body;
      const money = offers
        .flatMap(({ redemptionChannels }: { redemptionChannels: { valueType: string }[] }) => redemptionChannels)
        .find(({ valueType }: { valueType: string }) => valueType === 'MONEY');
      expect([money.value, money.localValues]).toEqual([
        { amount: 100, currency: 'SEK' },
        [{ currency: 'NOK', amount: 95 }],
      ]);
      const { body } = await listPromotions(await openRetailerSim({ assumptions: { 'A-31': 'envelope' } }));
      expect([body.count, body.offset, body.totalCount]).toEqual([2, 0, 2]);
      expect(body.items.map(({ id }: { id: string }) => id)).toEqual([coupons.spring, coupons.tillOnly]);
    },
    numbers: async () => {
      const client = await openOffersSim({ assumptions: { 'A-31': 'numbers' } });
      const { body } = await client.get(`/api/v3/promotion-assignments?contactId=${astrid}`);
      const values = body.flatMap(({ redemptionChannels }: { redemptionChannels: { value: unknown }[] }) =>
        redemptionChannels.map(({ value }) => value),
      );
      expect(values).toContain(100);
    },
  },
  'A-32': {
    default: async () => {
      const byAssignment = await redeem(await openRetailerSim(), coupons.spring);
      expect([byAssignment.status, byAssignment.body.id, byAssignment.body.redeemed]).toEqual([
        200,
        coupons.spring,
        true,
      ]);
      const ofOneHolder = await redeem(await openRetailerSim(), promotions.spring);
      expect([ofOneHolder.status, ofOneHolder.body.id]).toEqual([200, coupons.spring]);
      const byPromotion = await pathOf(promotions.spring);
      expect([byPromotion.status, byPromotion.body.id]).toEqual([200, coupons.spring]);
    },
    strict: async () => {
      const client = await openRetailerSim({ assumptions: { 'A-32': 'strict' } });
      const body = { redemptionChannel: 'POS' };
      const tries = [redeem(client, coupons.spring), redeem(client, promotions.spring, `?contactId=${astrid}`, body)];
      expect((await Promise.all(tries)).map(refused)).toEqual(tries.map(() => [400, 'NoData']));
      expect((await redeem(client, coupons.spring, '', body)).status).toBe(200);
    },
  },
  'A-33': {
    default: async () => {
      const client = await openRetailerSim();
      expect(refused(await redeem(client, astrid))).toEqual([404, 'PromotionNotFound']);
      const notHers = await redeem(client, promotions.unassigned, `?contactId=${astrid}`);
      expect(refused(notHers)).toEqual([404, 'PromotionNotAssociatedWithContact']);
      const elsewhere = await redeem(client, coupons.tillOnly, '', { redemptionChannel: 'ECOM' });
      expect(refused(elsewhere)).toEqual([409, 'PromotionNotValidForRedemptionChannel']);
      expect(refused(await redeem(client, coupons.expired))).toEqual([409, 'PromotionExpired']);
      expect(refused(await redeemTwice(client))).toEqual([409, 'PromotionAlreadyRedeemed']);
    },
    'again-ok': async () => {
      const { status, body } = await redeemTwice(await openRetailerSim({ assumptions: { 'A-33': 'again-ok' } }));
      expect([status, body.redeemedOn]).toEqual([200, '2026-03-01T12:00:00.000Z']);
    },
  },
} satisfies Record<string, Record<string, Case>>;
