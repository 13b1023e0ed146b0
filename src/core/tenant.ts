import { addMonths, after, Clock } from './clock.ts';
import type { ClockSetting, Instant } from './clock.ts';
import type { Duration } from './duration.ts';
import { Refusal } from './errors.ts';
import { guid } from './ids.ts';
import { jobs, timerOf, timers } from './jobs.ts';
import type { Job, JobHandlers, Plan } from './jobs.ts';
import { Journal, Outcome } from './journal.ts';
import type { OrderedList } from './ordered-list.ts';
import { Snapshots } from './snapshots.ts';
import { countRows, differences, findKey, getRow, listOf, putRow, removeRow, rowsOf } from './state.ts';
import type { AnyTable, Change, State, Table } from './state.ts';

/** How a tenant is set up; never part of its state, so that a reset leaves it alone. */
export interface Settings {
  readonly seed: number;
  /** Who owns the points: the service, or an external point master that it follows. */
  readonly mode: 'standard' | 'point-follower';
  /** Assumptions in force other than the default: `{ "A-24": "twice" }`. */
  readonly assume: Readonly<Record<string, string>>;
  /** How long queued work waits before it is done, in ms. */
  readonly queueDelay: number;
  readonly fieldValidation: 'ignore' | 'warn' | 'strict';
  readonly clock: ClockSetting;
  readonly journalBytes: number;
}

/**
 * Takes a commit down before it counts: rows, sequences, or how the clock is set. Throws when it can't, and the
 * commit is undone.
 */
export type CommitHook = (tenant: Tenant, changes: readonly Change[], state: State) => void;

interface TenantOptions {
  readonly name: string;
  readonly settings: Settings;
  readonly seedState: State;
  /** What to take up instead of the seed's state: the state saved by an earlier run. */
  readonly savedState?: State | undefined;
  /** How its clock was set then. */
  readonly savedClock?: ClockSetting | undefined;
  readonly handlers: JobHandlers;
  readonly onCommit?: CommitHook | undefined;
}

/** What is under way: one call, job or admin action, undone as a whole when it throws. */
interface Work {
  readonly at: Instant;
  readonly outcome: Outcome;
  readonly exchange: string | undefined;
  readonly immediate: Job[];
}

/** Something that happened on its own while time went by. */
export interface Happening {
  readonly at: Instant;
  readonly job: Job;
  readonly outcome: Outcome;
  readonly error: string | undefined;
}

export const scopes = ['state', 'journal', 'faults', 'clock', 'queue', 'webhooks'] as const;
export type Scope = (typeof scopes)[number];

/** Draining ends here, should every job that is done ask for another. */
const maxDrained = 10_000;

/** When to try again if what a job did could not be saved, in ms. */
const retryDelay = 1000;

/** One retailer's world: its state, clock, queue and journal. Shares nothing that changes with any other. */
export class Tenant {
  readonly name: string;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly snapshots = new Snapshots();
  readonly #seedState: State;
  readonly #handlers: JobHandlers;
  readonly #onCommit: CommitHook | undefined;
  #state: State;
  #work: Work | undefined;
  #held = false;
  #cancelWake: () => void = () => {};

  constructor({ name, settings, seedState, savedState, savedClock, handlers, onCommit }: TenantOptions) {
    this.name = name;
    this.settings = settings;
    this.clock = new Clock(savedClock ?? settings.clock);
    this.journal = new Journal(settings.journalBytes);
    this.#seedState = seedState;
    this.#handlers = handlers;
    this.#onCommit = onCommit;
    this.#state = savedState ?? seedState;
    this.#planWake();
  }

  get state(): State {
    return this.#state;
  }

  /** The state that a reset goes back to. */
  get seedState(): State {
    return this.#seedState;
  }

  get held(): boolean {
    return this.#held;
  }

  /** The moment of the call under way: the same for everything that it does. */
  now(): Instant {
    return this.#work?.at ?? this.clock.now();
  }

