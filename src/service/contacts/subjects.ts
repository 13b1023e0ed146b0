/** Names contacts for the verdict: by id, or by a key as long as nobody has it. */
import { normalizeGuid } from '../../core/lib/random.ts';
import { fieldsOfSent, rowsOfSent, subjectOf } from '../../core/exchange/subject.ts';
import type { FieldSetting, SentFields, Subject, WorkPiece } from '../../core/exchange/subject.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { rowNames } from '../resource/subject-names.ts';
import type { SubjectNames } from '../resource/subject-names.ts';
import { contactTypes } from '../retailer/schema.ts';
import { findAllByKey, lookupKeyTypes, resolveContacts } from './lookup.ts';
import { matchKeyTypes, normalizeMatchKey } from './match-keys.ts';
import type { MatchKeyType } from './match-keys.ts';
import { contactBatches, contacts, noPreferences } from './schema.ts';

/** Returns the name of the contact with this id. */
export const contactSubjectName = (id: string): string => `contact ${id}`;

/** Returns the names of the contact that an id or a memberNumber means. */
export function contactNames(tenant: TenantContext, id: string): string[] {
  const found = resolveContacts(tenant, id).map((contact) => contactSubjectName(contact.id));
  return found.length > 0 ? found : [contactSubjectName(normalizeGuid(id) ?? id), ...keyNames('memberNumber', id)];
}

const keyNames = (type: MatchKeyType, value: string): string[] => {
  const normalized = normalizeMatchKey(type, value);
  return normalized === undefined ? [] : [`${type} ${normalized}`];
};

/** Returns the names of whoever has a key, and of the key itself. */
const namesByKey =
  (type: MatchKeyType) =>
  (tenant: TenantContext, value: string): string[] => [
    ...keyNames(type, value),
    ...[...tenant.all(contactTypes)].flatMap(({ id }) =>
      findAllByKey(tenant, id, type, value).map((contact) => contactSubjectName(contact.id)),
    ),
  ];

export const contactSubjects: SubjectNames = {
  kinds: {
    contact: contactNames,
    batch: (_, id) => [`batch ${normalizeGuid(id) ?? id}`],
    ...Object.fromEntries(matchKeyTypes.map((type) => [type, namesByKey(type)])),
  },
  rows: [
    rowNames(contacts, ({ id }) => [contactSubjectName(id)], {
      namesOf: ({ attributes }) => matchKeyTypes.flatMap((type) => keyNames(type, String(attributes[type] ?? ''))),
      areKept: (before, after) => matchKeyTypes.every((type) => before.attributes[type] === after.attributes[type]),
    }),
    rowNames(contactBatches, ({ batchId }) => [`batch ${batchId}`]),
  ],
};

/** Returns the keys that a contact is sent with. */
export const keySubjects = (sent: SentFields): Subject[] =>
  matchKeyTypes.flatMap((type) => subjectOf(type, sent[type]));

/** Describes a contact that is to be created. */
export const newContactPiece = (sent: SentFields): WorkPiece => ({
  subject: keySubjects(sent),
  effect: 'new contact',
});

/** Returns the fields that a change of a contact sets. */
export const fieldsSetOf = (contact: readonly Subject[], sent: SentFields): FieldSetting[] =>
  Object.entries(sent)
    .flatMap(([name, value]) => innerFieldsOf(name, value))
    .map((inner) => ({ contact, ...inner }));

function innerFieldsOf(name: string, value: unknown): Omit<FieldSetting, 'contact'>[] {
  // Only updateContactType changes it.
  if (name === 'contactType') return [];
  if (name === 'preferences') {
    const preferences = value === null ? noPreferences : fieldsOfSent(value);
    return Object.entries(preferences).map(([field, answer]) => ({ field: `preferences.${field}`, value: answer }));
  }
  if (name !== 'consents') return [{ field: name, value }];
  // An answer stays, whatever is not mentioned (Consent transitions).
  const answers = Array.isArray(value) ? rowsOfSent(value) : [];
  return answers.map(({ id, value: answer, source = null, comment = null }) => ({
    field: `consent ${String(id)}`,
    value: answer,
    details: { source, comment },
  }));
}

/** Returns the fields that a row of a bulk sets: the id, or the only key, names the contact. */
export function fieldsSetByRow({ id, ...sent }: SentFields): FieldSetting[] {
  const keys = matchKeyTypes.filter((type) => type in sent);
  if (id !== undefined) return fieldsSetOf(subjectOf('contact', id), sent);
  const changed = Object.entries(sent).filter(([name]) => keys.length > 1 || name !== keys[0]);
  return fieldsSetOf(keySubjects(sent), Object.fromEntries(changed));
}

/** Returns the keys that a lookup may mean. */
export const lookupSubjects = (query: Readonly<Record<string, string>>): Subject[] =>
  Object.entries(lookupKeyTypes).flatMap(([name, types]) => types.flatMap((type) => subjectOf(type, query[name])));
