import { after } from './clock.ts';
import type { ClockSetting, Instant } from './clock.ts';
import { Refusal } from './errors.ts';
import { jobs, timers } from './jobs.ts';
import type { Job, JobHandlers } from './jobs.ts';
import { Outcome } from './journal.ts';
import type { Tenant } from './tenant.ts';
import { Watchers } from './watchers.ts';

/** Something that happened on its own while time went by. */
export interface Happening {
  readonly at: Instant;
  /** A job, or a delivery that was tried. */
  readonly job: Pick<Job, 'id' | 'kind' | 'exchange'>;
  readonly outcome: Outcome;
  readonly error: string | undefined;
}

/** Draining ends here, should every job that is done ask for another. */
const maxDrained = 10_000;

/** When to try again if what a job did could not be saved, in ms. */
const retryDelay = 1000;

/** What a tenant does later, and when: the jobs in its queue, and what time itself brings. */
export class Agenda {
  /** Told of every job that was done, or failed, after the call that asked for it. */
  readonly done = new Watchers<Happening>();
  /** Told when the queue is held, and when it is let go. */
  readonly turned = new Watchers();
  readonly #tenant: Tenant;
  readonly #handlers: JobHandlers;
  #held = false;
  #cancelWake: () => void = () => {};
  /** What it will wake up for, and by which setting of the clock that was planned. */
  #wake: { readonly dueAt: Instant; readonly setting: ClockSetting } | undefined;

  constructor(tenant: Tenant, handlers: JobHandlers) {
    this.#tenant = tenant;
    this.#handlers = handlers;
  }

  get held(): boolean {
    return this.#held;
  }

  /** Ends the timer that would wake it. */
  close(): void {
    this.#cancelWake();
  }

  /** Keeps queued work back; what time brings comes all the same. */
  hold(): void {
    this.#held = true;
    this.turned.tell();
    this.planWake();
  }

  release(): Happening[] {
    this.letGo();
    return this.runDue();
  }

  /** Keeps nothing back any more, and does nothing yet. */
  letGo(): void {
    this.#held = false;
    this.turned.tell();
  }

  /** Does the next queued job, due or not and even while the queue is held. */
  step(): Happening | undefined {
    const next = this.#tenant.list(jobs, 'byStatus', 'queued').first();
    const job = next && this.#tenant.get(jobs, next.key);
    return job && this.runJob(job);
  }

  /** Does queued jobs, due or not, until there is none left. */
  drain(): Happening[] {
    const happenings: Happening[] = [];
    for (let done = this.step(); done; done = this.step()) {
      happenings.push(done);
      if (happenings.length >= maxDrained) break;
    }
    return happenings;
  }

  /** Gives a queued job up without doing it. */
  failJob(job: Job, error: string): Happening {
    return this.#settleJob(job, () => this.#tenant.put(jobs, { ...job, status: 'failed', error }));
  }

  /** Does all work that is due by now, in the order it fell due. */
  runDue(): Happening[] {
    const happenings: Happening[] = [];
    for (let job = this.nextDue(this.#tenant.clock.now()); job; job = this.nextDue(this.#tenant.clock.now())) {
      happenings.push(this.runJob(job));
    }
    this.planWake();
    return happenings;
  }

  /** Does one queued job now, due or not. */
  runJob(job: Job): Happening {
    return this.#settleJob(job, () => this.carryOut(job));
  }

  /** Does something about a job, and notes it with the exchange that asked for the job. */
  #settleJob(job: Job, work: () => void): Happening {
    const outcome = new Outcome();
    this.#tenant.call(outcome, work, job.exchange);
    const exchange = job.exchange === undefined ? undefined : this.#tenant.journal.get(job.exchange);
    if (exchange) this.#tenant.journal.append(exchange, { job: job.id, at: this.#tenant.clock.now(), outcome });
    const happening = { at: this.#tenant.clock.now(), job, outcome, error: this.#tenant.get(jobs, job.id)?.error };
    this.done.tell(happening);
    return happening;
  }

  /** A job that fails is kept in the queue with its reason; whatever it had begun is undone. */
  carryOut(job: Job): void {
    const handler = this.#handlers[job.kind];
    const attempt = this.#attemptAny(() => {
      if (!handler) throw new Error(`no handler for jobs of kind ${job.kind}`);
      if (job.failsBy !== undefined) throw new Error(`made to fail by the rule ${job.failsBy}`);
      this.#tenant.remove(this.#tenant.get(timers, job.id) ? timers : jobs, job.id);
      // The payload was made for this kind by the operation that enqueued it.
      handler(this.#tenant, job.payload as never, job);
    });
    if (attempt !== undefined) this.#tenant.put(jobs, { ...job, status: 'failed', error: attempt });
  }

  #attemptAny(work: () => void): string | undefined {
    try {
      const attempt = this.#tenant.attempt(work);
      return 'refusal' in attempt ? `${attempt.refusal.code}: ${attempt.refusal.message}` : undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** What is next: of a timer and a job due at the same moment the timer, as the job finds what the moment brought. */
  #next(): { readonly dueAt: Instant; readonly job: () => Job | undefined } | undefined {
    const timer = this.#tenant.list(timers, 'byMoment', 'all').first();
    const queued = this.#held ? undefined : this.#tenant.list(jobs, 'byStatus', 'queued').first();
    if (timer && (!queued || timer.order <= queued.order)) {
      return { dueAt: timer.order, job: () => this.#tenant.get(timers, timer.key) };
    }
    return queued && { dueAt: queued.order, job: () => this.#tenant.get(jobs, queued.key) };
  }

  nextDue(by: Instant): Job | undefined {
    const next = this.#next();
    return next && next.dueAt <= by ? next.job() : undefined;
  }

  /** Wakes up in real time for what is next, unless time stands still. */
  planWake(): void {
    const { clock } = this.#tenant;
    const next = clock.frozen ? undefined : this.#next();
    const delay = next ? Math.max(0, next.dueAt - clock.now()) : 0;
    const isPlanned = next?.dueAt === this.#wake?.dueAt && clock.setting === this.#wake?.setting;
    if (isPlanned && delay > 0) return;
    this.#cancelWake();
    this.#wake = next && { dueAt: next.dueAt, setting: clock.setting };
    if (next) this.#wakeIn(delay);
  }

  #wakeIn(delay: number): void {
    this.#cancelWake = after(delay, () => {
      this.#wake = undefined;
      try {
        this.runDue();
      } catch (error) {
        // A commit that couldn't be saved: the job is still queued, and whoever saves has told of it.
        if (!(error instanceof Refusal)) throw error;
        this.#wakeIn(retryDelay);
      }
    });
  }
}
