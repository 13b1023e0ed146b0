import { Agenda } from './agenda.ts';
import { Clock, machineNow } from './clock.ts';
import type { Instant } from './clock.ts';
import type { Outbound } from './deliveries.ts';
import type { Replacement } from './draft.ts';
import { Refusal } from './errors.ts';
import { noFaults } from './faults.ts';
import type { FaultPlan } from './faults.ts';
import { guid } from './ids.ts';
import { jobs, timerOf, timers } from './jobs.ts';
import type { Job, Plan } from './jobs.ts';
import { Journal, Outcome } from './journal.ts';
import type { OrderedList } from './ordered-list.ts';
import type { PutBack } from './returning.ts';
import { Snapshots } from './snapshots.ts';
import { Rows } from './rows.ts';
import { differences } from './state.ts';
import type { AnyTable, State, Table } from './state.ts';
import type { CommitHook, Reaction, Settings, TenantOptions } from './tenant-options.ts';
import { Watchers } from './watchers.ts';

/** What is under way: one call, job or admin action, undone as a whole when it throws. */
interface Work {
  readonly at: Instant;
  readonly outcome: Outcome;
  readonly exchange: string | undefined;
  readonly immediate: Job[];
}

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
  readonly #watchers = new Watchers();
  readonly #returnWatchers = new Watchers<PutBack>();
  #outbound: Outbound | undefined;
  readonly #rows: Rows;
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
    this.#rows = new Rows(savedState ?? seedState);
    this.agenda = new Agenda(this, handlers);
    this.agenda.planWake();
  }

  get state(): State {
    return this.#rows.value;
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
    return this.#rows.get(table, key);
  }

  /** The row that a unique value leads to. */
  find<Row>(table: Table<Row>, index: string, value: string): Row | undefined {
    return this.#rows.find(table, index, value);
  }

  list(table: AnyTable, index: string, of: string): OrderedList {
    return this.#rows.list(table, index, of);
  }

  /** The rows that stand in a list, in its order. */
  listed<Row>(table: Table<Row>, index: string, of: string): Row[] {
    return this.#rows.listed(table, index, of);
  }

  all<Row>(table: Table<Row>): Generator<Row> {
    return this.#rows.all(table);
  }

  count(table: AnyTable): number {
    return this.#rows.count(table);
  }

  put<Row>(table: Table<Row>, row: Row): Row {
    const key = table.key(row);
    this.#replace({ table, key, before: this.get(table, key), after: row });
    return row;
  }

  remove<Row>(table: Table<Row>, key: string): void {
    const before = this.get(table, key);
    if (before !== undefined) this.#replace({ table, key, before, after: undefined });
  }

  /** The next number of a sequence, from 1 on; given back when the call is undone. */
  next(sequence: string): number {
    return this.#rows.next(sequence);
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
    this.#rows.begin();
    const immediate: Job[] = [];
    this.#work = { at: this.clock.now(), outcome, exchange, immediate };
    try {
      const result = work();
      for (const job of immediate) this.agenda.carryOut(job);
      if (this.#rows.written > 0) this.#reaction?.(this, outcome.changes);
      if (this.#rows.written > 0) this.#onCommit?.(this, outcome.changes, this.state);
      return result;
    } catch (error) {
      this.#rows.undo(0);
      outcome.undo(0);
      throw error;
    } finally {
      this.#work = undefined;
      if (this.#rows.written > 0) this.#moved();
    }
  }

  /** What a piece of work would answer, without any of it happening. */
  rehearse<T>(work: () => T): T {
    const before = this.state;
    this.#work = { at: this.clock.now(), outcome: new Outcome(), exchange: undefined, immediate: [] };
    try {
      return work();
    } finally {
      this.#rows.take(before);
      this.#work = undefined;
    }
  }

  /** Tries one item of a larger piece of work: a refusal undoes this item alone and is answered. */
  attempt<T>(work: () => T): { readonly result: T } | { readonly refusal: Refusal } {
    const [written, done] = [this.#rows.written, this.#work?.outcome.changes.length ?? 0];
    try {
      return { result: work() };
    } catch (error) {
      this.#rows.undo(written);
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

  /** Sets the clock and takes up another state if there is one, both or neither. */
  turn(set: () => void, state?: State): void {
    const before = this.clock.setting;
    set();
    try {
      this.#onCommit?.(this, state ? [...differences(this.state, state)] : [], state ?? this.state);
    } catch (error) {
      this.clock.restore(before);
      throw error;
    }
    if (state) this.#rows.take(state);
    this.#watchers.tell();
  }

  /** Takes up who sends what it has to tell. */
  attach(outbound: Outbound): void {
    this.#outbound = outbound;
  }

  /** Calls back whenever the state or the clock was changed, until the answered function is called. */
  watch(watcher: () => void): () => void {
    return this.#watchers.add(watcher);
  }

  /** Calls back whenever something was put back, until the answered function is called. */
  onReturn(watcher: (back: PutBack) => void): () => void {
    return this.#returnWatchers.add(watcher);
  }

  /** To be called when something was put back. */
  returned(back: PutBack): void {
    this.#returnWatchers.tell(back);
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
    this.#watchers.tell();
  }

  #replace<Row>(replacement: Replacement<Row>): void {
    const { table, key, before, after } = replacement;
    this.#rows.replace(replacement);
    this.#work?.outcome.change({ table: table.name, key, before, after });
  }
}
