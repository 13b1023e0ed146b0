/** Tills that sell: each customer is looked up, a coupon redeemed, and the receipts sent. Each has one defect. */
import { Careful, sleep, Undelivered } from './careful.mjs';
import { receipt, redemption, update } from './bodies.mjs';

const astrid = 'astrid.lindqvist@example.com';
const johan = 'johan.bergstrom@example.com';
const elin = 'elin.sandberg@example.com';

const couponsPath = (contactId) => `/api/v3/promotion-assignments?contactId=${contactId}&redemptionChannelType=POS`;

/** Looks a customer up, redeems the first coupon, keeps the address, and says whose receipts are to be sent. */
async function welcome(till, email) {
  const contactId = await till.contactId(email);
  const coupons = await till.find(couponsPath(contactId));
  const coupon = (coupons ?? []).find(({ redeemed }) => !redeemed);
  if (coupon) await till.post(redemption(coupon.id));
  await till.post(update(contactId, { street: 'Storgatan 1' }));
  return { contactId, email, coupon: coupon?.id };
}

const summaryOf = (till, contactId) => till.find(`/api/v3/contacts/${contactId}/purchasehistorysummary`);

/** Sells what `prices` says to one customer. */
async function sell(till, email, prices) {
  const { contactId, coupon } = await welcome(till, email);
  for (const price of prices) await till.post(receipt({ key: till.newKey(), contactId, price, coupon }));
  await till.finish();
  await summaryOf(till, contactId);
}

/** Tries each receipt at once, even if older ones wait: the service may be back. */
class EagerTill extends Careful {
  async post(request) {
    try {
      return await this.call(request);
    } catch (error) {
      if (!(error instanceof Undelivered)) throw error;
      this.queue.push(request);
      return undefined;
    }
  }
}

export async function splitBill(fetch, baseUrl, key) {
  class Till extends Careful {
    /** A gift receipt is numbered when it is printed, which is when it is sent. */
    requestFor(request) {
      return request.gift ? receipt({ ...request.gift, key: this.newKey() }) : request;
    }
  }
  const till = new Till(fetch, baseUrl, key, 'split-bill');
  const { contactId, coupon } = await welcome(till, astrid);
  await till.post(receipt({ key: till.newKey(), contactId, price: 249, coupon }));
  const gift = { contactId, price: 99 };
  await till.post({ ...receipt(gift), gift });
  await till.post(receipt({ key: till.newKey(), contactId, price: 499 }));
  await till.finish();
  await summaryOf(till, contactId);
}

export async function freshTime(fetch, baseUrl, key) {
  class Till extends Careful {
    /** From the third attempt on, the receipt might be taken for an old one. */
    requestFor(request, repeat) {
      if (repeat < 2 || request.path !== '/api/v3/receipts') return request;
      const body = { ...JSON.parse(request.text), createdDate: new Date().toISOString() };
      return { ...request, text: JSON.stringify(body) };
    }
  }
  await sell(new Till(fetch, baseUrl, key, 'fresh-time'), astrid, [249, 99, 499]);
}

export async function retryAfterOf429(fetch, baseUrl, key) {
  class Till extends Careful {
    pauseBefore(repeat, answer) {
      return super.pauseBefore(repeat, answer?.status === 429 ? answer : undefined);
    }
  }
  await sell(new Till(fetch, baseUrl, key, 'retry-after'), johan, [249, 99]);
}

export async function nextCoupon(fetch, baseUrl, key) {
  const till = new Careful(fetch, baseUrl, key, 'next-coupon');
  const contactId = await till.contactId(astrid);
  const coupons = ((await till.find(couponsPath(contactId))) ?? []).filter(({ redeemed }) => !redeemed);
  let used;
  for (const coupon of coupons) {
    const { status } = await till.write(redemption(coupon.id));
    // Somebody else was quicker: there may be another one.
    if (status === 409) continue;
    used = coupon.id;
    break;
  }
  await till.post(update(contactId, { street: 'Storgatan 1' }));
  await till.post(receipt({ key: till.newKey(), contactId, price: 249 }));
  await till.post(receipt({ key: till.newKey(), contactId, price: 149, coupon: used }));
  await till.finish();
  await summaryOf(till, contactId);
}

