import type * as z from 'zod';
import { withRowsInSteps } from '../../core/state/state.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { contactFields } from '../contacts/schema.ts';
import { fixtureSection, withoutDuplicates } from '../resource/fixture-section.ts';
import type { FixtureContext } from '../resource/fixture-section.ts';
import { arrayOf } from '../../core/validation/field-types.ts';
import { retailerIn } from './operations.ts';
import { contactTypeSchema, contactTypes, retailerSchema, retailers, storeSchema, stores } from './schema.ts';
import type { ContactType, Retailer } from './schema.ts';

export const retailerFixture = fixtureSection({
  name: 'retailer',
  description: 'name, currency, exchange rates, time zone, contact type and attributes of contacts',
  schema: retailerSchema,
  load: (state, retailer, context) => {
    for (const [i, { name }] of retailer.contactAttributes.entries()) {
      if (!reservedNames.has(name)) continue;
      context.report(`retailer.contactAttributes[${i}].name`, `"${name}" is a field of every contact already`);
    }
    return withRowsInSteps(state, retailers, [retailer]);
  },
});

/** Declares the contact type that there is when the fixture names none. */
const memberContactType: z.input<typeof contactTypeSchema> = {
  id: 'Member',
  name: 'Member',
  keyAttribute: 'memberNumber',
  requiresOneOf: ['email', 'mobilePhone', 'socialSecurityNumber', 'externalId'],
};

export const contactTypesFixture = fixtureSection({
  name: 'contactTypes',
  description: 'each type of contact: its key, its required fields, and which keys are unique in it',
  schema: arrayOf(contactTypeSchema),
  absent: [memberContactType],
  load: (state, content, context) => {
    const types = withoutDuplicates(content, { section: 'contactTypes', field: 'id', context });
    const retailer = retailerIn(state);
    checkDefaultType(retailer, types, context);
    for (const [i, type] of types.entries()) {
      checkFieldNames(retailer, type, `contactTypes[${i}]`, context);
      if (type.unique.includes(type.keyAttribute)) continue;
      context.report(
        `contactTypes[${i}].unique`,
        `must hold the keyAttribute of the type, which is ${type.keyAttribute}`,
      );
    }
    return withRowsInSteps(state, contactTypes, types);
  },
});

export const storesFixture = fixtureSection({
  name: 'stores',
  description: 'the stores, which receipts can refer to',
  schema: arrayOf(storeSchema),
  load: (state, content, context) =>
    withRowsInSteps(state, stores, withoutDuplicates(content, { section: 'stores', field: 'externalId', context })),
});

/** Lists names that mean something else on a contact than a field of the retailer's own. */
const reservedNames: ReadonlySet<string> = new Set([
  ...contactFields,
  'id',
  'contactType',
  'preferences',
  'consents',
  'createdOn',
  'modifiedOn',
  'source',
  'storeExternalId',
  'isApproved',
]);

function checkDefaultType(
  { defaultContactType }: Retailer,
  types: readonly ContactType[],
  context: FixtureContext,
): void {
  const ids = types.map(({ id }) => id);
  if (ids.some((id) => id.toLowerCase() === defaultContactType.toLowerCase())) return;
  const hint = didYouMean(defaultContactType, ids);
  context.report(
    'contactTypes',
    `must hold the retailer's defaultContactType "${defaultContactType}", and holds ${ids.join(', ') || 'none'}${hint}`,
  );
}

function checkFieldNames(retailer: Retailer, type: ContactType, path: string, context: FixtureContext): void {
  const known = [...contactFields, ...retailer.contactAttributes.map(({ name }) => name)];
  for (const list of ['required', 'requiresOneOf'] as const) {
    for (const [i, name] of type[list].entries()) {
      if (known.includes(name)) continue;
      context.report(`${path}.${list}[${i}]`, `"${name}" is no field of a contact${didYouMean(name, known)}`);
    }
  }
}
