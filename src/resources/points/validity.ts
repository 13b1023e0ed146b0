/** From when to when points count: they must be active before they expire. */
import type { Tenant } from '../../core/tenant.ts';
import { instantOf } from './rows.ts';

export interface Validity {
  readonly validFrom?: string | null | undefined;
  readonly validTo?: string | null | undefined;
}

/** What is wrong with a validTo, in words. */
export const validityFault = ({ validFrom, validTo }: Validity): string | undefined =>
  validFrom && validTo && instantOf(validTo) <= instantOf(validFrom)
    ? `must be later than validFrom, which is ${validFrom}`
    : undefined;

export function warnOfExpired(tenant: Tenant, { validTo }: Validity): void {
  if (!validTo || instantOf(validTo) > tenant.now()) return;
  tenant.warn('points-expired', `validTo ${validTo} is over, so the points expire at once`);
}
