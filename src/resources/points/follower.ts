/** Point-follower mode: an external point master owns the points, and sends balances. */
import type { Tenant } from '../../core/tenant.ts';

/** Then purchases give no points, and points become no vouchers. */
export const isPointFollower = (tenant: Tenant): boolean => tenant.settings.mode === 'point-follower';
