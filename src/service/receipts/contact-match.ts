/** Finds the contact of a receipt by any of six keys (Receipt rule 1, Contact rule 3). */
import { normalizeGuid } from '../../core/lib/random.ts';
import type { RowReader } from '../../core/state/unit-of-work.ts';
import { findAllByKey } from '../contacts/lookup.ts';
import { matchKeyFormats, normalizeMatchKey } from '../contacts/match-keys.ts';
import type { MatchKeyType } from '../contacts/match-keys.ts';
import { contacts } from '../contacts/schema.ts';
import type { ContactRow } from '../contacts/schema.ts';
import { retailerOf } from '../retailer/operations.ts';
import { contactTypes } from '../retailer/schema.ts';
import type { ReceiptContact } from './schema.ts';

/** Returns the id of the contact that a receipt names; without a contactType, of the retailer's default one. */
export function matchContact(rows: RowReader, contact: ReceiptContact): string | undefined {
  const { matchKey, matchKeyType } = contact;
  if (matchKeyType === 'contactId') {
    const id = normalizeGuid(matchKey);
    return id !== undefined && rows.has(contacts, id) ? id : undefined;
  }
  const [found, ...others] = holdersOf(rows, contact, matchKeyType);
  return others.length === 0 ? found?.id : undefined;
}

/** Returns who has the key: several where the contact type lets them share it. */
function holdersOf(rows: RowReader, contact: ReceiptContact, matchKeyType: MatchKeyType): readonly ContactRow[] {
  const type = rows.find(contactTypes, 'id', typeNameOf(rows, contact).toLowerCase());
  return type === undefined ? [] : findAllByKey(rows, type.id, matchKeyType, contact.matchKey);
}

/** Explains that a contactType is ignored, since an id names the contact already (Receipt rule 1). */
export function ignoredContactTypeMessage(
  { matchKeyType, contactType }: ReceiptContact,
  found: ContactRow,
): string | undefined {
  if (matchKeyType !== 'contactId' || !contactType) return undefined;
  if (contactType.toLowerCase() === found.contactType.toLowerCase()) return undefined;
  return `contactType "${contactType}" is ignored next to a contactId; the contact is of type ${found.contactType}`;
}

/** Says why nobody was found. Personal numbers are not repeated. */
export function unmatchedReason(rows: RowReader, contact: ReceiptContact): string {
  const { matchKey, matchKeyType } = contact;
  const shown = matchKeyType === 'socialSecurityNumber' ? '(hidden)' : `"${matchKey}"`;
  if (matchKeyType === 'contactId') return `no contact has the contactId ${shown}`;
  if (normalizeMatchKey(matchKeyType, matchKey) === undefined) {
    return `the ${matchKeyType} ${shown} ${matchKeyFormats[matchKeyType]}`;
  }
  const type = typeNameOf(rows, contact);
  const { length } = holdersOf(rows, contact, matchKeyType);
  if (length > 1)
    return `${length} contacts of type ${type} have the ${matchKeyType} ${shown}; name one by its contactId`;
  return `no contact of type ${type} has the ${matchKeyType} ${shown}`;
}

const typeNameOf = (rows: RowReader, { contactType }: ReceiptContact): string =>
  contactType || retailerOf(rows).defaultContactType;
