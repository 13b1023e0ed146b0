import * as z from '../../core/validation/deferred-zod.ts';
import { parseTimestamp } from '../../core/time/clock.ts';
import type { IndexEntry, Table } from '../../core/state/state.ts';
import { contactConsentSchema } from '../consents/schema.ts';
import { flag, arrayOf, looseObjectOf, objectOf, text, upTo } from '../../core/validation/field-types.ts';
import { matchKeyFormats, matchKeyTypes, normalizeMatchKey } from './match-keys.ts';
import type { MatchKeyType } from './match-keys.ts';

/** Lists the fields that every contact has; more are set up per retailer. */
export const contactFields = [
  'firstName',
  'lastName',
  'street',
  'email',
  'mobilePhone',
  'memberNumber',
  'externalId',
  'socialSecurityNumber',
  'countryCode',
] as const;

const preferencesRow = z.strictObject({
  acceptsEmail: z.boolean().nullable(),
  acceptsPostal: z.boolean().nullable(),
  acceptsSms: z.boolean().nullable(),
});

/** Holds the preferences of a contact who has given none. */
export const noPreferences: z.infer<typeof preferencesRow> = {
  acceptsEmail: null,
  acceptsPostal: null,
  acceptsSms: null,
};

/** Describes a contact as it is kept. */
export const contactRowSchema = z.strictObject({
  id: z.guid(),
  contactType: z.string(),
  /** Holds the specification's fields and the retailer's own, as last written. */
  attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  preferences: preferencesRow,
  consents: z.array(contactConsentSchema).readonly(),
  source: z.string().nullable(),
  storeExternalId: z.string().nullable(),
  isApproved: z.boolean(),
  createdOn: z.string(),
  modifiedOn: z.string(),
  /** Holds the match keys that the contact's type lets several contacts share, if there are any. */
  sharedKeys: z.array(z.enum(matchKeyTypes)).readonly().optional(),
});

export type ContactRow = z.infer<typeof contactRowSchema>;

/** Returns the index value of a match key, unique within its contact type (Contact rule 3). */
export const matchKeyIndexValue = (contactType: string, type: string, normalized: string): string =>
  `${contactType}|${type}|${normalized}`;

/** Returns the index value of a contact's key; undefined when it has none that is well formed. */
function keyOf({ contactType, attributes }: ContactRow, type: MatchKeyType): string | undefined {
  const value = attributes[type];
  const normalized = typeof value === 'string' ? normalizeMatchKey(type, value) : undefined;
  return normalized === undefined ? undefined : matchKeyIndexValue(contactType, type, normalized);
}

const uniqueKeysOf = (contact: ContactRow): string[] =>
  matchKeyTypes.flatMap((type) => (contact.sharedKeys?.includes(type) ? [] : (keyOf(contact, type) ?? [])));

const createdAt = ({ createdOn }: ContactRow): number => parseTimestamp(createdOn) ?? 0;

/** Returns the name of the list of the contacts that share a key of this type. */
export const sharedKeyList = (type: MatchKeyType): string => `of several ${type}`;

const sharedKeyLists = Object.fromEntries(
  matchKeyTypes.map((type) => [
    sharedKeyList(type),
    (contact: ContactRow): IndexEntry | undefined => {
      const of = contact.sharedKeys?.includes(type) ? keyOf(contact, type) : undefined;
      return of === undefined ? undefined : { of, order: createdAt(contact) };
    },
  ]),
);

export const contacts: Table<ContactRow> = {
  name: 'contacts',
  scope: 'state',
  key: (contact) => contact.id,
  unique: { matchKey: uniqueKeysOf },
  lists: {
    byType: (contact) => ({ of: contact.contactType, order: createdAt(contact) }),
    ...sharedKeyLists,
  },
};

/** Returns what a contact notes of its type's match keys. */
export function sharedKeysOf({ unique }: { readonly unique: readonly MatchKeyType[] }): Pick<ContactRow, 'sharedKeys'> {
  const shared = matchKeyTypes.filter((type) => !unique.includes(type));
  return shared.length === 0 ? {} : { sharedKeys: shared };
}

const preferencesBody = objectOf({
  acceptsEmail: flag.nullable().optional(),
  acceptsPostal: flag.nullable().optional(),
  acceptsSms: flag.nullable().optional(),
});

const consentBody = objectOf({
  id: text,
  value: flag,
  source: text.nullable().optional(),
  comment: text.nullable().optional(),
});

