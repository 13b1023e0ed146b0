import * as z from '../../core/validation/deferred-zod.ts';
import { parseTimestamp } from '../../core/time/clock.ts';
import { linkSchema } from '../../core/exchange/pagination.ts';
import type { RequiredFields } from '../../core/validation/required-fields.ts';
import type { Table } from '../../core/state/state.ts';
import { matchKeyTypes } from '../contacts/match-keys.ts';
import {
  currencyCode,
  arrayOf,
  number,
  objectOf,
  requiredText,
  text,
  timestamp,
  caseInsensitiveEnum,
  upTo,
} from '../../core/validation/field-types.ts';

/** Accepts a field that may only be missing where the tenant is lenient: see `requiredOrderFields`. */
const requiredUnlessLenient = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullable().optional().describe('Required, unless A-30 is set to lenient');

const allRequiredFields: RequiredFields = {
  fields: [
    'contact',
    'orderNumber',
    'orderStatus',
    'paymentStatus',
    'createdDate',
    'storeId',
    'currency',
    'totalGrossPrice',
    'items',
  ],
  lists: { items: { fields: ['sku', 'quantity'] } },
};

export const requiredOrderFields = (assumption: (id: string) => string): RequiredFields | undefined =>
  assumption('A-30') === 'lenient' ? undefined : allRequiredFields;

const contactReference = objectOf({
  matchKey: requiredText,
  matchKeyType: caseInsensitiveEnum(['contactId', ...matchKeyTypes]),
  contactType: text.nullable().optional(),
});

const optionalText = text.nullable().optional();
const optionalNumber = number.nullable().optional();

/** Returns an object of values as a list of names and values; some clients send one. */
const pairsOf = (sent: unknown): unknown =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent)
    ? Object.entries(sent).map(([name, value]) => ({ name, value: typeof value === 'object' ? value : String(value) }))
    : sent;

const orderItem = objectOf({
  type: optionalText,
  sku: requiredUnlessLenient(requiredText),
  articleNumber: optionalText,
  articleName: optionalText,
  articleGroup: optionalText,
  description: optionalText,
  quantity: requiredUnlessLenient(number),
  grossPaidPrice: optionalNumber,
  taxAmount: optionalNumber,
  taxPercent: optionalNumber,
  discounts: arrayOf(objectOf({ type: optionalText, description: optionalText, value: number }))
    .nullable()
    .optional(),
  extraData: z.preprocess(pairsOf, arrayOf(objectOf({ name: text, value: text })).nullish()),
});

const maxItems = 5000;

export const orderBody = objectOf({
  contact: requiredUnlessLenient(contactReference),
  orderNumber: requiredUnlessLenient(requiredText),
  orderStatus: requiredUnlessLenient(requiredText),
  paymentStatus: requiredUnlessLenient(requiredText),
  createdDate: requiredUnlessLenient(timestamp),
  storeId: requiredUnlessLenient(requiredText),
  currency: requiredUnlessLenient(currencyCode),
  exchangeRateToGroupCurrency: optionalNumber,
  language: optionalText,
  shippingDate: timestamp.nullish(),
  totalTax: optionalNumber,
  paymentMethods: arrayOf(objectOf({ type: optionalText, description: optionalText, value: optionalNumber })).nullish(),
  totalGrossPrice: requiredUnlessLenient(number),
  items: requiredUnlessLenient(arrayOf(orderItem).max(...upTo(maxItems, 'items', 'hold'))),
});

export type OrderBody = z.infer<typeof orderBody>;

/** Describes an order as it was sent, with what that set off; sent again unchanged, it stays this one. */
const orderVersionSchema = z.strictObject({
  orderStatus: z.string().nullable(),
  paymentStatus: z.string().nullable(),
  receivedOn: z.string(),
  jobId: z.string(),
  communications: z.array(z.string()).readonly(),
});

export type OrderVersion = z.infer<typeof orderVersionSchema>;

/** Describes an order as last sent, with everything that it went through. */
export const orderRowSchema = z.strictObject({
  id: z.string(),
  orderNumber: z.string().nullable(),
  contactId: z.string().nullable().describe('Null while nobody has the key that the order names its contact by'),
  content: orderBody,
  versions: z.array(orderVersionSchema).readonly(),
});

export type OrderRow = z.infer<typeof orderRowSchema>;

const receivedOn = ({ versions }: OrderRow): number => parseTimestamp(versions[0]?.receivedOn ?? '') ?? 0;

export const orders: Table<OrderRow> = {
  name: 'orders',
  scope: 'state',
  key: (order) => order.id,
  unique: { orderNumber: ({ orderNumber }) => (orderNumber === null ? [] : [orderNumber]) },
  lists: {
    byContact: (order) => (order.contactId === null ? undefined : { of: order.contactId, order: receivedOn(order) }),
  },
};

/** Describes the status of an order's job. */
export const orderJobSchema = z
  .object({
    jobId: z.guid(),
    status: z.enum(['Queued', 'Completed', 'CompletedWithErrors', 'Failed']),
    orderNumber: z.string().nullable(),
    createdOn: z.string(),
    finishedOn: z.string().nullable(),
    /** Lists the ids of what was put in the outbox. */
    communications: z.array(z.guid()),
    messages: z.array(z.object({ message: z.string(), timeStamp: z.string() })),
  })
  .meta({ id: 'OrderJob' });

export type OrderJob = z.infer<typeof orderJobSchema>;

/** Describes an order job as it is kept: with the queued work that it stands for, if any. */
type OrderJobRow = OrderJob & { readonly queuedAs: string | null };

export const orderJobs: Table<OrderJobRow> = { name: 'orderJobs', scope: 'state', key: (job) => job.jobId };

export const acceptedOrderSchema = z
  .object({ jobId: z.guid(), links: z.array(linkSchema) })
  .meta({ id: 'AcceptedOrder' });

/** Describes an e-mail or text message that an order set off, whether or not there was an address to send it to. */
export const communicationSchema = z
  .strictObject({
    id: z.guid(),
    /** Counts them in the order they were made. */
    number: z.number().int(),
    at: z.string(),
    contactId: z.guid(),
    channel: z.enum(['email', 'sms']),
    to: z.string().nullable(),
    template: z.string(),
    orderNumber: z.string().nullable(),
    orderStatus: z.string(),
    jobId: z.guid(),
    status: z.enum(['sent', 'not-sent']),
    reason: z.string().nullable(),
  })
  .meta({ id: 'Communication' });

export type Communication = z.infer<typeof communicationSchema>;

const sentAt = ({ at }: Communication): number => parseTimestamp(at) ?? 0;

export const outbox: Table<Communication> = {
  name: 'outbox',
  scope: 'state',
  key: (communication) => communication.id,
  lists: {
    all: (sent) => ({ of: 'all', order: sentAt(sent), tie: sent.number }),
    byContact: (sent) => ({ of: sent.contactId, order: sentAt(sent), tie: sent.number }),
    byOrder: (sent) =>
      sent.orderNumber === null ? undefined : { of: sent.orderNumber, order: sentAt(sent), tie: sent.number },
  },
};
