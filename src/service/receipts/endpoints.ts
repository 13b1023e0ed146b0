import * as z from '../../core/validation/deferred-zod.ts';
import { apiResponse, endpoint, isLongList } from '../../core/exchange/endpoint.ts';
import { subjectOf } from '../../core/exchange/subject.ts';
import { newestFirst, pageSchema, pageQuery, paginate } from '../../core/exchange/pagination.ts';
import { getContact } from '../contacts/lookup.ts';
import { text } from '../../core/validation/field-types.ts';
import { receiptByFile } from './by-file.ts';
import { serializeTransaction } from './serialize.ts';
import { acceptReceipt, purchaseHistorySummary } from './operations.ts';
import { purchasePiece, receiptContactSubjects } from './subjects.ts';
import { receipts } from './tables.ts';
import { requiredReceiptFields } from './required-fields.ts';
import { receiptBody, summarySchema, transactionSchema } from './schema.ts';

const tag = 'Receipts, transactions, orders';

/** Holds a contact of the default fixture. */
const astrid = '5a0e7c1e-0001-4000-8000-000000000001';

export const receiptEndpoints = [
  endpoint({
    id: 'createReceipt',
    method: 'POST',
    path: '/api/v3/receipts',
    tag,
    summary: 'Queues a finished purchase or return to be recorded; it can be neither changed nor taken back',
    body: receiptBody,
    // Receipt rule 2
    bodyRules: {
      required: requiredReceiptFields,
      renamedFields: { usedBonusChecks: 'usedRewardVouchers', checkNumber: 'voucherNumber' },
    },
    responses: { 202: z.strictObject({}) },
    errors: ['ValidationError', 'InvalidContactType'],
    assumptions: ['A-22', 'A-26', 'A-27'],
    retry: 'keyed',
    idempotencyKey: 'body.uniqueReceiptId',
    readBack: ['listTransactions', 'getPurchaseHistorySummary'],
    subjects: ({ body }) => receiptContactSubjects(body),
    work: ({ body }) => [purchasePiece('receipt', body)],
    broughtOtherwise: receiptByFile,
    examples: [
      {
        body: {
          contact: { matchKey: 'astrid.lindqvist@example.com', matchKeyType: 'email' },
          uniqueReceiptId: '100-2-5150',
          receiptNumber: '5150',
          createdDate: '2026-02-27T16:42:00+01:00',
          storeExternalId: '100',
          currency: 'SEK',
          exchangeRateToGroupCurrency: 1,
          totalGrossPrice: 749,
          paymentMethods: [{ type: 'card', description: 'Visa', value: 749 }],
          items: [
            {
              type: 'PURCHASE',
              quantity: 1,
              grossPaidPrice: 749,
              taxAmount: 149.8,
              taxPercent: 25,
              sku: '30412-38',
              articleNumber: '30412',
              articleName: 'Wool cardigan',
              articleGroup: 'Knitwear',
              awardsPoints: true,
              discounts: [{ type: 'CAMPAIGN', description: 'Autumn sale', value: -150 }],
            },
          ],
        },
        status: 202,
      },
    ],
    isLong: ({ items }) => isLongList(items),
    handle: (tenant, { body }) => {
      acceptReceipt(tenant, body);
      return apiResponse(202, {});
    },
  }),
  endpoint({
    id: 'listTransactions',
    method: 'GET',
    path: '/api/v3/transactions',
    tag,
    summary: "A contact's purchases and returns with their articles, the latest first",
    query: z.object({ contactId: text, ...pageQuery }),
    responses: { 200: pageSchema(transactionSchema) },
    errors: ['ContactNotFound', 'ValidationError'],
    assumptions: ['A-28'],
    retry: 'safe',
    subjects: ({ query }) => subjectOf('contact', query['contactId']),
    lists: { table: receipts.name },
    examples: [{ query: { contactId: astrid }, status: 200 }],
    handle: (tenant, { query, self }) => {
      const list = tenant.list(receipts, 'byContact', getContact(tenant, query.contactId).id);
      const page = paginate({
        self,
        page: query,
        totalCount: list.size,
        items: (wanted) =>
          newestFirst(list, wanted).flatMap((key) => {
            const receipt = tenant.get(receipts, key);
            return receipt ? [serializeTransaction(tenant, receipt)] : [];
          }),
        counts: tenant.assumption('A-06'),
      });
      return apiResponse(200, page);
    },
  }),
  endpoint({
    id: 'getPurchaseHistorySummary',
    method: 'GET',
    path: '/api/v3/contacts/{contactId}/purchasehistorysummary',
    tag: 'Contacts',
    summary: 'Sums up what a contact bought, in group currency: in all, in the last year and in the last two years',
    responses: { 200: summarySchema },
    errors: ['RetailKpiNotCalculated'],
    assumptions: ['A-29'],
    retry: 'safe',
    subjects: ({ params }) => subjectOf('contact', params['contactId']),
    examples: [{ params: { contactId: astrid }, status: 200 }],
    handle: (tenant, { params }) => apiResponse(200, purchaseHistorySummary(tenant, params.contactId ?? '')),
  }),
];
