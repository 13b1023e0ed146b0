import type { ExecutedJob } from './scheduler.ts';
import type { Instant } from './clock.ts';
import type { Tenant } from '../tenant/tenant.ts';

/** So many attempts to deliver are told of one passing of time; all of them stand with their deliveries. */
export const maxListedAttempts = 1000;

/** Stops time; what is due by then is done. */
export function freezeClock(tenant: Tenant): ExecutedJob[] {
  tenant.setClock(() => tenant.clock.freeze());
  return tenant.scheduler.runDue();
}

/** Lets time run on from where it stands. */
export function resumeClock(tenant: Tenant): ExecutedJob[] {
  tenant.setClock(() => tenant.clock.resume());
  return tenant.scheduler.runDue();
}

/** Lets time pass up to a moment; work that falls due on the way is done at its own moment. Going back does none. */
function runUntil(tenant: Tenant, target: Instant): ExecutedJob[] {
  const happenings: ExecutedJob[] = [];
  for (let done = runNext(tenant, target); done; done = runNext(tenant, target)) happenings.push(done);
  tenant.setClock(() => tenant.clock.set(target));
  tenant.scheduler.armTimer();
  return happenings;
}

/** Lets time pass up to the next work that falls due by a moment, and does it; when there is none, nothing passes. */
function runNext(tenant: Tenant, target: Instant): ExecutedJob | undefined {
  const { clock, scheduler: agenda } = tenant;
  const job = target < clock.now() ? undefined : agenda.nextDue(target);
  if (!job) return undefined;
  const { dueAt } = job;
  if (dueAt > clock.now()) tenant.setClock(() => clock.set(dueAt));
  return agenda.runJob(job);
}

/**
 * Lets time pass up to a moment, does the work that falls due on the way, and waits at each moment until what is to be
 * sent then has been sent: it is part of what happens, and so is what its receiver does about it.
 */
export async function advanceTo(tenant: Tenant, target: Instant): Promise<ExecutedJob[]> {
  const { clockedWork, clock } = tenant;
  if (clockedWork.length === 0 || target < clock.now()) return runUntil(tenant, target);
  const happenings: ExecutedJob[] = [];
  let attempts = 0;
  const endings = clockedWork.map((work) =>
    work.onExecuted((done) => {
      if (++attempts <= maxListedAttempts) happenings.push(done);
    }),
  );
  try {
    for (;;) {
      // One after another: what is imported has to be sent.
      for (const work of clockedWork) await work.idle();
      // A clock that runs has run on meanwhile, perhaps beyond the target.
      const limit = Math.max(clock.now(), Math.min(target, ...clockedWork.map((work) => work.nextDue() ?? target)));
      const done = runNext(tenant, limit);
      if (done) happenings.push(done);
      else if (limit > clock.now()) happenings.push(...runUntil(tenant, limit));
      else if (limit >= target) return happenings;
    }
  } finally {
    for (const end of endings) end();
  }
}
