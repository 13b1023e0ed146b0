/** Ends a client that waits for a response that never comes, sooner than its whole time is over. */
import type { Tenant } from '../core/tenant/tenant.ts';
import { monotonicNow, startTimer } from '../core/time/clock.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import { policyWithDefaults } from '../verdict/policy.ts';
import { Activity } from './activity.ts';
import type { Experiment } from './experiment.ts';
import { leavesHanging } from './probes.ts';

/** A client that declares no time limit may have any: it is given this time, in ms. */
const unknownLimit = 30_000;

/** Limits the time for a client that was seen to wait for so long elsewhere, in ms. */
const seenLimit = 10_000;

/** A declared time limit is exceeded by so many times, and so many ms, before it is held to be none. */
const [declaredFactor, declaredTime] = [3, 3000];

const checkInterval = 100;

/** Remembers for all runs of a client whether it has waited without an end. */
export class Patience {
  #hasWaited = false;

  /**
   * Watches a run in which a request gets no response; aborts the signal when nothing has happened for too long. Returns
   * a function that stops the watch.
   */
  watch(tenant: Tenant, experiment: Experiment, waiting: AbortController): () => void {
    if (!experiment.rules.some(({ probe }) => leavesHanging(probe))) return () => {};
    const activity = new Activity(tenant.journal);
    const { timeout } = policyWithDefaults(scenarioOf(tenant).policy);
    const check = (): void => {
      const unknown = this.#hasWaited ? seenLimit : unknownLimit;
      const limit = timeout === undefined ? unknown : declaredFactor * timeout + declaredTime;
      const isWaiting = activity.exchanges.some(({ delivered }) => delivered?.heldUntil === Infinity);
      if (isWaiting && monotonicNow() - activity.lastAt > limit) {
        this.#hasWaited = true;
        waiting.abort();
        return;
      }
      cancel = startTimer(checkInterval, check);
    };
    let cancel = startTimer(checkInterval, check);
    return () => cancel();
  }
}
