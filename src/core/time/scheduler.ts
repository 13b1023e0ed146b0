import { startTimer } from './clock.ts';
import type { Clock, ClockSetting, Instant } from './clock.ts';
import { ApiError } from '../exchange/api-error.ts';
import { jobs, timers } from './jobs.ts';
import { finish } from './steps.ts';
import type { Steps } from './steps.ts';
import type { Job } from './jobs.ts';
import { SideEffects } from '../exchange/exchange.ts';
import type { Journal } from '../exchange/journal.ts';
import type { TenantContext } from '../tenant/context.ts';
import { Signal } from '../lib/signal.ts';

/** Does the work of one kind of job: at once, or step by step when it may be long. */
export type JobHandler = (tenant: TenantContext, payload: never, job: Job) => void | Steps;
export type JobHandlers = Readonly<Record<string, JobHandler>>;

/** Describes a tenant as its scheduler needs it: with its clock, its journal and transactions. */
interface SchedulerTenant extends TenantContext {
  readonly clock: Clock;
  readonly journal: Journal;
  transact(sideEffects: SideEffects, work: () => void, exchange?: string): void;
  attemptInSteps(wanted: {
    readonly outcome: SideEffects;
    readonly work: () => void;
    readonly job: Job;
    readonly exchange: string | undefined;
  }): Steps<object | undefined>;
  takeInTurns<T>(steps: Steps<T>): Promise<T>;
  mark(): () => void;
}

/** Describes something that happened on its own while time went by. */
export interface ExecutedJob {
  readonly at: Instant;
  /** Holds a job, or a delivery that was tried. */
  readonly job: Pick<Job, 'id' | 'kind' | 'exchange'>;
  readonly sideEffects: SideEffects;
  readonly error: string | undefined;
}

/** Draining ends here, should every job that is done ask for another. */
const maxDrained = 10_000;

/** So many jobs may each ask for the next without time going by: the next one would be one of a chain without an end. */
const maxChain = 1000;

/** Limits how often a job is begun again when others change the tenant meanwhile, before it is done at once. */
const maxTries = 3;

/** Sets the time after which to try again if what a job did could not be saved, in ms. */
const retryDelay = 1000;

/** Runs a tenant's queued jobs and timers when they are due. */
export class Scheduler {
  /** Emits every job that was done, or failed, after the request that led to it. */
  readonly executed = new Signal<ExecutedJob>();
  /** Emits when the queue is held, and when it is let go. */
  readonly holdChanged = new Signal();
  readonly #tenant: SchedulerTenant;
  readonly #handlers: JobHandlers;
  #held = false;
  #executing: Job | undefined;
  #cancelTimer: () => void = () => {};
  /** True while it does what its timer woke it for, which arms the next timer at its end. */
  #isAwake = false;
  #isClosed = false;
  /** Holds the moment that the timer is armed for, and the clock setting that it was computed by. */
  #armedTimer: { readonly dueAt: Instant; readonly setting: ClockSetting } | undefined;

  constructor(tenant: SchedulerTenant, handlers: JobHandlers) {
    this.#tenant = tenant;
    this.#handlers = handlers;
  }

  get isHeld(): boolean {
    return this.#held;
  }

  /** Returns the number of jobs that lead to one that is asked for now, if it is due by now; undefined for none. */
  chainFor(dueAt: Instant): number | undefined {
    const { chain = 0 } = this.#executing ?? {};
    return this.#executing && dueAt <= this.#tenant.clock.now() ? chain + 1 : undefined;
  }

  /** True while the work of this timer is done and has not set it again: its row stands for nothing that is still to come. */
  isExecuting(timer: Job | undefined): boolean {
    return timer !== undefined && this.#executing === timer;
  }

