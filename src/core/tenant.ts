import { Agenda } from './agenda.ts';
import type { Happening } from './agenda.ts';
import { addMonths, Clock, machineNow } from './clock.ts';
import type { ClockSetting, Instant } from './clock.ts';
import type { Outbound, WebhookSettings } from './deliveries.ts';
import { countUp, replaceRow } from './draft.ts';
import type { Duration } from './duration.ts';
import { Refusal } from './errors.ts';
import { noFaults } from './faults.ts';
import type { FaultPlan } from './faults.ts';
import { guid } from './ids.ts';
import { jobs, timerOf, timers } from './jobs.ts';
import type { Job, JobHandlers, Plan } from './jobs.ts';
import { Journal, Outcome } from './journal.ts';
import type { OrderedList } from './ordered-list.ts';
import { Snapshots } from './snapshots.ts';
import { countRows, differences, findKey, getRow, listOf, mergeScopes, rowsOf } from './state.ts';
import type { AnyTable, Change, Owner, State, Table } from './state.ts';

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
  /** Where it tells others what happens in it, if anywhere. */
  readonly webhook?: WebhookSettings | undefined;
  /** Where the external point master is asked for a contact's history. */
  readonly pointMasterUrl?: string | undefined;
}

/**
 * Takes a commit down before it counts: rows, sequences, or how the clock is set. Throws when it can't, and the
 * commit is undone.
 */
export type CommitHook = (tenant: Tenant, changes: readonly Change[], state: State) => void;

/** Does what follows from the changes of a piece of work, as a part of it. */
export type Reaction = (tenant: Tenant, changes: readonly Change[]) => void;

interface TenantOptions {
  readonly name: string;
  readonly settings: Settings;
  readonly seedState: State;
  /** What to take up instead of the seed's state: the state saved by an earlier run. */
  readonly savedState?: State | undefined;
  /** How its clock was set then. */
  readonly savedClock?: ClockSetting | undefined;
  readonly handlers: JobHandlers;
  readonly faults?: FaultPlan | undefined;
  readonly reaction?: Reaction | undefined;
  readonly onCommit?: CommitHook | undefined;
}

/** What is under way: one call, job or admin action, undone as a whole when it throws. */
interface Work {
  readonly at: Instant;
  readonly outcome: Outcome;
  readonly exchange: string | undefined;
  readonly immediate: Job[];
}

export const scopes = ['state', 'journal', 'faults', 'clock', 'queue', 'webhooks'] as const;
export type Scope = (typeof scopes)[number];

/** One retailer's world: its state, clock, queue and journal. Shares nothing that changes with any other. */
export class Tenant {
  readonly name: string;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly snapshots = new Snapshots();
  readonly agenda: Agenda;
  /** What goes wrong, and when. */
  readonly faults: FaultPlan;
  readonly #seedState: State;
  readonly #reaction: Reaction | undefined;
  readonly #onCommit: CommitHook | undefined;
  readonly #born = machineNow();
  #events = 0;
  readonly #watchers = new Set<() => void>();
  readonly #returnWatchers = new Set<() => void>();
  #outbound: Outbound | undefined;
  #state: State;
  /** What is under way changes its own state in place, as long as nobody looks at it as a value. */
  #owner: Owner | undefined;
  #work: Work | undefined;
  #held = new AbortController();

  constructor({
    name,
    settings,
    seedState,
    savedState,
    savedClock,
    handlers,
    faults,
    reaction,
    onCommit,
  }: TenantOptions) {
    this.name = name;
    this.settings = settings;
    this.clock = new Clock(savedClock ?? settings.clock);
    this.journal = new Journal(settings.journalBytes);
    this.faults = faults ?? noFaults;
    this.#seedState = seedState;
    this.#reaction = reaction;
    this.#onCommit = onCommit;
    this.#state = savedState ?? seedState;
    this.agenda = new Agenda(this, handlers);
    this.agenda.planWake();
  }

  get state(): State {
    this.#disown();
    return this.#state;
  }

  /** Who sends what it has to tell, if anyone. */
  get outbound(): Outbound | undefined {
    return this.#outbound;
  }

  /** The exchange that the work under way is done for. */
  get exchange(): string | undefined {
    return this.#work?.exchange;
  }

  /** The state that a reset goes back to. */
  get seedState(): State {
    return this.#seedState;
  }

