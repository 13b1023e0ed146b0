import type { Happening } from './agenda.ts';
import type { Instant } from './clock.ts';
import type { Tenant } from './tenant.ts';

/**
 * Lets time pass up to a moment, as `tenant.moveTo` does, and waits at each moment on the way until what is to be
 * sent then has been sent: what its receiver does about it is part of what happens.
 */
export async function letPass(tenant: Tenant, target: Instant): Promise<Happening[]> {
  const { outbound, clock } = tenant;
  if (!outbound || target < clock.now()) return tenant.moveTo(target);
  const happenings: Happening[] = [];
  for (;;) {
    await outbound.idle();
    // A clock that runs has run on meanwhile, perhaps beyond the target.
    const limit = Math.max(clock.now(), Math.min(target, outbound.nextDue() ?? target));
    const done = tenant.passNext(limit);
    if (done) happenings.push(done);
    else if (limit > clock.now()) happenings.push(...tenant.moveTo(limit));
    else if (limit >= target) return happenings;
  }
}
