/** A till and a bonus desk without a defect, as functions that can be called in process. */
import { Careful } from '../tills/careful.mjs';
import {
  addition,
  award,
  bulk,
  bulkRow,
  change,
  checkpointRow,
  consents,
  receipt,
  redemption,
  update,
} from '../tills/bodies.mjs';

const fiveVisits = '9b1d0c00-cccc-4000-8000-000000000001';

/** Sells to two customers, one of whom is new. */
export async function sale(fetch, baseUrl, key) {
  const till = new Careful(fetch, baseUrl, key, 'right-sale');
  for (const email of ['astrid.lindqvist@example.com', 'sixten.ny@example.com']) {
    const contactId = (await till.contactId(email)) ?? (await enrol(till, email));
    const coupons = await till.find(`/api/v3/promotion-assignments?contactId=${contactId}&redemptionChannelType=POS`);
    const coupon = (coupons ?? []).find(({ redeemed }) => !redeemed)?.id;
    if (coupon) await till.post(redemption(coupon));
    await till.post(update(contactId, { street: 'Storgatan 1' }));
    for (const price of [249, 99]) await till.post(receipt({ key: till.newKey(), contactId, price, coupon }));
    await till.post(update(contactId, { street: 'Storgatan 2', city: 'Lund' }));
    await till.finish();
  }
}

async function enrol(till, email) {
  const tookEffect = async () =>
    (await till.look(`/api/v3/contacts/id?email=${encodeURIComponent(email)}`)) !== undefined;
  await till.write(
    change('POST', '/api/v3/contacts', { email, contactType: 'Member', firstName: 'Sixten' }, { tookEffect }),
  );
  return till.contactId(email);
}

/** Gives points in bulk and one by one, and checkpoints, each looked for before it is repeated. */
export async function desk(fetch, baseUrl, key) {
  const till = new Careful(fetch, baseUrl, key, 'right-desk');
  for (const email of ['astrid.lindqvist@example.com', 'johan.bergstrom@example.com']) {
    const contactId = await till.contactId(email);
    const description = till.newKey();
    const rows = [bulkRow({ contactId, amount: 20, description })];
    await till.post(bulk(rows, { tookEffect: () => till.hasPoints(contactId, 2, description) }));
    await till.finish();
    const accounts = await till.find(`/api/v3/point-accounts?contactId=${contactId}`);
    const account = (accounts?.items ?? []).find(({ definitionId }) => definitionId === 2);
    if (account) await till.write(addition({ key: till.newKey(), accountId: account.id, amount: 5 }));
    const before = await till.insist(() => till.checkpoints(contactId, fiveVisits));
    const tookEffect = async () => (await till.checkpoints(contactId, fiveVisits)) > before;
    await till.write(award([checkpointRow(contactId, fiveVisits)], { tookEffect }));
    await till.write(consents(contactId, { newsletter: true }));
  }
}
