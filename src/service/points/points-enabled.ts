/** Checks for the new point system, which a retailer may not have switched on. */
import type { TenantContext } from '../../core/tenant/context.ts';
import { apiError } from '../errors/catalog.ts';
import { retailerOf } from '../retailer/operations.ts';

/** True when points arise, apart from those of the bulk call, which is refused without the system in either reading. */
export const isPointSystemActive = (tenant: TenantContext): boolean =>
  retailerOf(tenant).isPointSystemActive || tenant.assumption('A-55') === 'bulk-only';

/** Throws `NewPointSystemNotActive`. */
export function requirePointSystem(tenant: TenantContext): void {
  if (isPointSystemActive(tenant)) return;
  const message =
    'New point system not active: no points are added, set or converted. ' +
    'The retailer of the fixtures has isPointSystemActive false.';
  throw apiError('NewPointSystemNotActive', { message });
}
