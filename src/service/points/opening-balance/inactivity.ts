/** Computes when the points of a fixture were lost because their contact was inactive, before it was loaded. */
import type { Instant } from '../../../core/time/clock.ts';

/** Describes a time in which something happened often enough, and the moment at which it ended or will end. */
interface ActivePeriod {
  readonly from: Instant;
  end: Instant;
}

/** Divides moments, in their order, into stretches without a gap; `endOf` says how long one moment lasts. */
export function activePeriods(moments: readonly Instant[], endOf: (at: Instant) => Instant): readonly ActivePeriod[] {
  const stretches: ActivePeriod[] = [];
  for (const at of moments) {
    const last = stretches.at(-1);
    const end = endOf(at);
    if (last && at < last.end) last.end = Math.max(last.end, end);
    else stretches.push({ from: at, end });
  }
  return stretches;
}

/** Returns the end of the stretch in which a moment lies. */
export const activePeriodEnd = (stretches: readonly ActivePeriod[], at: Instant): Instant | undefined =>
  stretches.findLast(({ from }) => from <= at)?.end;
