/** Finds the contact of a receipt by any of six keys (Receipt rule 1, Contact rule 3). */
import { normalizeGuid } from '../../core/lib/random.ts';
import type { RowReader } from '../../core/state/unit-of-work.ts';
import { matchKeyFormats, normalizeMatchKey } from '../contacts/match-keys.ts';
import { contacts, matchKeyIndexValue as keyOf } from '../contacts/schema.ts';
import type { ContactRow } from '../contacts/schema.ts';
import { retailerOf } from '../retailer/operations.ts';
import { contactTypes } from '../retailer/schema.ts';
import type { ReceiptContact } from './schema.ts';

/** Returns the id of the contact that a receipt names; without a contactType, of the retailer's default one. */
export function matchContact(rows: RowReader, contact: ReceiptContact): string | undefined {
  const { matchKey, matchKeyType } = contact;
  if (matchKeyType === 'contactId') {
    const id = normalizeGuid(matchKey);
    return id !== undefined && rows.get(contacts, id) ? id : undefined;
  }
  const type = rows.find(contactTypes, 'id', typeNameOf(rows, contact).toLowerCase());
  const normalized = normalizeMatchKey(matchKeyType, matchKey);
  if (type === undefined || normalized === undefined) return undefined;
  return rows.find(contacts, 'matchKey', keyOf(type.id, matchKeyType, normalized))?.id;
}

/** Explains that a contactType is ignored, since an id names the contact already (Receipt rule 1). */
export function ignoredContactTypeMessage(
  { matchKeyType, contactType }: ReceiptContact,
  found: ContactRow,
): string | undefined {
  if (matchKeyType !== 'contactId' || !contactType) return undefined;
  if (contactType.toLowerCase() === found.contactType.toLowerCase()) return undefined;
  return `contactType "${contactType}" is not looked at beside a contactId; the contact is of type ${found.contactType}`;
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
  return `no contact of type ${type} has the ${matchKeyType} ${shown}`;
}

const typeNameOf = (rows: RowReader, { contactType }: ReceiptContact): string =>
  contactType || retailerOf(rows).defaultContactType;