  /** Ends the timer that would wake it; a job that it woke for and that is not done stays queued. */
  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
  }

  /** Keeps queued work back; what time brings comes all the same. */
  holdQueue(): void {
    this.#held = true;
    this.holdChanged.emit();
    this.armTimer();
  }

  *releaseQueueInSteps(): Steps<ExecutedJob[]> {
    this.resumeQueue();
    return yield* this.runDueInSteps();
  }

  /** Keeps nothing back any more, and does nothing yet. */
  resumeQueue(): void {
    this.#held = false;
    this.holdChanged.emit();
  }

  /** Does queued jobs, due or not and even while the queue is held: so many of them, or until there is none left. */
  *runQueuedInSteps(limit = maxDrained): Steps<ExecutedJob[]> {
    const happenings: ExecutedJob[] = [];
    while (happenings.length < limit) {
      const done = yield* this.runNextInSteps(() => this.#nextQueued());
      if (!done) break;
      happenings.push(done);
      yield;
    }
    return happenings;
  }

  #nextQueued(): Job | undefined {
    const next = this.#tenant.peek(jobs, 'byStatus', 'queued').first();
    return next && this.#tenant.get(jobs, next.key);
  }

  /** Gives a queued job up without doing it. */
  failJob(job: Job, error: string): ExecutedJob {
    const sideEffects = new SideEffects();
    this.#tenant.transact(sideEffects, () => this.#tenant.put(jobs, { ...job, status: 'failed', error }), job.exchange);
    return this.#record(job, sideEffects);
  }

  /** Does all work that is due by now, in the order it fell due. */
  *runDueInSteps(): Steps<ExecutedJob[]> {
    const happenings: ExecutedJob[] = [];
    for (;;) {
      const done = yield* this.runNextInSteps(() => this.nextDue(this.#tenant.clock.now()));
      if (!done) break;
      happenings.push(done);
      yield;
    }
    this.armTimer();
    return happenings;
  }

  /** Does the same in as many turns as it needs; at once when nothing is due, which others that take turns don't delay. */
  async runDueInTurns(): Promise<void> {
    if (this.nextDue(this.#tenant.clock.now())) await this.#tenant.takeInTurns(this.runDueInSteps());
    else this.armTimer();
  }

  /** Does the job that is chosen; it is chosen again when others change the tenant before it is done. */
  *runNextInSteps(choose: () => Job | undefined): Steps<ExecutedJob | undefined> {
    for (let tries = 0; ; tries++) {
      const job = choose();
      if (!job) return undefined;
      const { exchange } = job;
      const outcome = new SideEffects();
      // What a timer brings is done at once, so in place: to work on a state apart copies whatever it changes.
      const isAtOnce = tries >= maxTries || this.#tenant.has(timers, job.id);
      if (isAtOnce) this.#tenant.transact(outcome, () => this.execute(job), exchange);
      else if (!(yield* this.#tenant.attemptInSteps({ outcome, work: () => {}, job, exchange }))) continue;
      return this.#record(job, outcome);
    }
  }

  /** Notes what was done about a job with the exchange that asked for it. */
  #record(job: Job, sideEffects: SideEffects): ExecutedJob {
    const exchange = job.exchange === undefined ? undefined : this.#tenant.journal.get(job.exchange);
    if (exchange)
      this.#tenant.journal.appendDeferredEffects(exchange, { job: job.id, at: this.#tenant.clock.now(), sideEffects });
    const happening = { at: this.#tenant.clock.now(), job, sideEffects, error: this.#tenant.get(jobs, job.id)?.error };
    this.executed.emit(happening);
    return happening;
  }

  /** Does a job at once. */
  execute(job: Job): void {
    finish(this.executeInSteps(job));
  }

  /** Work that fails is kept in the queue with its reason, and not tried again; whatever it had begun is undone. */
  *executeInSteps(job: Job): Steps {
    const handler = this.#handlers[job.kind];
    const attempt = yield* this.#failureReason(() => {
      if (!handler) throw new Error(`no handler for jobs of kind ${job.kind}`);
      if (job.failsBy !== undefined) throw new Error(`made to fail by the rule ${job.failsBy}`);
      if ((job.chain ?? 0) >= maxChain)
        throw new Error(
          `one of ${maxChain} jobs that each scheduled the next at the same moment: it is not done, so that time can go on`,
        );
      const timer = this.#tenant.get(timers, job.id);
      if (!timer) this.#tenant.remove(jobs, job.id);
      // The payload was made for this kind by the operation that enqueued it.
      const steps = this.#whileExecuting(job, () => handler(this.#tenant, job.payload as never, job));
      // Most timers are set again by their own work: that changes one row, where to take them away first would change two.
      if (timer && this.#tenant.get(timers, job.id) === timer) this.#tenant.remove(timers, job.id);
      return steps;
    }, job);
    if (attempt === undefined) return;
    this.#tenant.remove(timers, job.id);
    this.#tenant.put(jobs, { ...job, status: 'failed', error: attempt });
  }

  #whileExecuting<T>(job: Job, work: () => T): T {
    const before = this.#executing;
    this.#executing = job;
    try {
      return work();
    } finally {
      this.#executing = before;
    }
  }

  *#failureReason(work: () => void | Steps, job: Job): Steps<string | undefined> {
    const undo = this.#tenant.mark();
    try {
      const steps = work();
      if (steps) while (!this.#whileExecuting(job, () => steps.next()).done) yield;
      return undefined;
    } catch (error) {
      undo();
      if (error instanceof ApiError) return `${error.code}: ${error.message}`;
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Returns the next work: of a timer and a job due at the same moment the timer, as the job finds what the moment brought. */
  #next(): { readonly dueAt: Instant; readonly job: () => Job | undefined } | undefined {
    const timer = this.#tenant.peek(timers, 'byMoment', 'all').first();
    const queued = this.#held ? undefined : this.#tenant.peek(jobs, 'byStatus', 'queued').first();
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
  armTimer(): void {
    if (this.#isAwake || this.#isClosed) return;
    const { clock } = this.#tenant;
    const next = clock.isFrozen ? undefined : this.#next();
    const delay = next ? Math.max(0, next.dueAt - clock.now()) : 0;
    const isPlanned = next?.dueAt === this.#armedTimer?.dueAt && clock.setting === this.#armedTimer?.setting;
    if (isPlanned && delay > 0) return;
    this.#cancelTimer();
    this.#armedTimer = next && { dueAt: next.dueAt, setting: clock.setting };
    if (next) this.#armTimerIn(delay);
  }

  #armTimerIn(delay: number): void {
    this.#cancelTimer = startTimer(delay, () => void this.#wake());
  }

  async #wake(): Promise<void> {
    this.#armedTimer = undefined;
    this.#isAwake = true;
    try {
      await this.#tenant.takeInTurns(this.#untilClosed(this.runDueInSteps()));
    } catch (error) {
      // A commit that couldn't be saved: the job is still queued, and whoever saves has reported it.
      if (!(error instanceof ApiError)) throw error;
      if (!this.#isClosed) this.#armTimerIn(retryDelay);
      return;
    } finally {
      this.#isAwake = false;
    }
    this.armTimer();
  }

  /** Leaves work where it is when its tenant is closed. */
  *#untilClosed(steps: Steps<unknown>): Steps {
    while (!this.#isClosed && !steps.next().done) yield;
  }
}
