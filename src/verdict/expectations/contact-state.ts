/** Reads a contact's state from the service: one count or amount for each field that can be expected. */
import type { Tenant } from '../../core/tenant/tenant.ts';
import { matchKeyTypes } from '../../service/contacts/match-keys.ts';
import { findAllByKey, findContact } from '../../service/contacts/lookup.ts';
import type { ContactRow } from '../../service/contacts/schema.ts';
import type { HeldValue, StateField } from '../../service/resource/state-field.ts';
import { fromResources } from '../../service/resources.ts';
import { contactTypes } from '../../service/retailer/schema.ts';
import { isFieldMap, matchesValue } from '../../matching/value-differences.ts';
import type { ValueDifference } from '../../matching/value-differences.ts';

/** Returns the contacts of any type, or of one, with this id or key. */
export function findContactsByIdOrKey(tenant: Tenant, key: string, contactType?: string): ContactRow[] {
  const isMeant = ({ contactType: type }: ContactRow): boolean =>
    contactType === undefined || type.toLowerCase() === contactType.toLowerCase();
  const byId = findContact(tenant, key);
  const byKey = [...tenant.all(contactTypes)].flatMap(({ id }) =>
    matchKeyTypes.flatMap((type) => findAllByKey(tenant, id, type, key)),
  );
  return [...new Set(byId ? [byId] : byKey)].filter(isMeant);
}

const stateFields: readonly (readonly [name: string, field: StateField])[] = fromResources(
  ({ state }) => state && Object.entries(state),
);

/** Returns where what a contact has differs from what is expected. */
export const contactStateDifferences = (
  tenant: Tenant,
  { id }: ContactRow,
  expected: Readonly<Record<string, unknown>>,
): ValueDifference[] =>
  stateFields.flatMap(([name, field]) => {
    const wanted = expected[name];
    return wanted === undefined ? [] : fieldDifferencesOf(field, { tenant, contactId: id, wanted });
  });

interface ExpectedField {
  readonly tenant: Tenant;
  readonly contactId: string;
  readonly wanted: unknown;
}

function fieldDifferencesOf(field: StateField, { tenant, contactId, wanted }: ExpectedField): ValueDifference[] {
  switch (field.kind) {
    case 'amount':
      return compare(field.read(tenant, contactId), wanted);
    case 'amount-by-name':
      return isFieldMap(wanted)
        ? Object.entries(wanted).flatMap(([name, one]) => compareNamed(field.read(tenant, contactId, name), one))
        : compareNamed(field.read(tenant, contactId, undefined), wanted);
    case 'amount-or-list': {
      if (!Array.isArray(wanted)) return compare(field.read(tenant, contactId), wanted);
      const names = field.namesOf(tenant, contactId);
      return wanted
        .filter((name) => !names.has(name))
        .map((name) => ({ place: field.placeOf(String(name)), actual: undefined, wanted: { exists: true } }));
    }
    case 'flag-by-name':
      return Object.entries(isFieldMap(wanted) ? wanted : {}).flatMap(([name, one]) =>
        compare(field.read(tenant, contactId, name), one),
      );
  }
}

const compare = ({ place, value }: HeldValue, wanted: unknown): ValueDifference[] =>
  matchesValue(wanted, value) ? [] : [{ place, actual: value, wanted }];

/** Differs in any case where there is nothing of the name. */
const compareNamed = (held: HeldValue, wanted: unknown): ValueDifference[] =>
  held.value === undefined ? [{ place: held.place, actual: undefined, wanted }] : compare(held, wanted);
