/** Tells how the points of an account came to be what they are, and what becomes of them if nothing more happens. */
import { parseTimestamp } from '../../core/time/clock.ts';
import type { Instant } from '../../core/time/clock.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { balanceOf, roundPointAmount } from './ledger/balance.ts';
import { definitionOfAccount } from './ledger/ledger.ts';
import { inactivityExpiryOf, ledgerViewOf } from './ledger/expiry.ts';
import { pointLots, pointTransactions } from './tables.ts';
import type { PointAccount, PointTransaction } from './tables.ts';

/** Describes what an account held from a moment on. */
export interface PointLevel {
  readonly at: Instant;
  readonly active: number;
  readonly pending: number;
}

export interface PointsOverTime {
  /** Holds the latest transactions in the order in which they were made. */
  readonly transactions: readonly PointTransaction[];
  /** Holds the levels from the first of these transactions up to now. */
  readonly past: readonly PointLevel[];
  /** Holds the levels from now on, if nothing more happens. */
  readonly future: readonly PointLevel[];
  /** Holds what will expire, if nothing more happens. */
  readonly expiring: readonly { readonly at: Instant; readonly amount: number }[];
}

/** Changes what is active and what is pending at a moment. */
interface Step {
  readonly at: Instant;
  readonly active: number;
  readonly pending: number;
}

const instantOf = (timestamp: string | null): Instant => (timestamp === null ? 0 : (parseTimestamp(timestamp) ?? 0));

/** Returns when a transaction was made, and when its points become active if that is later. */
function stepsOf({ amount, createdOn, validFrom }: PointTransaction): Step[] {
  const [made, active] = [instantOf(createdOn), instantOf(validFrom)];
  if (active <= made) return [{ at: made, active: amount, pending: 0 }];
  return [
    { at: made, active: 0, pending: amount },
    { at: active, active: amount, pending: -amount },
  ];
}

/** Adds steps up from a level; those of one moment make one level. */
function levelsFrom(start: PointLevel, steps: readonly Step[]): PointLevel[] {
  const levels: PointLevel[] = [];
  let { active, pending } = start;
  for (const step of steps.toSorted((a, b) => a.at - b.at)) {
    active = roundPointAmount(active + step.active);
    pending = roundPointAmount(pending + step.pending);
    if (levels.at(-1)?.at === step.at) levels.pop();
    levels.push({ at: step.at, active, pending });
  }
  return levels;
}

/** Returns the points of an account over time, from its latest transactions. */
export function pointsOverTime(tenant: TenantContext, account: PointAccount, limit: number): PointsOverTime {
  const now = tenant.now();
  const list = tenant.list(pointTransactions, 'createdOn', account.id);
  const keys = list.page(0, limit, 'descending');
  const transactions = keys.flatMap((key) => tenant.get(pointTransactions, key) ?? []).toReversed();
  const steps = transactions.flatMap(stepsOf);
  const shown = levelsFrom(
    { at: 0, active: 0, pending: 0 },
    steps.filter(({ at }) => at <= now),
  ).at(-1);
  // What came before the shown ones is what is missing of the balance.
  const before = roundPointAmount(balanceOf(tenant, account.id, now) - (shown?.active ?? 0));
  const past = levelsFrom(
    { at: 0, active: before, pending: 0 },
    steps.filter(({ at }) => at <= now),
  );
  const present = { active: balanceOf(tenant, account.id, now), pending: past.at(-1)?.pending ?? 0, at: now };
  const expiring = expiringOf(tenant, account);
  const losses = expiring.map(({ at, amount }) => ({ at, active: -amount, pending: 0 }));
  const later = steps.filter(({ at }) => at > now);
  return { transactions, past, future: levelsFrom(present, [...later, ...losses]), expiring };
}

function expiringOf(tenant: TenantContext, account: PointAccount): PointsOverTime['expiring'] {
  const view = ledgerViewOf(tenant);
  if (!view.expires) return [];
  const inactive = inactivityExpiryOf(view, account, definitionOfAccount(tenant, account));
  const amounts = new Map<Instant, number>();
  for (const { left, expiresAt, activeFrom } of tenant.listRows(pointLots, 'expiry', account.id)) {
    const ends = [expiresAt, activeFrom <= tenant.now() ? inactive : undefined].filter(
      (end) => typeof end === 'number',
    );
    const at = Math.min(...ends);
    if (Number.isFinite(at)) amounts.set(at, (amounts.get(at) ?? 0) + left);
  }
  return [...amounts].map(([at, amount]) => ({ at, amount: roundPointAmount(amount) })).toSorted((a, b) => a.at - b.at);
}
