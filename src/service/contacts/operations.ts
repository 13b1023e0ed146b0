import { toTimestamp } from '../../core/time/clock.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { answerConsents, withDefaultConsents } from '../consents/operations.ts';
import { validationError, apiError } from '../errors/catalog.ts';
import { getContactType, warnIfUnknownStore } from '../retailer/operations.ts';
import type { ContactType } from '../retailer/schema.ts';
import { parseAttributes } from './attributes.ts';
import { matchKeyTypes } from './match-keys.ts';
import { findByKey, findContact, contactNotFoundMessage } from './lookup.ts';
import { memberNumberAt } from './member-numbers.ts';
import { missingContactFields } from './required-fields.ts';
import { contacts, noPreferences, sharedKeysOf } from './schema.ts';
import type { ContactBody, ContactRow } from './schema.ts';

/** Describes the circumstances of a creation, from the query. */
export interface CreationOptions {
  readonly source?: string | undefined;
  readonly storeExternalId?: string | undefined;
  readonly createAsUnapproved?: boolean | undefined;
}

const emptyContact: Pick<ContactRow, 'attributes' | 'preferences' | 'consents'> = {
  attributes: {},
  preferences: noPreferences,
  consents: [],
};

/** Makes a contact. Throws `InvalidContactType`, a validation error, or `ApprovedContactWithKeyExists`. */
export function createContact(tenant: TenantContext, body: ContactBody, options: CreationOptions = {}): ContactRow {
  const type = getContactType(tenant, body.contactType ?? undefined);
  const now = toTimestamp(tenant.now());
  const given = mergeChanges(tenant, emptyContact, body);
  const contact = withMemberNumber(tenant, type, {
    id: tenant.newId(),
    contactType: type.id,
    ...given,
    consents: withDefaultConsents(tenant, given.consents),
    source: options.source ?? null,
    storeExternalId: options.storeExternalId ?? null,
    isApproved: !options.createAsUnapproved,
    createdOn: now,
    modifiedOn: now,
    ...sharedKeysOf(type),
  });
  checkRequired(type, contact);
  checkKeysAreFree(tenant, contact);
  warnIfUnknownStore(tenant, 'storeExternalId', contact.storeExternalId);
  return tenant.put(contacts, contact);
}

/**
 * Overwrites what the body names, even with "" and null (Contact rule 2); names that don't exist are ignored
 * (rule 1), and so is contactType. Throws `NotFound`, a validation error, or `ApprovedContactWithKeyExists`.
 */
export function updateContact(tenant: TenantContext, id: string, body: ContactBody): ContactRow {
  const contact = findContact(tenant, id);
  if (!contact) throw apiError('NotFound', { message: `Not Found: ${contactNotFoundMessage(id)}.` });
  return applyContactChanges(tenant, contact, body);
}

/** Does what `updateContact` does to a contact already found. */
export function applyContactChanges(tenant: TenantContext, contact: ContactRow, body: ContactBody): ContactRow {
  if (Object.keys(body).length === 0) throw apiError('NoData');
  if (body.contactType !== undefined && body.contactType?.toLowerCase() !== contact.contactType.toLowerCase()) {
    tenant.warn(
      'contact-type-unmoved',
      `contactType stays ${contact.contactType}: only POST /api/v3/contacts/{contactId}/updateContactType changes it`,
    );
  }
  if (body.consents?.length === 0) {
    tenant.warn('consents-kept', 'consents: [] sets none; a set consent never goes back to not set');
  }
  const changed: ContactRow = {
    ...contact,
    ...mergeChanges(tenant, contact, body),
    modifiedOn: toTimestamp(tenant.now()),
  };
  checkKeysAreFree(tenant, changed);
  return tenant.put(contacts, changed);
}

