/** Finds in the response to a read what a request asked for, whoever brought it about: for the verdict. */
import { canonicalJson } from '../../core/exchange/operation-key.ts';
import { fieldsOfSent, rowsOfSent } from '../../core/exchange/subject.ts';
import type { SentContent, SentFields } from '../../core/exchange/subject.ts';
import type { RowChange } from '../../core/state/state.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { retailerOf } from '../retailer/operations.ts';
import { findContact, lookupKeyTypes } from './lookup.ts';
import { matchKeyTypes, normalizeMatchKey } from './match-keys.ts';
import { contacts } from './schema.ts';

/** Lists the fields of an answer to a consent. */
const answerFields = ['value', 'source', 'comment'] as const;

/** Returns the fields of a contact in whatever form it is shown. */
function shownFields(shown: unknown): SentFields {
  const contact = fieldsOfSent(shown);
  return { ...fieldsOfSent(contact['attributes']), ...fieldsOfSent(contact['meta']), ...contact };
}

const isSameName = (a: unknown, b: unknown): boolean => String(a).toLowerCase() === String(b).toLowerCase();

/** Returns what a lookup shows of the contact whose id it returns: the keys that it was sought by. */
export const contactLookedUp = ({ query }: SentContent, body: unknown): SentFields => ({
  ...Object.fromEntries(matchKeyTypes.flatMap((type) => (query[type] === undefined ? [] : [[type, query[type]]]))),
  id: typeof body === 'string' ? body : fieldsOfSent(body)['id'],
});

/** True when a lookup finds another contact after a change than before: one that is new, or has another value of a sought key. */
export function isFoundByLookup({ query }: SentContent, { table, before, after }: RowChange): boolean {
  if (table !== contacts.name) return false;
  const [had, has] = [before, after].map((row) => fieldsOfSent(fieldsOfSent(row)['attributes']));
  const sought = Object.entries(lookupKeyTypes).flatMap(([name, types]) => (query[name] === undefined ? [] : types));
  return before === undefined || sought.some((type) => had?.[type] !== has?.[type]);
}

/** True when a contact, or only its id, is shown that has the type of one to be created: a second one would be refused. */
export function isContactShown(tenant: TenantContext, contactType: unknown, shown: unknown): boolean {
  const { id } = fieldsOfSent(shown);
  const contact = typeof id === 'string' ? findContact(tenant, id) : undefined;
  return contact !== undefined && isSameName(contact.contactType, contactType ?? retailerOf(tenant).defaultContactType);
}

export const isContactTypeShown = (contactType: unknown, shown: unknown): boolean =>
  isSameName(shownFields(shown)['contactType'], contactType);

/** True when the contact that is shown has this id; also when none was sent. */
export const isIdShown = (id: unknown, shown: unknown): boolean =>
  id === undefined || isSameName(id, fieldsOfSent(shown)['id']);

/** True when a contact is shown with all values that a change of it names. */
export function areChangesShown(sent: unknown, shown: unknown): boolean {
  // A change leaves the type as it is.
  const { contactType: _, ...changes } = fieldsOfSent(sent);
  const known = shownFields(shown);
  const names = Array.isArray(sent) ? [] : Object.keys(changes);
  return names.length > 0 && names.every((name) => isValueShown(name, changes[name], known[name]));
}

function isValueShown(name: string, sent: unknown, shown: unknown): boolean {
  if (Array.isArray(sent)) return areAnswersShown(sent, Array.isArray(shown) ? shown : []);
  const inner = Object.entries(fieldsOfSent(sent));
  if (inner.length > 0) return inner.every(([field, value]) => isSameValue(value, fieldsOfSent(shown)[field]));
  return isSameValue(comparable(name, sent), comparable(name, shown));
}

const isSameValue = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

/** Returns a key in the form in which two that mean the same are equal. */
function comparable(name: string, value: unknown): unknown {
  const type = matchKeyTypes.find((one) => one === name);
  return (type && typeof value === 'string' && normalizeMatchKey(type, value)) || value;
}

/** True when each consent is shown with all that its last answer names: the value, the source and the comment. */
function areAnswersShown(sent: readonly unknown[], shown: readonly unknown[]): boolean {
  const answers = new Map(rowsOfSent(sent).map((answer) => [answer['id'], answer]));
  const known = new Map(rowsOfSent(shown).map((consent) => [consent['id'], consent]));
  return [...answers].every(([id, answer]) => {
    const consent = known.get(id);
    return (
      consent &&
      answerFields.every((name) => answer[name] === undefined || isSameValue(answer[name], consent[name] ?? null))
    );
  });
}