  /** Aborted when calls that a fault holds up are to wait no longer: their fault is gone, or the tenant. */
  get held(): AbortSignal {
    return this.#held.signal;
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

  /** The rows that stand in a list, in its order. */
  listed<Row>(table: Table<Row>, index: string, of: string): Row[] {
    const rows: Row[] = [];
    for (const { key } of this.list(table, index, of)) {
      const row = this.get(table, key);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }

  all<Row>(table: Table<Row>): Generator<Row> {
    return rowsOf(this.state, table);
  }

  count(table: AnyTable): number {
    return countRows(this.#state, table);
  }

  put<Row>(table: Table<Row>, row: Row): Row {
    const key = table.key(row);
    this.#replace(table, key, getRow(this.#state, table, key), row);
    return row;
  }

  remove<Row>(table: Table<Row>, key: string): void {
    const before = getRow(this.#state, table, key);
    if (before === undefined) return;
    this.#replace(table, key, before, undefined);
  }

  /** The next number of a sequence, from 1 on; given back when the call is undone. */
  next(sequence: string): number {
    this.#state = countUp(this.#state, sequence, this.#owner);
    return this.#state.sequences[sequence] ?? 0;
  }

  newId(): string {
    return guid(this.settings.seed, `${this.name}/id`, this.next('id'));
  }

  /**
   * An id for what leaves for somebody who remembers it: unlike other ids never the same again, not after a reset
   * and not in another run.
   */
  newEventId(): string {
    return guid(this.settings.seed, `${this.name}/event/${this.#born}`, ++this.#events);
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
    this.#owner = {};
    const immediate: Job[] = [];
    this.#work = { at: this.clock.now(), outcome, exchange, immediate };
    try {
      const result = work();
      for (const job of immediate) this.agenda.carryOut(job);
      if (this.#state !== before) this.#reaction?.(this, outcome.changes);
      if (this.#state !== before) this.#onCommit?.(this, outcome.changes, this.#state);
      return result;
    } catch (error) {
      this.#state = before;
      outcome.undo(0);
      throw error;
    } finally {
      this.#work = undefined;
      this.#owner = undefined;
      if (this.#state !== before) this.#moved();
    }
  }

  /** What a piece of work would answer, without any of it happening. */
  rehearse<T>(work: () => T): T {
    const before = this.state;
    this.#work = { at: this.clock.now(), outcome: new Outcome(), exchange: undefined, immediate: [] };
    try {
      return work();
    } finally {
      this.#state = before;
      this.#work = undefined;
    }
  }

  /** Tries one item of a larger piece of work: a refusal undoes this item alone and is answered. */
  attempt<T>(work: () => T): { readonly result: T } | { readonly refusal: Refusal } {
    const before = this.state;
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
  enqueue(kind: string, payload: unknown, usualDelay = this.settings.queueDelay): Job {
    const now = this.now();
    const exchange = this.#work?.exchange;
    const fired = exchange === undefined ? undefined : this.journal.get(exchange)?.fault;
    const fault = fired?.fault.job;
    const delay = typeof fault === 'object' ? fault.delay : usualDelay;
    const job: Job = {
      id: String(this.next('job')).padStart(10, '0'),
      kind,
      dueAt: now + delay,
      createdAt: now,
      exchange,
      payload,
      status: 'queued',
      ...(fault === 'fail' && { failsBy: fired?.rule }),
    };
    if (delay > 0 || this.agenda.held || !this.#work) return this.put(jobs, job);
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

  freeze(): Happening[] {
    this.#turn(() => this.clock.freeze());
    return this.agenda.runDue();
  }

  resume(): Happening[] {
    this.#turn(() => this.clock.resume());
    return this.agenda.runDue();
  }

  /** Lets time pass up to a moment; work that falls due on the way is done at its own moment. Going back does none. */
  moveTo(target: Instant): Happening[] {
    const happenings: Happening[] = [];
    for (let done = this.passNext(target); done; done = this.passNext(target)) happenings.push(done);
    this.#turn(() => this.clock.set(target));
    this.agenda.planWake();
    return happenings;
  }

  /** Lets time pass up to the next work that falls due by a moment, and does it; when there is none, nothing passes. */
  passNext(target: Instant): Happening | undefined {
    const job = target < this.clock.now() ? undefined : this.agenda.nextDue(target);
    if (!job) return undefined;
    const { dueAt } = job;
    if (dueAt > this.clock.now()) this.#turn(() => this.clock.set(dueAt));
    return this.agenda.runJob(job);
  }

  advance({ months, milliseconds }: Duration): Happening[] {
    return this.moveTo(addMonths(this.clock.now(), months) + milliseconds);
  }

  /** Puts back the chosen parts as they were at the start, all of them or none. */
  reset(chosen: readonly Scope[]): void {
    const clock = chosen.includes('clock') ? this.settings.clock : this.clock.setting;
    this.#turn(() => this.clock.restore(clock), mergeScopes(this.#state, this.#seedState, new Set<string>(chosen)));
    if (chosen.includes('queue')) this.agenda.letGo();
    if (chosen.includes('journal')) this.journal.clear();
    if (chosen.includes('faults')) {
      this.faults.restart();
      this.endHeld();
    }
    if (chosen.includes('state')) this.#tellOfReturn();
    this.agenda.planWake();
  }

  takeSnapshot(name: string): void {
    this.snapshots.take(name, { state: this.state, clock: this.clock.setting, takenAt: this.clock.now() });
  }

  /** Answers whether there is a snapshot of this name. */
  restoreSnapshot(name: string): boolean {
    const snapshot = this.snapshots.get(name);
    if (!snapshot) return false;
    this.#turn(() => this.clock.restore(snapshot.clock), snapshot.state);
    this.#tellOfReturn();
    this.agenda.planWake();
    return true;
  }

  /** Takes up who sends what it has to tell. */
  attach(outbound: Outbound): void {
    this.#outbound = outbound;
  }

  /** Calls back whenever the state or the clock was changed, until the answered function is called. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Calls back whenever the state was put back: by a reset of it, or a snapshot. */
  onReturn(watcher: () => void): void {
    this.#returnWatchers.add(watcher);
  }

  /** Ends timers; the tenant can still be read. */
  close(): void {
    this.agenda.close();
    this.#outbound?.close();
    this.#held.abort();
  }

  /** Ends the calls that a fault holds up: their connections are closed, and work not begun is not done. */
  endHeld(): void {
    this.#held.abort();
    this.#held = new AbortController();
  }

  #moved(): void {
    this.agenda.planWake();
    this.#tellWatchers();
  }

  #tellOfReturn(): void {
    for (const tell of this.#returnWatchers) tell();
  }

  #tellWatchers(): void {
    for (const tell of this.#watchers) tell();
  }

  #replace<Row>(table: Table<Row>, key: string, before: Row | undefined, after: Row | undefined): void {
    this.#work?.outcome.change({ table: table.name, key, before, after });
    this.#state = replaceRow(this.#state, table, { key, before, after }, this.#owner);
  }

  /** What the state is now stays as it is: whatever is still to change is copied first. */
  #disown(): void {
    if (this.#owner) this.#owner = {};
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
    this.#tellWatchers();
  }
}
