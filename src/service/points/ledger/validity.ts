/** Checks from when to when points count: they must be active before they expire. */
import type { TenantContext } from '../../../core/tenant/context.ts';
import { pointsExpireHere } from '../point-follower.ts';
import { parseInstant } from '../tables.ts';

export interface ValidityPeriod {
  readonly validFrom?: string | null | undefined;
  readonly validTo?: string | null | undefined;
}

interface Addition extends ValidityPeriod {
  readonly source?: string | null | undefined;
}

const ownSources: ReadonlySet<string> = new Set(['automation', 'manual']);

/** Ignores the validFrom of what says that it was added manually or by an automation, where that is how A-57 is read. */
export function withoutIgnoredValidFrom<Sent extends Addition>(tenant: TenantContext, sent: Sent, path = ''): Sent {
  const { source, validFrom } = sent;
  if (!validFrom || !source || !ownSources.has(source.trim().toLowerCase())) return sent;
  if (tenant.assumption('A-57') !== 'ignored') return sent;
  const message = `${path}validFrom ${validFrom} is ignored, since the source is ${source}: such points are active at once`;
  tenant.warn('valid-from-ignored', message);
  return { ...sent, validFrom: null };
}

/** Explains a wrong validTo. */
export const validityError = ({ validFrom, validTo }: ValidityPeriod): string | undefined =>
  validFrom && validTo && parseInstant(validTo) <= parseInstant(validFrom)
    ? `must be later than validFrom, which is ${validFrom}`
    : undefined;

/** Warns of a validTo that people would expect something else of. */
export function warnOfValidTo(tenant: TenantContext, { validTo }: ValidityPeriod, amount: number): void {
  if (!validTo) return;
  if (amount <= 0) tenant.warn('valid-to-unused', `validTo ${validTo} does nothing, as the transaction adds no points`);
  else if (parseInstant(validTo) <= tenant.now() && pointsExpireHere(tenant)) {
    tenant.warn('points-expired', `validTo ${validTo} is over, so the points expire at once`);
  }
}
