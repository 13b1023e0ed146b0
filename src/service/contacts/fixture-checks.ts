/** Checks what no schema can see of a fixture's contacts: that they fit the retailer, and each other. */
import { findKey, getRow, allRows } from '../../core/state/state.ts';
import type { State } from '../../core/state/state.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { consents } from '../consents/schema.ts';
import type { FixtureContext } from '../resource/fixture-section.ts';
import { retailerIn } from '../retailer/operations.ts';
import { contactTypes } from '../retailer/schema.ts';
import type { ContactType } from '../retailer/schema.ts';
import { matchKeyTypes, normalizeMatchKey } from './match-keys.ts';
import { matchKeyIndexValue } from './schema.ts';
import type { ContactRow } from './schema.ts';

/** Locates a contact in the fixture. */
export interface ContactFixtureContext {
  readonly state: State;
  readonly path: string;
  readonly context: FixtureContext;
}

/** Returns the contact type of this name, or the retailer's default; undefined, and reported, when there is none. */
export function findItemContactType(
  { state, path, context }: ContactFixtureContext,
  name: string | undefined,
): ContactType | undefined {
  const wanted = name ?? retailerIn(state).defaultContactType;
  const type = getRow(state, contactTypes, findKey(state, contactTypes, 'id', wanted.toLowerCase()) ?? '');
  if (type) return type;
  const known = [...allRows(state, contactTypes)].map(({ id }) => id);
  const there = known.length > 0 ? `contactTypes holds ${known.join(', ')}` : 'the fixture has no contactTypes';
  context.report(`${path}.contactType`, `there is no contact type "${wanted}": ${there}${didYouMean(wanted, known)}`);
  return undefined;
}

/** Reports every field that is neither one of `known` nor one of the retailer's own. */
export function reportUnknownFields(
  { state, path, context }: ContactFixtureContext,
  item: object,
  known: ReadonlySet<string>,
): void {
  const { contactAttributes } = retailerIn(state);
  for (const name of Object.keys(item)) {
    if (known.has(name) || contactAttributes.some((attribute) => attribute.name === name)) continue;
    const hint = didYouMean(name, [...known, ...contactAttributes.map((attribute) => attribute.name)]);
    const wayOut = hint || "; a field of the retailer's own is declared in retailer.contactAttributes";
    context.report(`${path}.${name}`, `is not a field of a contact${wayOut}`);
  }
}

/** Reports answers to consents that there aren't, and a second answer to the same one. */
export function reportConsentErrors(
  { state, path, context }: ContactFixtureContext,
  answers: readonly { readonly id: string }[],
): void {
  const answered = new Set<string>();
  for (const [i, { id }] of answers.entries()) {
    const place = `${path}.consents[${i}].id`;
    if (!getRow(state, consents, id)) {
      const known = [...allRows(state, consents)].map((consent) => consent.id);
      context.report(place, `there is no consent "${id}"${didYouMean(id, known)}`);
    }
    if (answered.has(id)) context.report(place, `"${id}" is answered already, further up in this contact`);
    answered.add(id);
  }
}

/**
 * Returns the attributes without match keys that an earlier contact of the type has, and reports these (Contact rule
 * 3).
 */
export function withoutDuplicateKeys(
  { path, context }: ContactFixtureContext,
  { contactType, attributes, sharedKeys }: Pick<ContactRow, 'contactType' | 'attributes' | 'sharedKeys'>,
  holders: Map<string, string>,
): ContactRow['attributes'] {
  const own = { ...attributes };
  for (const type of matchKeyTypes) {
    const value = own[type];
    const normalized = typeof value === 'string' ? normalizeMatchKey(type, value) : undefined;
    if (normalized === undefined || sharedKeys?.includes(type)) continue;
    const key = matchKeyIndexValue(contactType, type, normalized);
    const holder = holders.get(key);
    if (holder === undefined) holders.set(key, path);
    else {
      delete own[type];
      context.report(`${path}.${type}`, `"${value}" is the ${type} of ${holder} already, of type ${contactType} too`);
    }
  }
  return own;
}
