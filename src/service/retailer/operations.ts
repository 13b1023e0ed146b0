import type * as z from 'zod';
import { UnitOfWork } from '../../core/state/unit-of-work.ts';
import type { RowReader } from '../../core/state/unit-of-work.ts';
import type { State } from '../../core/state/state.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { addLocalMonths } from '../../core/time/time-zone.ts';
import type { Instant } from '../../core/time/clock.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { apiError } from '../errors/catalog.ts';
import { contactTypes, retailers, stores } from './schema.ts';
import type { ContactType, Retailer, storeResponseSchema } from './schema.ts';

/** Holds for a tenant whose fixtures say nothing of the retailer. */
const defaultRetailer: Retailer = {
  name: 'Unnamed retailer',
  groupCurrency: 'SEK',
  exchangeRates: {},
  timeZone: 'Europe/Stockholm',
  defaultContactType: 'Member',
  contactAttributes: [],
  isPointSystemActive: true,
  orderCommunications: [],
};

export const retailerIn = (state: State): Retailer => retailerOf(new UnitOfWork(state));

export const retailerOf = (rows: RowReader): Retailer => rows.get(retailers, 'retailer') ?? defaultRetailer;

/** Moves a moment by whole months in the time zone of the retailer. */
export const addRetailerMonths = (rows: RowReader, instant: Instant, months: number): Instant =>
  addLocalMonths(instant, months, retailerOf(rows).timeZone);

/** Returns the contact type of this name, or the retailer's default one. */
export function getContactType(tenant: TenantContext, name: string | undefined): ContactType {
  const wanted = name ?? retailerOf(tenant).defaultContactType;
  const type = tenant.find(contactTypes, 'id', wanted.toLowerCase());
  if (type) return type;
  const known = [...tenant.all(contactTypes)].map(({ id }) => id);
  throw apiError('InvalidContactType', {
    message: `There is no contact type "${wanted}"; there are ${known.join(', ')}${didYouMean(wanted, known)}`,
  });
}

/** Warns of a store that there is none of; `field` is what named it. */
export function warnIfUnknownStore(tenant: TenantContext, field: string, externalId: string | null | undefined): void {
  const message = unknownStoreMessage(tenant, field, externalId);
  if (message !== undefined) tenant.warn('unknown-store', message);
}

/** Explains that there is no store of this name. */
export function unknownStoreMessage(
  tenant: TenantContext,
  field: string,
  externalId: string | null | undefined,
): string | undefined {
  if (!externalId || tenant.get(stores, externalId)) return undefined;
  const known = [...tenant.all(stores)].map((store) => store.externalId);
  return `no store has the ${field} "${externalId}"${didYouMean(externalId, known)}`;
}

/** Returns the stores by their ids, without those that are closed unless these are asked for. */
export const listStores = (tenant: TenantContext, isInactiveIncluded: boolean): z.input<typeof storeResponseSchema>[] =>
  [...tenant.all(stores)]
    .filter(({ active }) => active || isInactiveIncluded)
    .toSorted((a, b) => (a.externalId < b.externalId ? -1 : 1))
    .map((row) => {
      const { currency: _, ...store } = row;
      return { ...store, city: store.city ?? null, countryCode: store.countryCode ?? null };
    });
