import type { Happening } from './agenda.ts';
import type { Instant } from './clock.ts';
import type { Tenant } from './tenant.ts';

/** So many attempts to deliver are told of one passing of time; all of them stand with their deliveries. */
export const mostAttempts = 1000;

/**
 * Lets time pass up to a moment, as `tenant.moveTo` does, and waits at each moment on the way until what is to be
 * sent then has been sent: it is part of what happens, and so is what its receiver does about it.
 */
export async function letPass(tenant: Tenant, target: Instant): Promise<Happening[]> {
  const { outbound, clock } = tenant;
  if (!outbound || target < clock.now()) return tenant.moveTo(target);
  const happenings: Happening[] = [];
  let attempts = 0;
  const stopWatching = outbound.watch((tried) => {
    if (++attempts <= mostAttempts) happenings.push(tried);
  });
  try {
    for (;;) {
      await outbound.idle();
      // A clock that runs has run on meanwhile, perhaps beyond the target.
      const limit = Math.max(clock.now(), Math.min(target, outbound.nextDue() ?? target));
      const done = tenant.passNext(limit);
      if (done) happenings.push(done);
      else if (limit > clock.now()) happenings.push(...tenant.moveTo(limit));
      else if (limit >= target) return happenings;
    }
  } finally {
    stopWatching();
  }
}
