import type { ExecutedJob } from './scheduler.ts';
import type { Instant } from './clock.ts';
import type { Job } from './jobs.ts';
import { finish, mapResult } from './steps.ts';
import type { Steps } from './steps.ts';
import type { Tenant } from '../tenant/tenant.ts';

/** So many attempts to deliver are shown for one passing of time; all of them stand with their deliveries. */
export const maxListedAttempts = 1000;

/** Stops time; what is due by then is done. */
export function* freezing(tenant: Tenant): Steps<ExecutedJob[]> {
  tenant.setClock(() => tenant.clock.freeze());
  return yield* tenant.scheduler.runDueInSteps();
}

/** Lets time run on from where it stands. */
export function* resuming(tenant: Tenant): Steps<ExecutedJob[]> {
  tenant.setClock(() => tenant.clock.resume());
  return yield* tenant.scheduler.runDueInSteps();
}

/** Lets time run on, and does at once what is due by then. */
export const resumeClock = (tenant: Tenant): ExecutedJob[] => finish(resuming(tenant));

/**
 * Lets time pass up to a moment; work that falls due on the way is done at its own moment. Going back does none. A reset
 * of the clock or a restored snapshot in between ends it: time is where that put it.
 */
function* runUntil(tenant: Tenant, target: Instant): Steps<ExecutedJob[]> {
  const executed: ExecutedJob[] = [];
  let isReset = false;
  const stop = tenant.onRestore((back) => (isReset ||= 'snapshot' in back || back.scopes.includes('clock')));
  try {
    for (;;) {
      const done = yield* runNext(tenant, target, () => isReset);
      if (!done) break;
      executed.push(done);
      yield;
    }
  } finally {
    stop();
  }
  if (!isReset) {
    tenant.setClock(() => tenant.clock.set(target));
    tenant.scheduler.armTimer();
  }
  return executed;
}

/** Lets time pass up to the next work that falls due by a moment, and does it; when there is none, nothing passes. */
const runNext = (tenant: Tenant, target: Instant, isOver: () => boolean): Steps<ExecutedJob | undefined> =>
  tenant.scheduler.runNextInSteps(() => (isOver() ? undefined : moveToNext(tenant, target)));

function moveToNext(tenant: Tenant, target: Instant): Job | undefined {
  const { clock, scheduler: agenda } = tenant;
  const job = target < clock.now() ? undefined : agenda.nextDue(target);
  if (!job) return undefined;
  const { dueAt } = job;
  if (dueAt > clock.now()) tenant.setClock(() => clock.set(dueAt));
  return job;
}

/**
 * Lets time pass up to a moment, does the work that falls due on the way, and waits at each moment until what is to be
 * sent then has been sent: it is part of what happens, and so is what its receiver does about it.
 */
export const advanceTo = (tenant: Tenant, target: Instant): Promise<ExecutedJob[]> =>
  advanceAndMap(tenant, target, (executed) => executed);

/** Does the same, and resolves before anybody who waited for it goes on. */
export async function advanceAndMap<Mapped>(
  tenant: Tenant,
  target: Instant,
  map: (executed: ExecutedJob[]) => Mapped,
): Promise<Mapped> {
  const { clockedWork, clock } = tenant;
  if (clockedWork.length === 0 || target < clock.now())
    return tenant.takeInTurns(mapResult(runUntil(tenant, target), map));
  const executed: ExecutedJob[] = [];
  let attempts = 0;
  const endings = clockedWork.map((work) =>
    work.onExecuted((done) => {
      if (++attempts <= maxListedAttempts) executed.push(done);
    }),
  );
  try {
    for (;;) {
      // One after another: what is imported has to be sent.
      for (const work of clockedWork) await work.idle();
      // A clock that runs has run on meanwhile, perhaps beyond the target.
      const limit = Math.max(clock.now(), Math.min(target, ...clockedWork.map((work) => work.nextDue() ?? target)));
      const passed = await tenant.takeInTurns(
        mapResult(passOn(tenant, limit, executed), (isOver) =>
          isOver && limit >= target ? { mapped: map(executed) } : undefined,
        ),
      );
      if (passed) return passed.mapped;
    }
  } finally {
    for (const end of endings) end();
  }
}

/** Does the next work by a moment, or else moves on to it; true when there was nothing to do. */
function* passOn(tenant: Tenant, limit: Instant, executed: ExecutedJob[]): Steps<boolean> {
  const done = yield* runNext(tenant, limit, () => false);
  if (done) executed.push(done);
  else if (limit > tenant.clock.now()) executed.push(...(yield* runUntil(tenant, limit)));
  else return true;
  return false;
}
