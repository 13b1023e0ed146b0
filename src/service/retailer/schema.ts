import * as z from '../../core/validation/deferred-zod.ts';
import { isTimeZone } from '../../core/time/time-zone.ts';
import type { Table } from '../../core/state/state.ts';
import { matchKeyTypes } from '../contacts/match-keys.ts';

/** Describes a further contact field that this retailer keeps. */
const contactAttributeSchema = z.strictObject({
  name: z.string().min(1),
  type: z.enum(['text', 'date', 'timestamp', 'number', 'boolean']).default('text'),
});

/** Describes what is set up once for a retailer. */
export const retailerSchema = z.strictObject({
  name: z.string().min(1),
  groupCurrency: z.string().length(3),
  /** Holds the units of group currency for one unit of another. */
  exchangeRates: z.record(z.string(), z.number().positive()).default({}),
  /** Names the time zone in which months are counted. */
  timeZone: z
    .string()
    .refine(isTimeZone, { error: 'must be the name of a time zone, as Europe/Stockholm' })
    .default('Europe/Stockholm'),
  /** Names the contact type of whoever comes without one. */
  defaultContactType: z.string().min(1).default('Member'),
  contactAttributes: z.array(contactAttributeSchema).default([]),
  /** False means that no points arise: `New point system not active`. */
  isPointSystemActive: z.boolean().default(true),
  /** Holds the e-mail or text message that an order of some status sets off (POST /orders). */
  orderCommunications: z
    .array(
      z.strictObject({
        orderStatus: z.string().min(1),
        template: z.string().min(1),
        channel: z.enum(['email', 'sms']),
      }),
    )
    .default([]),
});

export type Retailer = z.infer<typeof retailerSchema>;

/** Holds one row. */
export const retailers: Table<Retailer> = { name: 'retailer', scope: 'state', key: () => 'retailer' };

export const contactTypeSchema = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  /** Holds the type's primary key: required of every contact of the type, unless the service numbers it itself. */
  keyAttribute: z.enum(matchKeyTypes),
  unique: z
    .array(z.enum(matchKeyTypes))
    .default([...matchKeyTypes])
    .describe('Match keys that no two contacts of the type share (default: all); keyAttribute is one of them'),
  required: z.array(z.string()).default([]),
  /** At least one of these must be there. */
  requiresOneOf: z.array(z.string()).default([]),
});

export type ContactType = z.infer<typeof contactTypeSchema>;

/** Names of contact types are compared without case. */
export const contactTypes: Table<ContactType> = {
  name: 'contactTypes',
  scope: 'state',
  key: (type) => type.id,
  unique: { id: (type) => [type.id.toLowerCase()] },
};

const storeText = z.string().nullable().default(null);

/** Describes a store of a fixture; `currency` is for generated receipts, and is not returned. */
export const storeSchema = z.strictObject({
  externalId: z.string().min(1),
  name: z.string().min(1),
  city: z.string().optional(),
  countryCode: z.string().length(2).optional(),
  currency: z.string().length(3).optional(),
  type: z.enum(['RETAIL', 'ECOM']).default('RETAIL'),
  active: z.boolean().default(true),
  county: storeText,
  email: storeText,
  adjacentZipCodes: storeText,
  emailUnsubscribeText: storeText,
  emailViewOnlineText: storeText,
  footerHtml: storeText,
  headerHtml: storeText,
  homepage: storeText,
  locale: storeText,
  phoneNumber: storeText,
  region: storeText,
  senderAddress: storeText,
  senderName: storeText,
  street: storeText,
  zipCode: storeText,
  timeZone: storeText,
});

/** Describes a store as it is returned. */
export const storeResponseSchema = storeSchema
  .omit({ currency: true })
  .extend({ city: z.string().nullable(), countryCode: z.string().nullable() })
  .meta({ id: 'Store' });

export type Store = z.infer<typeof storeSchema>;

export const stores: Table<Store> = { name: 'stores', scope: 'state', key: (store) => store.externalId };
