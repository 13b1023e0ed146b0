import { plural } from '../../core/lib/plural.ts';
import { contactName } from '../contacts/contact-name.ts';
import { createdTooOften, textIn } from '../resource/duplicate-wording.ts';
import { headline } from '../resource/headline.ts';
import { latestRows } from '../resource/card-section.ts';
import { resource } from '../resource/resource.ts';
import { countField } from '../resource/state-field.ts';
import { receiptEndpoints } from './endpoints.ts';
import { receiptsFixture } from './fixture.ts';
import { recordReceipt } from './operations.ts';
import { transactionSchema } from './schema.ts';
import { serializeTransaction } from './serialize.ts';
import { receiptSubjects } from './subjects.ts';
import { purchaseHistoryChanges, receipts } from './tables.ts';

export const receiptResource = resource({
  name: 'receipts',
  endpoints: receiptEndpoints,
  jobs: { 'receipts.record': recordReceipt },
  tables: [receipts, purchaseHistoryChanges],
  headlines: [
    headline(receipts, ['uniqueReceiptId', 'totalGrossPrice', 'currency', 'storeExternalId']),
    headline(purchaseHistoryChanges, ['changedOn']),
  ],
  fixtures: [receiptsFixture],
  generated: {
    amounts: { receiptsPerContact: { description: 'number of receipts of each contact', default: 2, most: 1000 } },
    sections: async () => (await import('./generated-receipts.ts')).generatedReceipts,
  },
  banner: { receipts: 'receipts' },
  state: {
    receipts: countField('receipts', (tenant, contactId) => tenant.list(receipts, 'byContact', contactId).size),
  },
  card: () => ({
    receipts: latestRows({
      table: receipts,
      item: transactionSchema,
      show: (receipt, { tenant }) => serializeTransaction(tenant, receipt),
    }),
  }),
  subjects: receiptSubjects,
  things: [
    {
      table: receipts.name,
      describe: (effects, tenant) =>
        effects.flatMap(({ key }) => {
          const receipt = tenant.get(receipts, key);
          if (!receipt) return [];
          const { contactId, totalGrossPrice, currency, items } = receipt;
          const text = `a receipt of ${totalGrossPrice} ${currency} with ${plural(items.length, 'line')}`;
          return [{ contact: contactId === null ? 'nobody' : contactName(tenant, contactId), text }];
        }),
    },
  ],
  wording: [
    createdTooOften(
      receipts.name,
      (effect) => `receipt ${textIn(effect, 'uniqueReceiptId', 'transactionNumber')} is one too many`,
    ),
  ],
});
