import { expect } from 'vitest';
import { lineOf, returnOf } from '../../support/receipt-lines.ts';
import { advance, order, refused, sendReceipt, summaryOf, transactionsOf, wrongFields } from '../world.ts';
import type { Case } from '../world.ts';
import type { Client } from '../../support/client.ts';
import { astrid, bo } from '../../support/people.ts';
import { fileName, openFileShop, transactionsXml, transactionXml } from '../../support/receipt-files.ts';
import type { FileReceipt } from '../../support/receipt-files.ts';
import { openOffersSim, openRetailerSim } from '../../support/open-sim.ts';

const bareReceipt = { contact: { matchKey: astrid, matchKeyType: 'contactId' }, items: [{}] };

const requiredOfReceipt =
  'uniqueReceiptId createdDate storeExternalId currency totalGrossPrice paymentMethods items[0].type ' +
  'items[0].quantity items[0].grossPaidPrice items[0].taxAmount items[0].taxPercent items[0].sku ' +
  'items[0].articleNumber items[0].articleName';

/** A pure return with every sign the other way round. */
const wrongSigns = {
  totalGrossPrice: 100,
  paymentMethods: [{ type: 'CARD', value: 100 }],
  items: [returnOf({ quantity: 1, grossPaidPrice: -100, taxAmount: -20 })],
};
const signedFields =
  'items[0].quantity items[0].grossPaidPrice items[0].taxAmount totalGrossPrice paymentMethods[0].value';

/** How often a receipt counts that is sent twice. */
async function countOfTwice(options: object): Promise<readonly unknown[]> {
  const client = await openRetailerSim(options);
  await sendReceipt(client);
  const { status, warnings } = await sendReceipt(client);
  return [status, (await transactionsOf(client)).length, (await summaryOf(client)).body.purchaseAmountAll, warnings];
}

/** Whether a voucher of somebody else's is used up by a receipt. */
async function payWithForeignVoucher(variant: string): Promise<readonly unknown[]> {
  const client = await openOffersSim({ assumptions: { 'A-71': variant } });
  const pay = (id: string) => sendReceipt(client, { usedRewardVouchers: [{ voucherNumber: 'V-BO' }] }, id);
  return [(await pay('r-1')).warnings, (await pay('r-2')).warnings];
}

const strangerAndAstrid: readonly FileReceipt[] = [
  { id: 'f-1', keyType: 'email', contact: 'astrid.lindqvist@example.com' },
  { id: 'f-2', keyType: 'email', contact: 'nobody@example.com' },
];
const unknownStoreAmongOthers: readonly FileReceipt[] = [{ id: 'f-1' }, { id: 'f-2', store: 'no-such-store' }];

/** What becomes of a file under a variant of A-67. */
async function importReading(variant: string, receipts: readonly FileReceipt[]) {
  const shop = await openFileShop({ assumptions: { 'A-67': variant } });
  shop.drop(fileName(), transactionsXml(...receipts));
  return (await shop.batch()).items[0].files[0];
}

/** An order that gets another status, and then the first one again. */
const comingBack = [{}, { orderStatus: 'Packed' }, {}];

/** An order whose next status comes with the key of somebody else. */
const otherContact = [{}, { orderStatus: 'Packed', contact: { matchKey: bo, matchKeyType: 'contactId' } }];

/** Sends versions of an order; returns what was sent, and the last warnings. */
async function templatesAfter(client: Client, versions: readonly object[]) {
  let last = '';
  for (const version of versions) last = (await client.post('/orders', order(version))).warnings;
  const { items } = (await client.get('/__admin/outbox')).body;
  return [items.map(({ template }: { template: string }) => template), last];
}

