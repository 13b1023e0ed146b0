/** What an account holds at a moment: added up from its transactions, never kept. */
import type { Instant } from '../../core/clock.ts';
import type { Tenant } from '../../core/tenant.ts';
import { rounded } from '../receipts/amounts.ts';
import { pointLots, pointTransactions } from './rows.ts';

/** Sums of decimals come out a hair beside what a person would get. */
const decimals = 6;

export const exact = (points: number): number => rounded(points, decimals);

/** Active points: no validFrom, or one that has come (a validFrom of this very moment has). */
export const balanceOf = (tenant: Tenant, accountId: string, now: Instant): number =>
  exact(tenant.list(pointTransactions, 'activation', accountId).sums(undefined, now + 1)[0] ?? 0);

/** Pending points: validFrom is yet to come. */
export const pendingPointsOf = (tenant: Tenant, accountId: string, now: Instant): number =>
  exact(tenant.list(pointTransactions, 'activation', accountId).sums(now + 1)[0] ?? 0);

/** What has been deducted and not yet been taken from any lot: more than nothing just after a deduction, or when overdrawn. */
export function owedBy(tenant: Tenant, accountId: string, now: Instant): number {
  const active = tenant.list(pointLots, 'activation', accountId).sums(undefined, now + 1)[0] ?? 0;
  return Math.max(0, exact(active - balanceOf(tenant, accountId, now)));
}
