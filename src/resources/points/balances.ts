/** Balances that an external point master sets: in point-follower mode only, in which this service isn't. */
import { refusal } from '../refusals.ts';

/** Throws `PointFollowerNotActive`. */
export function queueBalances(): never {
  const message = 'The service is not the point follower: it keeps the points itself, so send transactions.';
  throw refusal('PointFollowerNotActive', { message });
}

/** Throws `BalanceSyncNotFound`. */
export function balanceSyncOf(id: string): never {
  throw refusal('BalanceSyncNotFound', { message: `No balances were set under the id ${id}.` });
}