export const receiptReadings = {
  'A-71': {
    default: async () => {
      const again = expect.stringContaining('voucher-of-another-contact');
      expect(await payWithForeignVoucher('default')).toEqual([expect.stringContaining('is not used up'), again]);
    },
    taken: async () => {
      const again = expect.stringContaining('voucher-used-again');
      expect(await payWithForeignVoucher('taken')).toEqual([expect.stringContaining('taken all the same'), again]);
    },
  },
  'A-67': {
    default: async () => {
      const file = await importReading('default', strangerAndAstrid);
      expect(file).toMatchObject({ status: 'imported', imported: 1, unknownContact: 1 });
      expect(await importReading('default', unknownStoreAmongOthers)).toMatchObject({ status: 'refused', imported: 0 });
    },
    row: async () => {
      const file = await importReading('row', unknownStoreAmongOthers);
      expect(file).toMatchObject({ status: 'imported', imported: 1, refused: 1 });
    },
    keep: async () => {
      expect(await importReading('keep', strangerAndAstrid)).toMatchObject({ imported: 2, unknownContact: 0 });
    },
    create: async () => {
      const shop = await openFileShop({ assumptions: { 'A-67': 'create' } });
      shop.drop(fileName(), transactionsXml({ contact: 'New.Person@example.com', keyType: 'email' }));
      const { items } = await shop.batch();
      expect(items[0].files[0]).toMatchObject({ imported: 1, unknownContact: 0 });
      const { status, body } = await shop.get('/api/v3/contacts/id?email=new.person@example.com');
      expect([status, JSON.stringify(items).includes(body)]).toEqual([200, false]);
    },
    lines: async () => {
      const line =
        transactionXml()
          .match(/<item>[\s\S]*<\/item>/)?.[0]
          .replaceAll(/\s+/g, '') ?? '';
      const long = Array.from({ length: 21 }, (_, i) => ({
        id: `f-${i}`,
        extra: `<items>${line.repeat(1000)}</items>`,
      }));
      expect((await importReading('lines', long)).reason.code).toBe('too-many-receipts');
      expect((await importReading('default', long)).imported).toBe(21);
    },
  },
  'A-21': {
    default: async () => {
      const answered = await (await openRetailerSim()).post('/api/v3/receipts', bareReceipt);
      expect(refused(answered)).toEqual([400, 'ValidationError']);
      expect(wrongFields(answered)).toEqual(requiredOfReceipt.split(' '));
      const payment = await sendReceipt(await openRetailerSim(), { paymentMethods: [{}] });
      expect(wrongFields(payment)).toEqual(['paymentMethods[0].type', 'paymentMethods[0].value']);
    },
    lenient: async () => {
      const client = await openRetailerSim({ assumptions: { 'A-21': 'lenient' } });
      expect((await client.post('/api/v3/receipts', bareReceipt)).status).toBe(202);
      expect(wrongFields(await client.post('/api/v3/receipts', {}))).toEqual(['contact', 'items']);
    },
  },
  'A-22': {
    default: async () => {
      const client = await openRetailerSim();
      const items = ['purchase', 'Return', 'ADJUSTMENT'].map((type) => lineOf({ type }));
      await sendReceipt(client, { contact: { matchKey: 'crm-1', matchKeyType: 'EXTERNALID' }, items });
      const [{ lineItems }] = await transactionsOf(client);
      expect(lineItems.map(({ type }: { type: string }) => type)).toEqual(['PURCHASE', 'RETURN', 'ADJUSTMENT']);
      expect(wrongFields(await sendReceipt(client, { items: [lineOf({ type: 'GIFT' })] }))).toEqual(['items[0].type']);
    },
  },
  'A-23': {
    default: async () => {
      const client = await openRetailerSim();
      const { status, warnings } = await sendReceipt(client, wrongSigns);
      expect([status, warnings.match(/wrong-sign/g)?.length]).toEqual([202, signedFields.split(' ').length]);
      expect((await summaryOf(client)).body.purchaseAmountAll).toBe(-100);
      const signs = { totalGrossPrice: -100, paymentMethods: [{ type: 'CARD', value: -100 }], items: [returnOf()] };
      expect((await sendReceipt(client, signs, 'r-2')).warnings).toBe('');
    },
    refuse: async () => {
      const client = await openRetailerSim({ assumptions: { 'A-23': 'refuse' } });
      const answered = await sendReceipt(client, wrongSigns);
      expect([refused(answered), wrongFields(answered)]).toEqual([[400, 'ValidationError'], signedFields.split(' ')]);
      expect(await transactionsOf(client)).toEqual([]);
    },
  },
  'A-24': {
    default: async () => {
      expect(await countOfTwice({})).toEqual([202, 1, 249, expect.stringContaining('repeated-receipt')]);
    },
    twice: async () => expect(await countOfTwice({ assumptions: { 'A-24': 'twice' } })).toEqual([202, 2, 498, '']),
  },
  'A-25': {
    default: async () => {
      const client = await openRetailerSim();
      const contact = { matchKey: 'nobody@example.com', matchKeyType: 'email' };
      const { status, warnings } = await sendReceipt(client, { contact });
      expect([status, warnings]).toEqual([202, expect.stringContaining('unknown-contact')]);
      const [{ id }] = (await client.get('/__admin/requests')).body.items;
      const [effect] = (await client.get(`/__admin/requests/${id}`)).body.effects;
      expect([effect.table, effect.fields.contactId]).toEqual(['receipts', { to: null }]);
    },
  },
  'A-26': {
    default: async () => {
      const client = await openRetailerSim();
      await sendReceipt(client);
      expect(await transactionsOf(client)).toHaveLength(1);
      const slow = await openRetailerSim({ queueDelay: 900_000 });
      await sendReceipt(slow);
      await advance(slow, '14m');
      expect(await transactionsOf(slow)).toEqual([]);
      await advance(slow, '1m');
      expect(await transactionsOf(slow)).toHaveLength(1);
    },
  },
  'A-27': { default: async () => expect((await sendReceipt(await openRetailerSim())).body).toEqual({}) },
  'A-28': {
    default: async () => {
      const client = await openRetailerSim();
      await sendReceipt(client, { currency: 'EUR', exchangeRateToGroupCurrency: 10 });
      expect(await transactionsOf(client)).toEqual([
        {
          id: expect.any(String),
          transactionNumber: 'r-1',
          uniqueReceiptId: 'r-1',
          createdDate: '2026-03-01T11:00:00Z',
          storeExternalId: '100',
          storeName: 'Stockholm',
          numberOfItems: 1,
          netPriceSum: 1992,
          localNetPriceSum: 199.2,
          localCurrency: 'EUR',
          groupCurrency: 'SEK',
          lineItems: [
            {
              id: expect.any(String),
              type: 'PURCHASE',
              sku: '1001-M',
              articleNumber: '1001',
              articleName: 'T-shirt',
              articleGroup: null,
              quantity: 1,
              price: 2490,
              localPrice: 249,
              isReturned: false,
            },
          ],
        },
      ]);
    },
  },
  'A-29': {
    default: async () => {
      const client = await openRetailerSim();
      expect(refused(await summaryOf(client, bo))).toEqual([404, 'RetailKpiNotCalculated']);
      await sendReceipt(client, { createdDate: '2025-03-01T11:00:00Z' }, 'over-a-year-ago');
      await sendReceipt(client, { createdDate: '2025-04-01T11:00:00Z', currency: 'EUR' }, 'within-a-year');
      await sendReceipt(client, { items: [returnOf({ grossPaidPrice: 9 })], totalGrossPrice: -9 }, 'return');
      const { body } = await summaryOf(client);
      expect([body.purchaseAmountLastYear, body.purchaseAmountLastTwoYears]).toEqual([2730, 2979]);
      expect([body.purchaseFrequencyLastYear, body.averageReceiptLastYear]).toEqual([2, 1365]);
      expect([body.numberOfArticlePurchasesLastYear, body.numberOfArticlePurchasesAll]).toEqual([0, 1]);
    },
    zeros: async () => {
      const client = await openRetailerSim({ assumptions: { 'A-29': 'zeros' } });
      const { status, body } = await summaryOf(client, bo);
      expect([status, body.latestReceiptDate, body.purchaseAmountAll, body.averageReceiptAll]).toEqual([
        200,
        null,
        0,
        0,
      ]);
    },
  },
  'A-30': {
    default: async () => {
      const client = await openRetailerSim();
      const { status, body } = await client.post('/orders', order());
      expect(status).toBe(202);
      const href = `/orders/jobs/${body.jobId}`;
      expect(body).toEqual({
        jobId: expect.any(String),
        links: [{ id: body.jobId, href, method: 'GET', rel: 'self' }],
      });
      const job = (await client.get(href)).body;
      expect([job.status, job.communications.length]).toEqual(['Completed', 1]);
      const [sent] = (await client.get('/__admin/outbox')).body.items;
      expect(sent).toMatchObject({
        template: 'order-confirmation',
        to: 'astrid.lindqvist@example.com',
        status: 'sent',
      });
      const { contact } = order() as { contact: object };
      const missing = wrongFields(await client.post('/orders', { contact, items: [] }));
      expect(missing.join(' ')).toBe(
        'orderNumber orderStatus paymentStatus createdDate storeId currency totalGrossPrice',
      );
    },
    lenient: async () => {
      const client = await openRetailerSim({ assumptions: { 'A-30': 'lenient' } });
      const { contact } = order() as { contact: object };
      const answers = [{}, { contact }, { contact, items: [{}] }].map((sent) => client.post('/orders', sent));
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([202, 202, 202]);
    },
    sync: async () => {
      const client = await openRetailerSim({ assumptions: { 'A-30': 'sync' }, queueDelay: 60_000 });
      const { status, body } = await client.post('/orders', order());
      expect([status, body.status, body.communications.length]).toEqual([200, 'Completed', 1]);
      expect((await client.get(`/orders/jobs/${body.jobId}`)).body).toEqual(body);
    },
  },
  'A-73': {
    default: async () => {
      expect(await templatesAfter(await openRetailerSim(), comingBack)).toEqual([
        ['order-confirmation'],
        'repeated-order: order W-1 had the status OrderConfirmed before; what that sent is not sent again',
      ]);
    },
    again: async () => {
      const client = await openRetailerSim({ assumptions: { 'A-73': 'again' } });
      expect(await templatesAfter(client, comingBack)).toEqual([['order-confirmation', 'order-confirmation'], '']);
    },
  },
  'A-74': {
    default: async () => {
      const [sent, warnings] = await templatesAfter(await openRetailerSim(), otherContact);
      expect([sent, warnings]).toEqual([
        ['order-confirmation'],
        expect.stringContaining('stays there, and sends nothing'),
      ]);
    },
    moved: async () => {
      const client = await openRetailerSim({ assumptions: { 'A-74': 'moved' } });
      const [, warnings] = await templatesAfter(client, otherContact);
      expect(warnings).toContain(`it is moved to contact ${bo}`);
      expect((await client.get(`/__admin/contacts/${bo}/card`)).body.orders.totalCount).toBe(1);
    },
  },
} satisfies Record<string, Record<string, Case>>;