/** Returns a match key: well formed, or blank for none. */
const matchKeySchema = (type: MatchKeyType) =>
  text.refine((sent) => sent === '' || normalizeMatchKey(type, sent) !== undefined, { error: matchKeyFormats[type] });

/** Holds the fields that every retailer's contacts are sent with. */
export const contactBodyFields = {
  firstName: text.nullable().optional(),
  lastName: text.nullable().optional(),
  street: text.nullable().optional(),
  email: matchKeySchema('email').nullable().optional(),
  mobilePhone: matchKeySchema('mobilePhone').nullable().optional(),
  memberNumber: matchKeySchema('memberNumber').nullable().optional(),
  externalId: matchKeySchema('externalId').nullable().optional(),
  socialSecurityNumber: matchKeySchema('socialSecurityNumber').nullable().optional(),
  countryCode: text.nullable().optional(),
  contactType: text.nullable().optional(),
  preferences: preferencesBody.nullable().optional(),
  consents: arrayOf(consentBody)
    .max(...upTo(1000, 'consents'))
    .nullable()
    .optional(),
};

/**
 * Describes a contact as a caller sends it: flat, every field optional. Fields set up per retailer come through
 * unread.
 */
export const contactBody = looseObjectOf(contactBodyFields).meta({ id: 'ContactBody' });

export type ContactBody = z.infer<typeof contactBody>;

const nullableString = z.string().nullable();

/** Describes a contact as the specification's table has it. */
const flatContactSchema = z
  .looseObject({
    id: z.guid(),
    firstName: nullableString,
    lastName: nullableString,
    street: nullableString,
    email: nullableString,
    mobilePhone: nullableString,
    memberNumber: nullableString,
    externalId: nullableString,
    socialSecurityNumber: nullableString,
    countryCode: nullableString,
    contactType: z.string(),
    preferences: preferencesRow,
    consents: z.array(contactConsentSchema),
  })
  .meta({ id: 'Contact' });

/** Describes a contact in an envelope, which A-10's other variants respond with. */
const envelopedContactSchema = z
  .looseObject({
    id: z.guid(),
    attributes: z.record(z.string(), z.unknown()),
    meta: z.object({
      contactType: z.string(),
      createdOn: z.string(),
      modifiedOn: z.string(),
      source: z.string().nullable(),
      storeExternalId: z.string().nullable(),
      isApproved: z.boolean(),
    }),
    preferences: preferencesRow,
    consents: z.array(contactConsentSchema),
  })
  .meta({ id: 'ContactInEnvelope' });

/** Describes a contact in a response: the first form unless A-10 says otherwise. */
export const contactSchema = z.union([flatContactSchema, envelopedContactSchema]).meta({ id: 'ContactAnswer' });

const identifier = text.optional();

/** Takes one of these keys, and the contact type to look among. */
export const lookupQuery = z.object({
  email: identifier,
  mobilePhone: identifier,
  socialSecurityNumber: identifier,
  customKey: identifier,
  memberNumber: identifier,
  externalId: identifier,
  any: identifier,
  contactType: identifier,
});

export type LookupQuery = z.infer<typeof lookupQuery>;

/** Describes the status of a batch of contacts. */
export const contactBatchSchema = z
  .object({
    batchId: z.guid(),
    status: z.enum(['Queued', 'Completed', 'CompletedWithErrors', 'Failed']),
    message: z.string().optional().describe('Says why it failed as a whole'),
    createdOn: z.string(),
    finishedOn: z.string().nullable(),
    totalCount: z.number().int(),
    succeededCount: z.number().int(),
    failedCount: z.number().int(),
    errors: z.array(
      z.object({
        index: z.number().int(),
        errorCode: z.string(),
        message: z.string(),
        messageDetails: z.record(z.string(), z.unknown()).optional(),
        validationErrors: z.array(z.object({ field: z.string(), errorDescription: z.string() })).optional(),
      }),
    ),
  })
  .meta({ id: 'ContactBatch' });

export type ContactBatch = z.infer<typeof contactBatchSchema>;

/** Describes a batch as it is kept: with the queued work that it stands for. */
export type ContactBatchRow = ContactBatch & { readonly queuedAs: string };

export const contactBatches: Table<ContactBatchRow> = {
  name: 'contactBatches',
  scope: 'state',
  key: (batch) => batch.batchId,
};
