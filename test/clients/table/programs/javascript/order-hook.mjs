/** Announces orders of a web shop. */
import { astrid, behaviour, isFailed, johan, paths, pause, post, retry } from './kit.mjs';

const order = (who, orderNumber) => ({
  orderNumber,
  contact: { matchKey: who.email, matchKeyType: 'email' },
  orderStatus: 'OrderConfirmed',
  paymentStatus: 'Paid',
  createdDate: '2026-11-20T10:15:00Z',
  storeId: '900',
  currency: 'SEK',
  totalGrossPrice: 249,
  items: receiptLines(),
});

function receiptLines() {
  return [
    {
      type: 'PURCHASE',
      quantity: 1,
      grossPaidPrice: 249,
      taxAmount: 49.8,
      taxPercent: 25,
      sku: '1001-M',
      articleNumber: '1001',
      articleName: 'T-shirt',
    },
  ];
}

const ways = {
  async right() {
    await retry(() => post(paths.orders, order(astrid, 'W-1')));
    await retry(() => post(paths.orders, order(johan, 'W-2')));
  },
  async 'new-number'() {
    if (isFailed(await post(paths.orders, order(astrid, 'W-1')))) {
      await pause(80);
      await post(paths.orders, order(astrid, 'W-2'));
    }
    await post(paths.orders, order(johan, 'W-3'));
  },
};

await ways[behaviour]();
