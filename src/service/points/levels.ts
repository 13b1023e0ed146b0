/** Derives the member level of a contact from its points. */
import type { TenantContext } from '../../core/tenant/context.ts';
import { balanceOf, pendingPointsOf } from './ledger/balance.ts';
import { definitionOfAccount } from './ledger/ledger.ts';
import { isPointFollower } from './point-follower.ts';
import type { PointAccount } from './tables.ts';

/** Returns the name of the level that the points of an account have reached; null when none, or the master owns them. */
export function levelOf(tenant: TenantContext, account: PointAccount): string | null {
  const { levels } = definitionOfAccount(tenant, account);
  // Point-based member levels do not work in point-follower mode.
  if (levels.length === 0 || isPointFollower(tenant)) return null;
  const now = tenant.now();
  const pending = tenant.assumption('A-77') === 'pending' ? pendingPointsOf(tenant, account.id, now) : 0;
  const points = balanceOf(tenant, account.id, now) + pending;
  const reached = levels.filter(({ threshold }) => threshold <= points);
  const highest = Math.max(...reached.map(({ threshold }) => threshold));
  return reached.find(({ threshold }) => threshold === highest)?.name ?? null;
}
