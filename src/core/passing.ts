import type { Happening } from './agenda.ts';
import type { Instant } from './clock.ts';
import type { Tenant } from './tenant.ts';

/** So many attempts to deliver are told of one passing of time; all of them stand with their deliveries. */
export const mostAttempts = 1000;

/** Stops time; what is due by then is done. */
export function stopTime(tenant: Tenant): Happening[] {
  tenant.turn(() => tenant.clock.freeze());
  return tenant.agenda.runDue();
}

/** Lets time run on from where it stands. */
export function letRun(tenant: Tenant): Happening[] {
  tenant.turn(() => tenant.clock.resume());
  return tenant.agenda.runDue();
}

/** Lets time pass up to a moment; work that falls due on the way is done at its own moment. Going back does none. */
function moveTo(tenant: Tenant, target: Instant): Happening[] {
  const happenings: Happening[] = [];
  for (let done = passNext(tenant, target); done; done = passNext(tenant, target)) happenings.push(done);
  tenant.turn(() => tenant.clock.set(target));
  tenant.agenda.planWake();
  return happenings;
}

/** Lets time pass up to the next work that falls due by a moment, and does it; when there is none, nothing passes. */
function passNext(tenant: Tenant, target: Instant): Happening | undefined {
  const { clock, agenda } = tenant;
  const job = target < clock.now() ? undefined : agenda.nextDue(target);
  if (!job) return undefined;
  const { dueAt } = job;
  if (dueAt > clock.now()) tenant.turn(() => clock.set(dueAt));
  return agenda.runJob(job);
}

/**
 * Lets time pass up to a moment, does the work that falls due on the way, and waits at each moment until what is to be
 * sent then has been sent: it is part of what happens, and so is what its receiver does about it.
 */
export async function letPass(tenant: Tenant, target: Instant): Promise<Happening[]> {
  const { outbound, clock } = tenant;
  if (!outbound || target < clock.now()) return moveTo(tenant, target);
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
      const done = passNext(tenant, limit);
      if (done) happenings.push(done);
      else if (limit > clock.now()) happenings.push(...moveTo(tenant, limit));
      else if (limit >= target) return happenings;
    }
  } finally {
    stopWatching();
  }
}
