import * as z from '../../core/validation/deferred-zod.ts';
import { toTimestamp } from '../../core/time/clock.ts';
import { withRowsInSteps, withSequences } from '../../core/state/state.ts';
import type { Pause, State } from '../../core/state/state.ts';
import { distinctRows, itemSection } from '../resource/fixture-section.ts';
import type { FixtureContext } from '../resource/fixture-section.ts';
import { flag, lowerCaseGuid, arrayOf, requiredText, text, timestamp } from '../../core/validation/field-types.ts';
import { retailerIn } from '../retailer/operations.ts';
import { readAttributes } from './attributes.ts';
import {
  reportConsentErrors,
  reportUnknownFields,
  findItemContactType,
  withoutDuplicateKeys,
} from './fixture-checks.ts';
import type { ContactFixtureContext } from './fixture-checks.ts';
import { memberNumbers } from './member-numbers.ts';
import { missingContactFields } from './required-fields.ts';
import { contactBody, contactBodyFields, contacts, sharedKeysOf } from './schema.ts';
import type { ContactRow } from './schema.ts';

const contactConsentFixture = z.strictObject({
  id: requiredText,
  value: flag,
  /** Says when it was answered (default: when the contact was made). */
  date: timestamp.optional(),
  source: text.nullable().default(null),
  comment: text.nullable().default(null),
});

/** Holds what the service would have noted of a contact. */
const notedFields = {
  id: lowerCaseGuid.optional(),
  createdOn: timestamp.optional(),
  modifiedOn: timestamp.optional(),
  source: text.nullable().default(null),
  storeExternalId: text.nullable().default(null),
  isApproved: flag.default(true),
  consents: arrayOf(contactConsentFixture).default([]),
};

/** Describes a contact as a caller sends it, and what the service would have noted of it. */
const contactFixture = contactBody.extend(notedFields);

type ContactFixture = z.infer<typeof contactFixture>;

const knownNames: ReadonlySet<string> = new Set(Object.keys({ ...contactBodyFields, ...notedFields }));

export const contactsFixture = itemSection({
  name: 'contacts',
  description: 'the contacts',
  item: contactFixture,
  load: function* (state, items, context) {
    const numbers = numbersBeside(items);
    const different = distinctRows(contactRows(state, numbers, context), { section: 'contacts', field: 'id', context });
    const filled = yield* withRowsInSteps(state, contacts, different, context.count);
    return withSequences(filled, { memberNumber: numbers.used() });
  },
});

interface NumberedItems extends ReturnType<typeof memberNumbers> {
  readonly items: Iterable<ContactFixture>;
  /** Looks for the numbers that contacts bring, before the first one without a number gets its own. */
  readonly takeAll: () => Generator<Pause>;
}

/** Hands out member numbers that no contact brings. */
function numbersBeside(items: Iterable<ContactFixture>): NumberedItems {
  const taken = new Set<string>();
  const numbers = memberNumbers(taken);
  let areAllTaken = false;
  function* taking(): Generator<ContactFixture> {
    for (const item of items) {
      if (item.memberNumber) taken.add(item.memberNumber.trim());
      yield item;
    }
    areAllTaken = true;
  }
  function* takeAll(): Generator<Pause> {
    if (!areAllTaken) for (const _ of taking()) yield;
  }
  return { ...numbers, items: { [Symbol.iterator]: taking }, takeAll };
}

function* contactRows(
  state: State,
  { items, takeAll, next }: NumberedItems,
  context: FixtureContext,
): Generator<ContactRow | Pause> {
  const holders = new Map<string, string>();
  let i = 0;
  for (const item of items) {
    if (!item.memberNumber) yield* takeAll();
    const spot = { state, path: `contacts[${i++}]`, context };
    const row = contactRow(spot, item, next);
    yield context.isAttempt ? row : { ...row, attributes: withoutDuplicateKeys(spot, row, holders) };
  }
}

function contactRow(spot: ContactFixtureContext, item: ContactFixture, nextMemberNumber: () => string): ContactRow {
  const { context } = spot;
  const { createdOn = toTimestamp(context.now), modifiedOn = createdOn, source, storeExternalId, isApproved } = item;
  const { acceptsEmail = null, acceptsPostal = null, acceptsSms = null } = item.preferences ?? {};
  reportUnknownFields(spot, item, knownNames);
  reportConsentErrors(spot, item.consents);
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
  spot: ContactFixtureContext,
  item: ContactFixture,
  nextMemberNumber: () => string,
): Pick<ContactRow, 'contactType' | 'attributes' | 'sharedKeys'> {
  const type = findItemContactType(spot, item.contactType ?? undefined);
  const { attributes, errors } = readAttributes(retailerIn(spot.state), item);
  const isNumbered = type?.keyAttribute === 'memberNumber' && !attributes['memberNumber'];
  const numbered = isNumbered ? { ...attributes, memberNumber: nextMemberNumber() } : attributes;
  const missing = type ? missingContactFields(type, numbered) : [];
  for (const { field, errorDescription } of [...errors, ...missing]) {
    spot.context.report(`${spot.path}.${field}`, errorDescription);
  }
  return { contactType: type?.id ?? '', attributes: numbered, ...(type && sharedKeysOf(type)) };
}
