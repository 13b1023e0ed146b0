/** Finds whom a request is about: the contacts that it names by id or key, and those that own what it names. */
import { normalizeGuid } from '../core/lib/random.ts';
import type { TenantContext } from '../core/tenant/context.ts';
import { forEachInSteps } from '../core/time/steps.ts';
import type { Steps } from '../core/time/steps.ts';
import { matchKeyTypes, normalizeMatchKey } from './contacts/match-keys.ts';
import type { MatchKeyType } from './contacts/match-keys.ts';
import { findAllByKey, findContact, lookupKeyTypes } from './contacts/lookup.ts';
import type { ContactRow } from './contacts/schema.ts';
import type { ContactLookup } from './resource/resource.ts';
import { fromResources } from './resources.ts';
import { contactTypes } from './retailer/schema.ts';

/** Holds the parameters of a request's path and query, and its body. */
interface RequestContent {
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly body: unknown;
}

type JsonFields = Readonly<Record<string, unknown>>;

/** Holds the ids of all nouns by their names in paths, queries and bodies. */
const owners = new Map<string, ContactLookup>(
  fromResources(({ references }) => references && Object.entries(references)),
);

const referenceForm = (type: MatchKeyType | 'contactId', normalized: string): string => `${type} ${normalized}`;

/** Returns the forms that a contact's id or key may have among those of `contactReferences`. */
export function referenceForms(key: string): string[] {
  const id = normalizeGuid(key);
  return [...(id === undefined ? [] : [referenceForm('contactId', id)]), ...keyReferenceForms(matchKeyTypes, key)];
}

const keyReferenceForms = (types: readonly MatchKeyType[], value: string): string[] =>
  types.flatMap((type) => {
    const normalized = normalizeMatchKey(type, value);
    return normalized === undefined ? [] : [referenceForm(type, normalized)];
  });

/** Returns ids and keys of all that a request is about, those of contacts that aren't there yet as they were sent. */
export function* contactReferences(
  tenant: TenantContext,
  { parameters, body }: RequestContent,
): Steps<ReadonlySet<string>> {
  const forms = new Set<string>();
  for (const [name, value] of parameters) collectValue(tenant, forms, { name, value });
  yield* forEachInSteps(Array.isArray(body) ? body : [body], (item) => collectFields(tenant, forms, item));
  return forms;
}

interface NamedValue {
  readonly name: string;
  readonly value: unknown;
}

function collectValue(tenant: TenantContext, forms: Set<string>, { name, value }: NamedValue): void {
  if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return;
  const text = String(value);
  collectById(tenant, forms, owners.get(name)?.(tenant, normalizeGuid(text) ?? text));
  if (Object.hasOwn(lookupKeyTypes, name))
    collectByKey(tenant, forms, { types: lookupKeyTypes[name as keyof typeof lookupKeyTypes], text });
}

function collectFields(tenant: TenantContext, forms: Set<string>, item: unknown): void {
  if (typeof item !== 'object' || item === null) return;
  for (const [name, value] of Object.entries(item)) collectValue(tenant, forms, { name, value });
  const { contact } = item as JsonFields;
  if (typeof contact !== 'object' || contact === null) return;
  // Receipts and orders say by which of its keys they name a contact.
  const { matchKey, matchKeyType } = contact as JsonFields;
  const type = ['contactId', ...matchKeyTypes].find(
    (known) => known.toLowerCase() === String(matchKeyType).toLowerCase(),
  );
  if (type !== undefined) collectValue(tenant, forms, { name: type, value: matchKey });
}

function collectById(tenant: TenantContext, forms: Set<string>, id: string | undefined): void {
  if (id === undefined) return;
  const contact = findContact(tenant, id);
  if (contact) collectContact(forms, contact);
  else if (normalizeGuid(id) !== undefined) forms.add(referenceForm('contactId', id));
  // an integer in place of an id is a memberNumber.
  else collectByKey(tenant, forms, { types: ['memberNumber'], text: id });
}

function collectByKey(
  tenant: TenantContext,
  forms: Set<string>,
  key: { types: readonly MatchKeyType[]; text: string },
): void {
  for (const form of keyReferenceForms(key.types, key.text)) forms.add(form);
  for (const { id } of tenant.all(contactTypes)) {
    for (const type of key.types) {
      for (const contact of findAllByKey(tenant, id, type, key.text)) collectContact(forms, contact);
    }
  }
}

function collectContact(forms: Set<string>, { id, attributes }: ContactRow): void {
  forms.add(referenceForm('contactId', id));
  for (const type of matchKeyTypes) {
    const value = attributes[type];
    for (const form of typeof value === 'string' ? keyReferenceForms([type], value) : []) forms.add(form);
  }
}
