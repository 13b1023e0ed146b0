import * as z from 'zod';
import { toTimestamp } from '../../core/clock.ts';
import { withRows, withSequences } from '../../core/state.ts';
import { fixtureSection, withoutRepeats } from '../fixture.ts';
import { flag, guid, listOf, requiredText, text, timestamp } from '../formats.ts';
import { retailerIn } from '../retailer/operations.ts';
import { readAttributes } from './attributes.ts';
import { checkConsents, checkNames, typeOf, withoutTakenKeys } from './fixture-checks.ts';
import type { Spot } from './fixture-checks.ts';
import { memberNumbers } from './member-numbers.ts';
import { missingFields } from './required.ts';
import { contactBody, contacts } from './schema.ts';
import type { ContactRow } from './schema.ts';

const consentFixture = z.strictObject({
  id: requiredText,
  value: flag,
  /** When it was answered: when the contact was made, unless given. */
  date: timestamp.optional(),
  source: text.nullable().default(null),
  comment: text.nullable().default(null),
});

/** A contact as a caller sends it, and what the service would have noted of it. */
const contactFixture = contactBody.extend({
  id: guid.optional(),
  createdOn: timestamp.optional(),
  modifiedOn: timestamp.optional(),
  source: text.nullable().default(null),
  storeExternalId: text.nullable().default(null),
  isApproved: flag.default(true),
  consents: listOf(consentFixture).default([]),
});

type ContactFixture = z.infer<typeof contactFixture>;

const knownNames: ReadonlySet<string> = new Set(Object.keys(contactFixture.shape));

export const contactsFixture = fixtureSection({
  name: 'contacts',
  schema: listOf(contactFixture),
  load: (state, content, context) => {
    const taken = new Set(content.flatMap(({ memberNumber }) => memberNumber?.trim() ?? []));
    const numbers = memberNumbers(taken);
    const holders = new Map<string, string>();
    const rows = content.map((item, i): ContactRow => {
      const spot = { state, path: `contacts[${i}]`, context };
      const row = contactRow(spot, item, numbers.next);
      return { ...row, attributes: withoutTakenKeys(spot, row, holders) };
    });
    const different = withoutRepeats(rows, { section: 'contacts', field: 'id', context });
    return withSequences(withRows(state, contacts, different), { memberNumber: numbers.used() });
  },
});

function contactRow(spot: Spot, item: ContactFixture, nextMemberNumber: () => string): ContactRow {
  const { context } = spot;
  const { createdOn = toTimestamp(context.now), modifiedOn = createdOn, source, storeExternalId, isApproved } = item;
  const { acceptsEmail = null, acceptsPostal = null, acceptsSms = null } = item.preferences ?? {};
  checkNames(spot, item, knownNames);
  checkConsents(spot, item.consents);
  return {
    id: item.id ?? context.newId(),
    ...typedAttributes(spot, item, nextMemberNumber),
    preferences: { acceptsEmail, acceptsPostal, acceptsSms },
    consents: item.consents.map(({ id, value, date = createdOn, ...rest }) => ({ id, value, date, ...rest })),
    source,
    storeExternalId,
    isApproved,
    createdOn,
    modifiedOn,
  };
}

function typedAttributes(
  spot: Spot,
  item: ContactFixture,
  nextMemberNumber: () => string,
): Pick<ContactRow, 'contactType' | 'attributes'> {
  const type = typeOf(spot, item.contactType ?? undefined);
  const { attributes, errors } = readAttributes(retailerIn(spot.state), item);
  const isNumbered = type?.keyAttribute === 'memberNumber' && !attributes['memberNumber'];
  const numbered = isNumbered ? { ...attributes, memberNumber: nextMemberNumber() } : attributes;
  const missing = type ? missingFields(type, numbered) : [];
  for (const { field, errorDescription } of [...errors, ...missing]) {
    spot.context.report(`${spot.path}.${field}`, errorDescription);
  }
  return { contactType: type?.id ?? '', attributes: numbered };
}
