/** Finds contacts by what a person knows of them. */
import * as z from '../../core/validation/deferred-zod.ts';
import { apiResponse } from '../../core/exchange/endpoint.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { finishInTurns, sortInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { text, upTo } from '../../core/validation/field-types.ts';
import { maxContained } from '../../matching/match-schema.ts';
import { contacts } from '../../service/contacts/schema.ts';
import type { ContactRow } from '../../service/contacts/schema.ts';
import { adminEndpoint, pageParameters, tenantParameter } from '../input/admin-context.ts';
import { atParameter, tenantAt } from '../input/past-request.ts';

const listQuery = z.object({
  ...tenantParameter,
  ...atParameter,
  ...pageParameters,
  search: text
    .max(...upTo(maxContained, 'characters'))
    .optional()
    .describe(
      'Words that must all occur in the name, the e-mail, the phone number or another key (default: all contacts)',
    ),
});

const shownFields = ['firstName', 'lastName', 'email', 'mobilePhone', 'memberNumber'] as const;

const contactSummarySchema = z
  .strictObject({
    id: z.guid(),
    contactType: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    mobilePhone: z.string().nullable(),
    memberNumber: z.string().nullable(),
    modifiedOn: z.string(),
  })
  .meta({ id: 'ContactSummary', description: 'A contact in short' });

/** Lists what a contact is searched by. */
const searchedFields = [...shownFields, 'externalId', 'socialSecurityNumber'] as const;

const fieldText = ({ attributes }: ContactRow, name: string): string => String(attributes[name] ?? '');

/** Returns a phone number without what it is spaced by. */
const withoutSpaces = (phone: string): string => phone.replaceAll(/[\s().-]/g, '');

/** Returns what is compared with the words: lower case, and phone numbers without spaces. */
const textOf = (contact: ContactRow): string =>
  [
    contact.id,
    ...searchedFields.map((name) => fieldText(contact, name)),
    withoutSpaces(fieldText(contact, 'mobilePhone')),
  ]
    .join('\n')
    .toLowerCase();

/** Returns a test of whether a contact has all words in it; a phone number may be spaced as one likes. */
function compileSearch(search: string): (contact: ContactRow) => boolean {
  const sought = search.toLowerCase().trim();
  if (sought === '') return () => true;
  const words = sought.split(/\s+/);
  // A number that is dialled within the country begins with 0, which is not part of the international one.
  const phone = /^[+\d\s().-]+$/.test(sought) ? withoutSpaces(sought).replace(/^0(?!0)/, '') : undefined;
  return (contact) => {
    const known = textOf(contact);
    return words.every((word) => known.includes(word)) || (phone !== undefined && known.includes(phone));
  };
}

interface FoundContact {
  readonly contact: ContactRow;
  /** Holds the name by which it is sorted; those without one come last. */
  readonly name: string;
}

/** Returns the contacts that are searched for, in the order of their names. */
function* findContacts(tenant: Tenant, search: string): Steps<FoundContact[]> {
  const isMeant = compileSearch(search);
  const found: FoundContact[] = [];
  for (const contact of tenant.all(contacts)) {
    if (isMeant(contact)) found.push({ contact, name: nameOf(contact).toLowerCase() || '\uFFFF' });
    yield;
  }
  return yield* sortInSteps(found, byName);
}

function byName(left: FoundContact, right: FoundContact): number {
  if (left.name === right.name) return left.contact.id < right.contact.id ? -1 : 1;
  return left.name < right.name ? -1 : 1;
}

const nameOf = (contact: ContactRow): string =>
  [fieldText(contact, 'firstName'), fieldText(contact, 'lastName')].filter(Boolean).join(' ');

const orNull = (contact: ContactRow, name: string): string | null => fieldText(contact, name) || null;

const serializeContactSummary = (contact: ContactRow): z.infer<typeof contactSummarySchema> => ({
  id: contact.id,
  contactType: contact.contactType,
  name: nameOf(contact),
  email: orNull(contact, 'email'),
  mobilePhone: orNull(contact, 'mobilePhone'),
  memberNumber: orNull(contact, 'memberNumber'),
  modifiedOn: contact.modifiedOn,
});

export const contactListSchema = z.strictObject({
  count: z.int().describe('Counts the matches on all pages'),
  items: z.array(contactSummarySchema).describe('In the order of their names'),
});

export const contactListEndpoints = [
  adminEndpoint({
    id: 'listContacts',
    method: 'GET',
    path: '/__admin/contacts',
    tag: 'Control: contacts',
    summary: 'Finds contacts by parts of their name, e-mail, phone number or another key',
    query: listQuery,
    responses: { 200: contactListSchema },
    errors: ['NotFound', 'Conflict'],
    retry: 'safe',
    examples: [{ query: { search: 'lindqvist' }, status: 200 }],
    handle: async ({ tenant }, { query: { search = '', offset, limit, at } }) => {
      const found = await finishInTurns(findContacts(await tenantAt(tenant, at), search));
      const items = found.slice(offset, offset + limit).map(({ contact }) => serializeContactSummary(contact));
      return apiResponse(200, { count: found.length, items });
    },
  }),
];