  get<Row>(table: Table<Row>, key: string): Row | undefined {
    return getRow(this.#state, table, key);
  }

  /** The row that a unique value leads to. */
  find<Row>(table: Table<Row>, index: string, value: string): Row | undefined {
    const key = findKey(this.#state, table, index, value);
    return key === undefined ? undefined : getRow(this.#state, table, key);
  }

  list(table: AnyTable, index: string, of: string): OrderedList {
    return listOf(this.#state, table, index, of);
  }

  all<Row>(table: Table<Row>): Generator<Row> {
    return rowsOf(this.#state, table);
  }

  count(table: AnyTable): number {
    return countRows(this.#state, table);
  }

  put<Row>(table: Table<Row>, row: Row): Row {
    const key = table.key(row);
    this.#change({ table: table.name, key, before: getRow(this.#state, table, key), after: row });
    this.#state = putRow(this.#state, table, row);
    return row;
  }

  remove<Row>(table: Table<Row>, key: string): void {
    const before = getRow(this.#state, table, key);
    if (before === undefined) return;
    this.#change({ table: table.name, key, before, after: undefined });
    this.#state = removeRow(this.#state, table, key);
  }

  /** The next number of a sequence, from 1 on; given back when the call is undone. */
  next(sequence: string): number {
    const number = (this.#state.sequences[sequence] ?? 0) + 1;
    this.#state = { ...this.#state, sequences: { ...this.#state.sequences, [sequence]: number } };
    return number;
  }

  newId(): string {
    return guid(this.settings.seed, `${this.name}/id`, this.next('id'));
  }

  warn(code: string, message: string): void {
    this.#work?.outcome.warn(code, message);
  }

  /** The variant of an assumption in force (`default` unless set), noted as one that the answer rests on. */
  assumption(id: string): string {
    this.#work?.outcome.assume(id);
    return this.settings.assume[id] ?? 'default';
  }

  /**
   * Carries out one piece of work as a whole: when it throws, nothing of it has happened but what `outcome`
   * tells of warnings and assumptions.
   */
  call<T>(outcome: Outcome, work: () => T, exchange?: string): T {
    const before = this.#state;
    const immediate: Job[] = [];
    this.#work = { at: this.clock.now(), outcome, exchange, immediate };
    try {
      const result = work();
      for (const job of immediate) this.#carryOut(job);
      if (this.#state !== before) this.#onCommit?.(this, outcome.changes, this.#state);
      return result;
    } catch (error) {
      this.#state = before;
      outcome.undo(0);
      throw error;
    } finally {
      this.#work = undefined;
      if (this.#state !== before) this.#planWake();
    }
  }

  /** Tries one item of a larger piece of work: a refusal undoes this item alone and is answered. */
  attempt<T>(work: () => T): { readonly result: T } | { readonly refusal: Refusal } {
    const before = this.#state;
    const done = this.#work?.outcome.changes.length ?? 0;
    try {
      return { result: work() };
    } catch (error) {
      this.#state = before;
      this.#work?.outcome.undo(done);
      if (error instanceof Refusal) return { refusal: error };
      throw error;
    }
  }

  /** Queues work; without a delay it is done right after the call that asked for it, before the answer goes out. */
  enqueue(kind: string, payload: unknown, delay = this.settings.queueDelay): Job {
    const now = this.now();
    const job: Job = {
      id: String(this.next('job')).padStart(10, '0'),
      kind,
      dueAt: now + delay,
      createdAt: now,
      exchange: this.#work?.exchange,
      payload,
      status: 'queued',
    };
    if (delay > 0 || this.#held || !this.#work) return this.put(jobs, job);
    this.#work.immediate.push(job);
    return job;
  }

  /** Plans what time will bring, in place of what was planned under this key. */
  plan(plan: Plan): void {
    if (this.get(timers, plan.key)?.dueAt !== plan.dueAt) this.put(timers, timerOf(plan, this.now()));
  }

  /** Plans nothing any more under this key. */
  unplan(key: string): void {
    if (this.get(timers, key)) this.remove(timers, key);
  }

  /** Keeps queued work back; what time brings comes all the same. */
  hold(): void {
    this.#held = true;
    this.#planWake();
  }

  release(): Happening[] {
    this.#held = false;
    return this.runDue();
  }

  /** Does the next queued job, due or not and even while the queue is held. */
  step(): Happening | undefined {
    const next = this.list(jobs, 'byStatus', 'queued').first();
    const job = next && this.get(jobs, next.key);
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
    return this.#settleJob(job, () => this.put(jobs, { ...job, status: 'failed', error }));
  }

  /** Does all work that is due by now, in the order it fell due. */
  runDue(): Happening[] {
    const happenings: Happening[] = [];
    for (let job = this.#nextDue(this.clock.now()); job; job = this.#nextDue(this.clock.now())) {
      happenings.push(this.runJob(job));
    }
    this.#planWake();
    return happenings;
  }

  /** Does one queued job now, due or not. */
  runJob(job: Job): Happening {
    return this.#settleJob(job, () => this.#carryOut(job));
  }

  freeze(): Happening[] {
    this.#turn(() => this.clock.freeze());
    return this.runDue();
  }

  resume(): Happening[] {
    this.#turn(() => this.clock.resume());
    return this.runDue();
  }

  /** Lets time pass up to a moment; work that falls due on the way is done at its own moment. Going back does none. */
  moveTo(target: Instant): Happening[] {
    const happenings: Happening[] = [];
    const isBack = target < this.clock.now();
    for (let job = isBack ? undefined : this.#nextDue(target); job; job = this.#nextDue(target)) {
      const { dueAt } = job;
      if (dueAt > this.clock.now()) this.#turn(() => this.clock.set(dueAt));
      happenings.push(this.runJob(job));
    }
    this.#turn(() => this.clock.set(target));
    this.#planWake();
    return happenings;
  }

  advance({ months, milliseconds }: Duration): Happening[] {
    return this.moveTo(addMonths(this.clock.now(), months) + milliseconds);
  }

  /** Puts back the chosen parts as they were at the start, all of them or none. */
  reset(chosen: readonly Scope[]): void {
    const clock = chosen.includes('clock') ? this.settings.clock : this.clock.setting;
    this.#turn(() => this.clock.restore(clock), mergeScopes(this.#state, this.#seedState, new Set<string>(chosen)));
    if (chosen.includes('queue')) this.#held = false;
    if (chosen.includes('journal')) this.journal.clear();
    this.#planWake();
  }

  takeSnapshot(name: string): void {
    this.snapshots.take(name, { state: this.#state, clock: this.clock.setting, takenAt: this.clock.now() });
  }

  /** Answers whether there is a snapshot of this name. */
  restoreSnapshot(name: string): boolean {
    const snapshot = this.snapshots.get(name);
    if (!snapshot) return false;
    this.#turn(() => this.clock.restore(snapshot.clock), snapshot.state);
    this.#planWake();
    return true;
  }

  /** Ends timers; the tenant can still be read. */
  close(): void {
    this.#cancelWake();
  }

  /** Does something about a job, and notes it with the exchange that asked for the job. */
  #settleJob(job: Job, work: () => void): Happening {
    const outcome = new Outcome();
    this.call(outcome, work, job.exchange);
    const exchange = job.exchange === undefined ? undefined : this.journal.get(job.exchange);
    if (exchange) this.journal.append(exchange, { job: job.id, at: this.clock.now(), outcome });
    return { at: this.clock.now(), job, outcome, error: this.get(jobs, job.id)?.error };
  }

  #change(change: Change): void {
    this.#work?.outcome.change(change);
  }

  /** Sets the clock and takes up another state, both or neither. */
  #turn(set: () => void, state = this.#state): void {
    const before = this.clock.setting;
    set();
    try {
      this.#onCommit?.(this, [...differences(this.#state, state)], state);
    } catch (error) {
      this.clock.restore(before);
      throw error;
    }
    this.#state = state;
  }

  /** A job that fails is kept in the queue with its reason; whatever it had begun is undone. */
  #carryOut(job: Job): void {
    const handler = this.#handlers[job.kind];
    const attempt = this.#attemptAny(() => {
      if (!handler) throw new Error(`no handler for jobs of kind ${job.kind}`);
      this.remove(this.get(timers, job.id) ? timers : jobs, job.id);
      // The payload was made for this kind by the operation that enqueued it.
      handler(this, job.payload as never, job);
    });
    if (attempt !== undefined) this.put(jobs, { ...job, status: 'failed', error: attempt });
  }

  #attemptAny(work: () => void): string | undefined {
    try {
      const attempt = this.attempt(work);
      return 'refusal' in attempt ? `${attempt.refusal.code}: ${attempt.refusal.message}` : undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** What is next: of a timer and a job due at the same moment the timer, as the job finds what the moment brought. */
  #next(): { readonly dueAt: Instant; readonly job: () => Job | undefined } | undefined {
    const timer = this.list(timers, 'byMoment', 'all').first();
    const queued = this.#held ? undefined : this.list(jobs, 'byStatus', 'queued').first();
    if (timer && (!queued || timer.order <= queued.order)) {
      return { dueAt: timer.order, job: () => this.get(timers, timer.key) };
    }
    return queued && { dueAt: queued.order, job: () => this.get(jobs, queued.key) };
  }

  #nextDue(by: Instant): Job | undefined {
    const next = this.#next();
    return next && next.dueAt <= by ? next.job() : undefined;
  }

  /** Wakes up in real time for what is next, unless time stands still. */
  #planWake(): void {
    this.#cancelWake();
    const next = this.clock.frozen ? undefined : this.#next();
    if (next) this.#wakeIn(Math.max(0, next.dueAt - this.clock.now()));
  }

  #wakeIn(delay: number): void {
    this.#cancelWake = after(delay, () => {
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

/** The present state with the tables of the given scopes taken from another; sequences go with the scope `state`. */
function mergeScopes(present: State, other: State, tableScopes: ReadonlySet<string>): State {
  const tables: Record<string, State['tables'][string]> = {};
  for (const source of [present, other]) {
    for (const [name, table] of Object.entries(source.tables)) {
      const fromOther = tableScopes.has(table.scope);
      if (fromOther === (source === other)) tables[name] = table;
    }
  }
  return { tables, sequences: tableScopes.has('state') ? other.sequences : present.sequences };
}
