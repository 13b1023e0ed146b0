import { afterEach, beforeEach, expect, it } from 'vitest';
import { emptyState } from '../../../src/core/state/state.ts';
import { advanceTo } from '../../../src/core/time/advance-time.ts';
import { finish } from '../../../src/core/time/steps.ts';
import { jobs, timers } from '../../../src/core/time/jobs.ts';
import type { Job } from '../../../src/core/time/jobs.ts';
import type { JobHandlers } from '../../../src/core/time/scheduler.ts';
import { Tenant } from '../../../src/core/tenant/tenant.ts';
import { SideEffects } from '../../../src/core/exchange/exchange.ts';
import { startSim } from '../../support/open-sim.ts';
import type { Sim } from '../../../src/simulator/sim.ts';

let sim: Sim;
beforeEach(async () => void (sim = await startSim()));
afterEach(() => sim.close());

let done = 0;

/** Jobs that ask for themselves: as long as they are told to, or without an end. */
const handlers: JobHandlers = {
  again: (tenant, left: number) => {
    done++;
    if (left > 0) tenant.enqueue('again', left - 1, 0);
  },
  'timer again': (tenant) => {
    done++;
    tenant.scheduleTimer({ key: 'endless', kind: 'timer again', dueAt: tenant.now(), payload: null });
  },
  later: (tenant, left: number) => {
    done++;
    if (left > 0) tenant.enqueue('later', left - 1, 1);
  },
};

function openTenant(): Tenant {
  done = 0;
  return new Tenant({ name: 'chains', settings: sim.tenants.default.settings, seedState: emptyState, handlers });
}

const failedJobs = (tenant: Tenant): readonly Job[] => tenant.listRows(jobs, 'byStatus', 'failed');
const endless =
  'one of 1000 jobs that each scheduled the next at the same moment: it is not done, so that time can go on';

it.each(['at once', 'when it is due', 'when the queue is drained'])(
  'a job that asks for itself without an end fails, %s',
  async (when) => {
    const tenant = openTenant();
    const isHeld = when === 'when the queue is drained';
    if (isHeld) tenant.scheduler.holdQueue();
    tenant.transact(new SideEffects(), () => tenant.enqueue('again', Infinity, when === 'at once' ? 0 : 1000));
    await advanceTo(tenant, tenant.clock.now() + 2000);
    if (isHeld) finish(tenant.scheduler.runQueuedInSteps());
    expect([done, failedJobs(tenant).map(({ error }) => error)]).toEqual([1000, [endless]]);
    tenant.scheduler.close();
  },
);

it('a timer that plans itself anew for the same moment fails, and time goes on', async () => {
  const tenant = openTenant();
  const dueAt = tenant.clock.now() + 1000;
  tenant.transact(new SideEffects(), () =>
    tenant.scheduleTimer({ key: 'endless', kind: 'timer again', dueAt, payload: null }),
  );
  await advanceTo(tenant, dueAt + 1000);
  expect([done, failedJobs(tenant).map(({ error }) => error)]).toEqual([1000, [endless]]);
  expect([tenant.get(timers, 'endless'), tenant.clock.now()]).toEqual([undefined, dueAt + 1000]);
  tenant.scheduler.close();
});

it('a chain with an end is done, and so is any number of jobs that time lies between', async () => {
  const tenant = openTenant();
  tenant.transact(new SideEffects(), () => tenant.enqueue('again', 999, 0));
  tenant.transact(new SideEffects(), () => tenant.enqueue('later', 1999, 1));
  await advanceTo(tenant, tenant.clock.now() + 10_000);
  expect([done, failedJobs(tenant)]).toEqual([3000, []]);
  tenant.scheduler.close();
});
