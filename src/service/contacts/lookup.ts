/** Finds contacts by what identifies them. */
import { normalizeGuid } from '../../core/lib/random.ts';
import type { RowReader } from '../../core/state/unit-of-work.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import type { ApiError } from '../../core/exchange/api-error.ts';
import type { ApiErrorCode } from '../errors/catalog.ts';
import { apiError, errorCatalog } from '../errors/catalog.ts';
import { getContactType } from '../retailer/operations.ts';
import { contactTypes } from '../retailer/schema.ts';
import { normalizeMatchKey } from './match-keys.ts';
import type { MatchKeyType } from './match-keys.ts';
import { contacts, matchKeyIndexValue, sharedKeyList } from './schema.ts';
import type { ContactRow, LookupQuery } from './schema.ts';

type Identifier = Exclude<keyof LookupQuery, 'contactType'>;

/** Lists the keys that each identifier may stand for, in the order in which they are tried. */
export const lookupKeyTypes: Readonly<Record<Identifier, readonly MatchKeyType[]>> = {
  email: ['email'],
  mobilePhone: ['mobilePhone'],
  socialSecurityNumber: ['socialSecurityNumber'],
  customKey: ['memberNumber', 'externalId'],
  memberNumber: ['memberNumber'],
  externalId: ['externalId'],
  any: ['email', 'socialSecurityNumber', 'mobilePhone', 'memberNumber', 'externalId'],
};

const identifiers = Object.keys(lookupKeyTypes) as Identifier[];

const malformedKeyErrors: Readonly<Partial<Record<Identifier, ApiErrorCode>>> = {
  email: 'InvalidEmailAddress',
  mobilePhone: 'InvalidPhoneNumber',
  socialSecurityNumber: 'InvalidSocialSecurityNumber',
};

/** Returns the contact of this id. A malformed id is not found. */
export function findContact(tenant: TenantContext, id: string): ContactRow | undefined {
  const normalized = normalizeGuid(id);
  return normalized === undefined ? undefined : tenant.get(contacts, normalized);
}

/** Explains an id that is nobody's: most often it is another key of the contact. */
export function contactNotFoundMessage(id: string): string {
  const hint =
    normalizeGuid(id) === undefined ? '; an id is a GUID, which GET /api/v3/contacts/id finds by other keys' : '';
  return `no contact has the id ${id}${hint}`;
}

/** Returns the contact of this id. Throws `ContactNotFound`. */
export function getContact(tenant: TenantContext, id: string): ContactRow {
  const contact = findContact(tenant, id);
  if (!contact) throw apiError('ContactNotFound', { message: `contact not found: ${contactNotFoundMessage(id)}` });
  return contact;
}

/**
 * Returns the contacts that an id may mean where the specification declares an integer: its GUID, or its memberNumber
 * (A-59).
 */
export function resolveContacts(tenant: TenantContext, id: string): ContactRow[] {
  const contact = findContact(tenant, id);
  if (contact) return [contact];
  if (!/^\d+$/.test(id)) return [];
  tenant.assumption('A-59');
  return [...tenant.all(contactTypes)].flatMap((type) => findAllByKey(tenant, type.id, 'memberNumber', id));
}

/** Explains an id that several contacts may mean. */
export const ambiguousContactMessage = (id: string): string =>
  `several contacts have the memberNumber ${id}; name one by its id`;

/** Returns the contact that such an id means. Throws `ContactNotFound` or `MultipleMatches`. */
export function resolveContact(tenant: TenantContext, id: string): ContactRow {
  const [contact, ...others] = resolveContacts(tenant, id);
  if (!contact) return getContact(tenant, id);
  if (others.length === 0) return contact;
  throw apiError('MultipleMatches', {
    message: `${ambiguousContactMessage(id)}.`,
    details: { multipleMatchesFound: [contact, ...others].map((other) => other.id) },
  });
}

/** Returns the error of keys that several contacts have, with what distinguishes these: a contactType only if it does. */
export function multipleMatchesError(matches: readonly ContactRow[]): ApiError {
  const details = { multipleMatchesFound: matches.map(({ id }) => id) };
  const types = new Set(matches.map(({ contactType }) => contactType));
  if (types.size === matches.length) return apiError('MultipleMatches', { details });
  const shared = types.size === 1 ? `contacts of type ${[...types].join()} match` : 'contacts match, some of one type';
  const message =
    `${matches.length} ${shared}, so a contactType does not distinguish them; ` +
    'name a key that only one of them has, as its email, or its id.';
  return apiError('MultipleMatches', { message, details });
}

