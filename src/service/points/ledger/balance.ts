/** Computes what an account holds at a moment from its transactions; it is never stored. */
import type { Instant } from '../../../core/time/clock.ts';
import type { TenantContext } from '../../../core/tenant/context.ts';
import { roundAmount } from '../../receipts/amounts.ts';
import { pointLots, pointTransactions } from '../tables.ts';

/** Sums of decimals come out a hair off what a person would get. */
const decimals = 6;

export const roundPointAmount = (points: number): number => roundAmount(points, decimals);

/** Sums the active points, which have no validFrom or one that has come (a validFrom of this very moment has). */
export const balanceOf = (tenant: TenantContext, accountId: string, now: Instant): number =>
  roundPointAmount(tenant.peek(pointTransactions, 'activation', accountId).sums(undefined, now + 1)[0] ?? 0);

/** Sums the pending points, whose validFrom is yet to come. */
export const pendingPointsOf = (tenant: TenantContext, accountId: string, now: Instant): number =>
  roundPointAmount(tenant.peek(pointTransactions, 'activation', accountId).sums(now + 1)[0] ?? 0);

/** Returns what has been deducted and not yet been taken from any lot: more than nothing just after a deduction, or when overdrawn. */
export function outstandingDebt(tenant: TenantContext, accountId: string, now: Instant): number {
  const active = tenant.peek(pointLots, 'activation', accountId).sums(undefined, now + 1)[0] ?? 0;
  return Math.max(0, roundPointAmount(active - balanceOf(tenant, accountId, now)));
}
