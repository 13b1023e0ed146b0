/** Returns what is left of an account's additions after all transactions of a fixture. */
import { lowerBound } from '../../../core/lib/collections.ts';
import type { Instant } from '../../../core/time/clock.ts';
import { roundPointAmount } from '../ledger/balance.ts';
import { parseInstant } from '../tables.ts';
import type { PointLot, PointTransaction } from '../tables.ts';

/** Holds an addition with what is left of it so far. */
interface OpenLot {
  readonly lot: PointLot;
  left: number;
}

const end = ({ expiresAt }: PointLot): number => expiresAt ?? Number.POSITIVE_INFINITY;

/** A validFrom alone makes points pending: without one they count by now, however they are dated. */
export const activeFromOf = ({ validFrom, transactionDate }: PointTransaction, now: Instant): Instant =>
  validFrom === null ? Math.min(parseInstant(transactionDate), now) : parseInstant(validFrom);

/** Returns when what became active at a moment was over for another reason than its validTo. */
type EndOf = (activeFrom: Instant) => Instant | undefined;

/** Goes through an account's transactions as they came into force; those still to come are only noted. */
export function replayLots(transactions: readonly PointTransaction[], now: Instant, overAt: EndOf): PointLot[] {
  const started = transactions.map((transaction) => ({ transaction, at: activeFromOf(transaction, now) }));
  const open: OpenLot[] = [];
  let owed = 0;
  for (const { transaction, at } of started.toSorted((a, b) => a.at - b.at || byNumber(a, b))) {
    if (transaction.amount > 0) insert(open, lotOf(transaction, at, overAt(at)));
    else if (at <= now) owed -= transaction.amount;
    if (owed > 0 && at <= now) owed = take(open, owed, { at, type: transaction.type });
  }
  return open.flatMap(({ lot, left }) =>
    roundPointAmount(left) > 0 ? [{ ...lot, left: roundPointAmount(left) }] : [],
  );
}

interface Started {
  readonly transaction: PointTransaction;
}

const byNumber = (a: Started, b: Started): number => a.transaction.number - b.transaction.number;

function lotOf(
  { id, number, accountId, amount, validTo }: PointTransaction,
  activeFrom: Instant,
  overAt: Instant | undefined,
): PointLot {
  const ends = [...(validTo === null ? [] : [parseInstant(validTo)]), ...(overAt === undefined ? [] : [overAt])];
  const expiresAt = ends.length === 0 ? null : Math.min(...ends);
  return { id, number, accountId, left: amount, activeFrom, expiresAt };
}

/** Puts a lot among the others, those that expire first in front. */
function insert(open: OpenLot[], lot: PointLot): void {
  const place = lowerBound(open, (other) => end(other.lot) > end(lot));
  open.splice(place, 0, { lot, left: lot.left });
}

interface Taking {
  readonly at: Instant;
  readonly type: PointTransaction['type'];
}

/**
 * Takes from the lots that count at a moment, or for an expiry from those that are over; returns what is still owed.
 */
function take(open: OpenLot[], owed: number, { at, type }: Taking): number {
  let rest = owed;
  for (let i = 0; i < open.length && rest > 0; i++) {
    const one = open[i] as OpenLot;
    if (one.lot.activeFrom > at || (type !== 'Expiry' && end(one.lot) <= at)) continue;
    const taken = Math.min(rest, one.left);
    one.left = roundPointAmount(one.left - taken);
    rest = roundPointAmount(rest - taken);
    if (one.left === 0) open.splice(i--, 1);
  }
  return rest;
}