/** Returns the contact of this type with this key, if it is unique; undefined for a key that isn't well formed too. */
export function findByKey(
  tenant: TenantContext,
  contactType: string,
  type: MatchKeyType,
  value: string,
): ContactRow | undefined {
  const normalized = normalizeMatchKey(type, value);
  return normalized === undefined
    ? undefined
    : tenant.find(contacts, 'matchKey', matchKeyIndexValue(contactType, type, normalized));
}

/** Returns all contacts of this type with this key: several only where the type lets them share it. */
export function findAllByKey(
  rows: RowReader,
  contactType: string,
  type: MatchKeyType,
  value: string,
): readonly ContactRow[] {
  const normalized = normalizeMatchKey(type, value);
  if (normalized === undefined) return [];
  const key = matchKeyIndexValue(contactType, type, normalized);
  const holder = rows.find(contacts, 'matchKey', key);
  if (holder) return [holder];
  return rows.listRows(contacts, sharedKeyList(type), key);
}

/** Returns the one contact that has all keys of a lookup. Throws the refusals of A-09. */
export function lookUpContact(tenant: TenantContext, query: LookupQuery): ContactRow {
  const named = identifiers.filter((name) => query[name] !== undefined);
  const isOneAlone = tenant.assumption('A-07') === 'one';
  if (named.length === 0 || (isOneAlone && named.length > 1)) {
    const got = named.length === 0 ? 'none was given' : `${named.join(' and ')} were given`;
    const wanted = isOneAlone ? 'exactly one' : 'at least one';
    throw apiError('InvalidSearchQuery', { message: `Name ${wanted} of ${identifiers.join(', ')}: ${got}.` });
  }
  const types = [
    ...(query.contactType === undefined ? tenant.all(contactTypes) : [getContactType(tenant, query.contactType)]),
  ];
  const found = named.map((identifier) => {
    const value = query[identifier] ?? '';
    const keyTypes = keyTypesToTry(identifier, value);
    const shown = keyTypes.includes('socialSecurityNumber') ? '(hidden)' : value;
    return {
      matches: types.flatMap(({ id }) => keyTypes.flatMap((type) => findAllByKey(tenant, id, type, value))),
      sought: `${identifier === 'any' ? 'key' : identifier} ${shown}`,
      hint: plusHint(value),
    };
  });
  const [first, ...others] = found;
  const matches = (first?.matches ?? []).filter(({ id }) =>
    others.every((other) => other.matches.some((match) => match.id === id)),
  );
  const sought = found.map((one) => one.sought).join(' and the ');
  return onlyMatch(matches, sought, found.map(({ hint }) => hint).join(''));
}

/** `any` stops at the first kind that the value could be, even if nobody is found by it. */
function keyTypesToTry(identifier: Identifier, value: string): readonly MatchKeyType[] {
  const fitting = lookupKeyTypes[identifier].filter((type) => normalizeMatchKey(type, value) !== undefined);
  const code = malformedKeyErrors[identifier];
  if (fitting.length === 0 && code)
    throw apiError(code, { message: `${errorCatalog[code].message}${plusHint(value)}` });
  const [first] = fitting;
  return identifier === 'any' && first !== undefined && first !== 'memberNumber' ? [first] : fitting;
}

/** Many clients send the plus sign of a phone number or an e-mail address as it is. */
const plusHint = (value: string): string =>
  value.includes(' ') ? ' There is a space in it: in a query, "+" means a space; write %2B for a plus sign.' : '';

function onlyMatch(matches: readonly ContactRow[], sought: string, hint: string): ContactRow {
  const found = [...new Map(matches.map((match) => [match.id, match])).values()];
  const [match, ...others] = found;
  if (!match) throw apiError('ContactNotFound', { message: `contact not found: nobody has the ${sought}.${hint}` });
  if (others.length > 0) throw multipleMatchesError(found);
  return match;
}