/** Gives a contact another type. Throws `NotFound`, `InvalidContactType`, or `ApprovedContactWithKeyExists`. */
export function updateContactType(tenant: TenantContext, id: string, contactTypeId: string): ContactRow {
  const contact = findContact(tenant, id);
  if (!contact) throw apiError('NotFound', { message: `Not Found: ${contactNotFoundMessage(id)}.` });
  const type = getContactType(tenant, contactTypeId);
  const { sharedKeys: _, ...unchanged } = contact;
  const moved = withMemberNumber(tenant, type, {
    ...unchanged,
    contactType: type.id,
    modifiedOn: toTimestamp(tenant.now()),
    ...sharedKeysOf(type),
  });
  checkRequired(type, moved);
  checkKeysAreFree(tenant, moved);
  return tenant.put(contacts, moved);
}

/** Counts the contacts of one type or of all. */
export function countContacts(tenant: TenantContext, contactType: string | undefined): number {
  return contactType === undefined
    ? tenant.count(contacts)
    : tenant.list(contacts, 'byType', getContactType(tenant, contactType).id).size;
}

function mergeChanges(
  tenant: TenantContext,
  present: Pick<ContactRow, 'attributes' | 'preferences' | 'consents'>,
  body: ContactBody,
): Pick<ContactRow, 'attributes' | 'preferences' | 'consents'> {
  const changes = parseAttributes(tenant, body);
  const { consents } = body;
  const preferences = body.preferences === null ? emptyContact.preferences : omitUndefined(body.preferences ?? {});
  warnOfErasures(tenant, present.attributes, changes);
  warnOfErasures(tenant, present.preferences, preferences, 'preferences.');
  return {
    attributes: { ...present.attributes, ...changes },
    preferences: { ...present.preferences, ...preferences },
    consents: consents ? answerConsents(tenant, present.consents, consents) : keepConsents(tenant, present, consents),
  };
}

/** Consent transitions: an answer that was given can't be taken back by sending nothing. */
function keepConsents(
  tenant: TenantContext,
  { consents }: Pick<ContactRow, 'consents'>,
  sent: null | undefined,
): ContactRow['consents'] {
  if (sent === null && consents.length > 0) {
    tenant.warn('consents-kept', 'consents: null changes nothing; a set consent never goes back to not set');
  }
  return consents;
}

function omitUndefined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]: Exclude<T[K], undefined> };
}

type ContactAttributes = Readonly<Partial<ContactRow['attributes']>>;

function warnOfErasures(
  tenant: TenantContext,
  present: ContactAttributes,
  changes: ContactAttributes,
  path = '',
): void {
  for (const [name, value] of Object.entries(changes)) {
    const had = present[name] ?? '';
    if (had === '' || (value !== null && value !== '')) continue;
    tenant.warn(
      'value-erased',
      `${path}${name} had a value and is now ${value === null ? 'null' : '""'}: present fields overwrite`,
    );
  }
}

/** Gives the next member number to a contact of a type that is numbered by the service, unless it brings one. */
function withMemberNumber(tenant: TenantContext, type: ContactType, contact: ContactRow): ContactRow {
  if (type.keyAttribute !== 'memberNumber' || (contact.attributes.memberNumber ?? '') !== '') return contact;
  let memberNumber: string;
  do memberNumber = memberNumberAt(tenant.next('memberNumber'));
  while (findByKey(tenant, type.id, 'memberNumber', memberNumber));
  return { ...contact, attributes: { ...contact.attributes, memberNumber } };
}

function checkRequired(type: ContactType, { attributes }: ContactRow): void {
  const missing = missingContactFields(type, attributes);
  if (missing.length > 0) throw validationError(missing);
}

/** Contact rule 3: a key leads to one contact of its type; A-14. */
function checkKeysAreFree(tenant: TenantContext, contact: ContactRow): void {
  for (const type of matchKeyTypes) {
    const value = contact.sharedKeys?.includes(type) ? undefined : contact.attributes[type];
    const holder = typeof value === 'string' ? findByKey(tenant, contact.contactType, type, value) : undefined;
    if (!holder || holder.id === contact.id) continue;
    throw apiError('ApprovedContactWithKeyExists', {
      message: `Another contact of type ${contact.contactType} has this ${type}.`,
      details: { field: type, multipleMatchesFound: [holder.id] },
    });
  }
}
