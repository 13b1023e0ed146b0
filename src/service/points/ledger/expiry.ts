/** Computes when points expire, and when an account next changes by itself. */
import { parseTimestamp, toTimestamp } from '../../../core/time/clock.ts';
import type { Instant } from '../../../core/time/clock.ts';
import type { TimerOptions } from '../../../core/time/jobs.ts';
import { orderedListOf } from '../../../core/state/state.ts';
import type { State } from '../../../core/state/state.ts';
import type { TenantContext } from '../../../core/tenant/context.ts';
import { addLocalMonths } from '../../../core/time/time-zone.ts';
import { retailerIn, retailerOf } from '../../retailer/operations.ts';
import { receipts } from '../../receipts/tables.ts';
import { pointsExpireHere } from '../point-follower.ts';
import { pointLots, pointTransactions } from '../tables.ts';
import type { PointAccount } from '../tables.ts';
import type { PointDefinition } from '../definitions.ts';

/** Reads lists, and tells the moment of it: a tenant as it stands, or a state on its way to become one. */
export interface PointLedgerView extends Pick<TenantContext, 'peek' | 'now'> {
  /** True when points expire here. */
  readonly expires: boolean;
  readonly timeZone: string;
}

export const ledgerViewAt = (state: State, now: Instant): PointLedgerView => ({
  peek: (table, index, of) => orderedListOf(state, table, index, of),
  now: () => now,
  expires: true,
  timeZone: retailerIn(state).timeZone,
});

export const ledgerViewOf = (tenant: TenantContext): PointLedgerView => ({
  peek: (table, index, of) => tenant.peek(table, index, of),
  now: () => tenant.now(),
  expires: pointsExpireHere(tenant),
  timeZone: retailerOf(tenant).timeZone,
});

/**
 * Returns the validTo of points that come without one; null where age does nothing to them, or not while there are
 * timestamps.
 */
export function expiryByAge({ expiry }: PointDefinition, start: Instant, timeZone: string): string | null {
  if (expiry.method !== 'age') return null;
  const validTo = toTimestamp(addLocalMonths(start, expiry.months, timeZone));
  return parseTimestamp(validTo) === undefined ? null : validTo;
}

/** Returns when a contact last bought something. */
const lastPurchase = (moment: PointLedgerView, contactId: string): Instant | undefined =>
  moment.peek(receipts, 'byContact', contactId).lastBelow(moment.now() + 1)?.order;

/**
 * Returns the moment at which all active points of an account expire unless its contact buys something or more points
 * become active.
 */
function expiryByInactivity(
  { expiry }: PointDefinition,
  timeZone: string,
  [lastActivated, lastBought]: readonly (Instant | undefined)[],
): Instant | undefined {
  if (expiry.method !== 'contactInactive' || lastActivated === undefined) return undefined;
  // The end of each, not that of the later: by the ends of months, what is later can be over earlier in the day.
  const end = addLocalMonths(lastActivated, expiry.months, timeZone);
  return lastBought === undefined ? end : Math.max(end, addLocalMonths(lastBought, expiry.months, timeZone));
}

/** Returns the same for an account as it stands. */
export function inactivityExpiryOf(
  moment: PointLedgerView,
  { id, contactId }: PointAccount,
  definition: PointDefinition,
): Instant | undefined {
  if (!moment.expires || definition.expiry.method !== 'contactInactive') return undefined;
  const activated = moment.peek(pointLots, 'activation', id).lastBelow(moment.now() + 1);
  return expiryByInactivity(definition, moment.timeZone, [activated?.order, lastPurchase(moment, contactId)]);
}

const never = Number.POSITIVE_INFINITY;

/** Returns the next moment at which points of an account become active or expire. */
export function nextChangeAt(
  moment: PointLedgerView,
  account: PointAccount,
  definition: PointDefinition,
): Instant | undefined {
  const later = moment.now() + 1;
  const next = Math.min(
    (moment.expires ? moment.peek(pointLots, 'expiry', account.id).firstFrom(later)?.order : never) ?? never,
    moment.peek(pointTransactions, 'activation', account.id).firstFrom(later)?.order ?? never,
    inactivityExpiryOf(moment, account, definition) ?? never,
  );
  return next === never ? undefined : next;
}

export const settleTimerKey = ({ id }: PointAccount): string => `points/${id}`;

/** Describes the one timer of an account, for its next change. */
export const settleTimer = (account: PointAccount, dueAt: Instant): TimerOptions => ({
  key: settleTimerKey(account),
  kind: 'points.settle',
  dueAt,
  payload: { accountId: account.id },
});