export async function rotatingQueue(fetch, baseUrl, key) {
  class Till extends EagerTill {
    async finish() {
      while (this.queue.length > 0) {
        await sleep(this.forwardAfter);
        const first = this.queue.shift();
        const answer = await this.attempt(first);
        // It goes to the end, so that it does not block the others.
        if (!this.isFinal(answer)) this.queue.push(first);
      }
    }
  }
  await sell(new Till(fetch, baseUrl, key, 'rotating-queue'), astrid, [249, 99, 499]);
}

export async function retryBudget(fetch, baseUrl, key) {
  class Till extends Careful {
    budget = 6;

    /** All receipts of a session share six repeats, so that a customer never waits long. */
    async post(request) {
      if (request.path !== '/api/v3/receipts') return super.post(request);
      for (let repeat = 0; ; repeat++) {
        if (repeat > 0) await sleep(this.pauseBefore(Math.min(repeat, 3)));
        const answer = await this.attempt(request);
        if (this.isFinal(answer)) return answer;
        if (this.budget === 0) return undefined;
        if (repeat === 3) return void this.queue.push(request);
        this.budget -= 1;
      }
    }
  }
  await sell(new Till(fetch, baseUrl, key, 'retry-budget'), astrid, [249, 99, 499, 79]);
}

export async function makesSure(fetch, baseUrl, key) {
  class Till extends Careful {
    requestFor(request, repeat) {
      request.repeats = repeat;
      return request;
    }

    /** What needed a repeat is sent once more, since a receipt counts once per key. */
    async post(request) {
      const answer = await super.post(request);
      if (answer && request.repeats > 0 && request.path === '/api/v3/receipts') await this.attempt(request);
      return answer;
    }
  }
  await sell(new Till(fetch, baseUrl, key, 'makes-sure'), elin, [249, 99]);
}

export async function previousCustomer(fetch, baseUrl, key) {
  const till = new Careful(fetch, baseUrl, key, 'previous-customer');
  let contactId;
  for (const [i, email] of [johan, elin, astrid].entries()) {
    try {
      const { status, body } = await till.call({
        method: 'GET',
        path: `/api/v3/contacts/id?email=${encodeURIComponent(email)}`,
      });
      if (status === 200) contactId = body;
    } catch (error) {
      if (!(error instanceof Undelivered)) throw error;
    }
    await till.post(receipt({ key: till.newKey(), contactId, email, price: 100 + i }));
    await till.post(update(contactId, { city: 'Uppsala' }));
  }
  await till.finish();
}

export async function secondCouponList(fetch, baseUrl, key) {
  const till = new Careful(fetch, baseUrl, key, 'second-list');
  const { contactId } = await welcome(till, johan);
  await till.post(receipt({ key: till.newKey(), contactId, price: 249 }));
  // A friend of the customer pays for the rest.
  const friend = await till.contactId(elin);
  const list = await till.attempt({ method: 'GET', path: couponsPath(friend) });
  const coupon = (Array.isArray(list?.body) ? list.body : []).find(({ redeemed }) => !redeemed);
  if (coupon) await till.post(redemption(coupon.id));
  await till.post(receipt({ key: till.newKey(), contactId: friend, price: 99, coupon: coupon?.id }));
  await till.finish();
}

export async function busyRedemption(fetch, baseUrl, key) {
  class Till extends Careful {
    /** Too many requests: this one isn't wanted. */
    isFinal(answer, request) {
      return super.isFinal(answer) || (answer?.status === 429 && request?.path.endsWith('/redeem'));
    }
  }
  await sell(new Till(fetch, baseUrl, key, 'busy-redemption'), astrid, [249, 99]);
}

export async function floods(fetch, baseUrl, key) {
  class Till extends EagerTill {
    async finish() {
      await sleep(this.forwardAfter);
      const all = this.queue.splice(0);
      await Promise.all(all.map((request) => this.forward(request)));
    }
  }
  await sell(new Till(fetch, baseUrl, key, 'floods'), elin, [249, 99, 499, 79, 59]);
}
