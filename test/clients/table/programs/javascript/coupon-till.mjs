/** Redeems coupons of customers at a till. */
import { astrid, behaviour, get, isFailed, johan, pause, paths, post, retry } from './kit.mjs';

const couponsOf = async (who) => {
  const { body = [] } = (await retry(() => get(paths.promotions(who)))) ?? {};
  return body.filter(({ redeemed }) => !redeemed).map(({ id }) => id);
};
const redeem = (coupon) => post(paths.redeem(coupon), { redemptionChannel: 'POS' });

const ways = {
  async right() {
    const [coupon] = await couponsOf(astrid);
    await retry(() => redeem(coupon));
    await couponsOf(johan);
  },
  async looks() {
    const [coupon] = await couponsOf(astrid);
    if (isFailed(await redeem(coupon))) {
      await pause(80);
      if ((await couponsOf(astrid)).includes(coupon)) await retry(() => redeem(coupon));
    }
    await couponsOf(johan);
  },
  async 'next-coupon'() {
    const coupons = await couponsOf(astrid);
    const response = await retry(() => redeem(coupons[0]));
    if (response?.status === 409) await retry(() => redeem(coupons[1]));
  },
  async drops() {
    const [coupon] = await couponsOf(astrid);
    await redeem(coupon);
    const [other] = await couponsOf(johan);
    await redeem(other);
  },
  async 'two-tills'() {
    const [coupon] = await couponsOf(astrid);
    const till = async (wait) => {
      await pause(wait);
      const response = await redeem(coupon);
      if (!isFailed(response)) return response.status;
      await pause(300);
      return (await redeem(coupon))?.status;
    };
    await Promise.all([till(0), till(600)]);
  },
  async 'repeats-409'() {
    const [coupon] = await couponsOf(astrid);
    for (let i = 0; i < 4; i++) {
      if ((await redeem(coupon))?.status === 200 && i === 3) break;
      await pause(60);
    }
  },
};

await ways[behaviour]();
