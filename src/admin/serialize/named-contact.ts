/** Finds the contact that a request names, for lists of requests and for the search in them. */
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { contacts } from '../../service/contacts/schema.ts';
import type { ContactRow } from '../../service/contacts/schema.ts';
import { contactSubjectName } from '../../service/contacts/subjects.ts';
import { Subjects } from '../../verdict/history/subjects.ts';

export interface NamedContact {
  readonly id: string;
  /** Is absent when no contact has the id (any more). */
  readonly row: ContactRow | undefined;
}

/** Returns a function that finds the contact that a request names: none for a request that names none or several. */
export function contactFinder(
  tenant: Tenant,
  endpoints: readonly Endpoint[],
): (exchange: Exchange) => NamedContact | undefined {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const subjects = new Subjects(tenant, []);
  return (exchange) => {
    const [name, ...others] = subjects.contactsNow(exchange, byId.get(exchange.endpoint ?? ''));
    if (name === undefined || others.length > 0) return undefined;
    const id = name.slice(contactSubjectName('').length);
    return { id, row: tenant.get(contacts, id) };
  };
}

/** Returns the first and the last name, as far as there are any. */
export const fullNameOf = ({ attributes: { firstName, lastName } }: ContactRow): string =>
  [firstName, lastName].filter((part) => typeof part === 'string' && part !== '').join(' ');

/** Returns what a contact is known by: id, name, number and e-mail. */
export const textsOfContact = ({ id, row }: NamedContact): string[] => {
  if (!row) return [id];
  const { memberNumber, email } = row.attributes;
  return [id, fullNameOf(row), String(memberNumber ?? ''), String(email ?? '')];
};
