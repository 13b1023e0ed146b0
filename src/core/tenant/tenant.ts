import { Scheduler } from '../time/scheduler.ts';
import type { JobHandlers } from '../time/scheduler.ts';
import { Clock, systemNow } from '../time/clock.ts';
import type { ClockSetting, Instant } from '../time/clock.ts';
import { finish, finishInTurns } from '../time/steps.ts';
import type { Steps } from '../time/steps.ts';
import type { ClockedWork } from '../time/clocked-work.ts';
import type { WebhookSender } from './webhook-outbox.ts';
import type { RowReplacement } from '../state/row-changes.ts';
import { ApiError } from '../exchange/api-error.ts';
import { noFaults } from '../exchange/fault-plan.ts';
import type { FaultPlan } from '../exchange/fault-plan.ts';
import { seededGuid } from '../lib/random.ts';
import { jobs, timerJob, timers } from '../time/jobs.ts';
import type { Job, TimerOptions } from '../time/jobs.ts';
import { Journal } from '../exchange/journal.ts';
import type { JournalBudget } from '../exchange/journal-budget.ts';
import { SideEffects } from '../exchange/exchange.ts';
import { bytesOfRow, StateHistory } from './state-history.ts';
import type { ListPeek, OrderedList } from '../state/ordered-list.ts';
import { StateLineage } from './state-lineage.ts';
import type { RestoreEvent } from './reset-scopes.ts';
import { SnapshotStore } from './snapshots.ts';
import { UnitOfWork } from '../state/unit-of-work.ts';
import type { AnyTable, RowChange, State, Table } from '../state/state.ts';
import type { SavepointResult, TenantContext } from './context.ts';
import type { TenantSettings } from './settings.ts';
import { Signal } from '../lib/signal.ts';

/** Saves what becomes of tenants. */
export interface TenantSaving {
  /**
   * Takes a commit down before it counts: rows, sequences, or how the clock is set. Throws when it can't, and the
   * commit is undone.
   */
  recordCommit(tenant: Tenant, changes: readonly RowChange[], state: State): void;
  /** Takes down likewise that a tenant is put back to a state. */
  recordPutBack(tenant: Tenant, state: State): void;
  /**
   * Saves in turns what `recordPutBack` would take long for, of the tenant or of one that is branched off from it. Call the
   * returned function after that. Rejects when the simulator is being stopped.
   */
  preparePutBack(tenant: Tenant, state: State, who: 'tenant' | 'branch'): Promise<() => void>;
}

/** Does what follows from the changes of a piece of work, as a part of it. */
export type BeforeCommitHook = (tenant: TenantContext, changes: readonly RowChange[]) => void;

export interface TenantOptions {
  readonly name: string;
  readonly settings: TenantSettings;
  readonly seedState: State;
  /** Holds the state that an earlier run saved, which replaces the seed's. */
  readonly savedState?: State | undefined;
  /** Holds the setting of the clock in that run. */
  readonly savedClock?: ClockSetting | undefined;
  readonly handlers: JobHandlers;
  /** Holds what it has done before (default: nothing). */
  readonly journal?: Journal | undefined;
  /** Holds what it was before (default: nothing). */
  readonly history?: StateHistory | undefined;
  /** Holds how the states came about that its journal numbers (default: one by one). */
  readonly lineage?: StateLineage | undefined;
  /** Bounds the journals of all tenants together (default: nothing does). */
  readonly journalBudget?: JournalBudget | undefined;
  readonly faults?: FaultPlan | undefined;
  readonly beforeCommit?: BeforeCommitHook | undefined;
  readonly saving?: TenantSaving | undefined;
}

/** Holds the current transaction: one request, job or admin action, rolled back as a whole when it throws. */
interface Transaction {
  readonly at: Instant;
  readonly sideEffects: SideEffects;
  readonly exchange: string | undefined;
  readonly immediate: Job[];
}

/** Describes a piece of work that may take several turns of the event loop. */
type WorkInTurns<T> = WorkOfTurns<T> & {
  readonly outcome: SideEffects;
  /** Holds a job to do right after it, as a part of it. */
  readonly job?: Job;
  readonly exchange: string | undefined;
};

/** Does the work at once, or in steps. It may have to be done again. */
type WorkOfTurns<T> =
  | { readonly work: () => Synchronous<T>; readonly steps?: never }
  | { readonly steps: () => Steps<Synchronous<T>>; readonly work?: never };

/** Holds what such work has done so far, which nobody else sees. */
interface WorkApart {
  readonly unitOfWork: UnitOfWork;
  readonly transaction: Transaction;
}

/** Resolves to `never` for a promise: a transaction ends before anything that waits could go on. */
export type Synchronous<T> = T extends PromiseLike<unknown> ? never : T;

/** Holds one retailer's world: its state, clock, queue and journal. Shares nothing that changes with any other. */
export class Tenant implements TenantContext {
  readonly name: string;
  readonly settings: TenantSettings;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly snapshots = new SnapshotStore();
  /** Tells what it was at earlier requests. */
  readonly history: StateHistory;
  /** Tells which of its states came of which. */
  readonly lineage: StateLineage;
  readonly scheduler: Scheduler;
  /** Selects the faults of its requests. */
  readonly faults: FaultPlan;
  readonly #seedState: State;
  readonly #beforeCommit: BeforeCommitHook | undefined;
  readonly #saving: TenantSaving | undefined;
  readonly #createdAt = systemNow();
  #eventCount = 0;
  readonly #changed = new Signal();
  readonly #restored = new Signal<RestoreEvent>();
  #sender: WebhookSender | undefined;
  #importer: ClockedWork | undefined;
  #unitOfWork: UnitOfWork;
  /** Resolves when the work that is done in several turns is over, if there is any. */
  #turns: Promise<unknown> | undefined;
  #transaction: Transaction | undefined;
  #held = new AbortController();

  constructor({
    name,
    settings,
    seedState,
    savedState,
    savedClock,
    handlers,
    journal,
    history,
    lineage = new StateLineage(),
    journalBudget,
    faults,
    beforeCommit: reaction,
    saving,
  }: TenantOptions) {
    this.name = name;
    this.settings = settings;
    this.clock = new Clock(savedClock ?? settings.clock);
    this.journal = journal ?? new Journal(settings.journalBytes, journalBudget);
    this.lineage = lineage;
    this.faults = faults ?? noFaults;
    this.#seedState = seedState;
    this.#beforeCommit = reaction;
    this.#saving = saving;
    this.#unitOfWork = new UnitOfWork(savedState ?? seedState);
    this.scheduler = new Scheduler(this, handlers);
    // It may hold as many rows as the journal, and shares the budget of all tenants with it.
    this.history =
      history ??
      new StateHistory(settings.journalBytes / bytesOfRow, this.#unitOfWork, (added) =>
        this.journal.chargeHistory(added),
      );
    this.journal.attachHistory(this.history);
    this.#followHistory();
    this.scheduler.armTimer();
  }

  get state(): State {
    return this.#unitOfWork.value;
  }

  /** Returns who sends the tenant's webhooks, if anyone. */
  get webhookSender(): WebhookSender | undefined {
    return this.#sender;
  }

  /** Lists the work that waits for moments of its clock, in the order in which one leads to another. */
  get clockedWork(): readonly ClockedWork[] {
    return [this.#importer, this.#sender].filter((work) => work !== undefined);
  }

  /** Returns the exchange that the work under way is done for. */
  get currentExchange(): string | undefined {
    return this.#transaction?.exchange;
  }

  /** Returns the state that a reset goes back to. */
  get seedState(): State {
    return this.#seedState;
  }

  /** Aborts when requests that a fault holds up are to wait no longer: their fault is gone, or the tenant. */
  get holdSignal(): AbortSignal {
    return this.#held.signal;
  }

  /** Returns the moment of the call under way: the same for everything that it does. */
  now(): Instant {
    return this.#transaction?.at ?? this.clock.now();
  }

  get<Row>(table: Table<Row>, key: string): Row | undefined {
    return this.#unitOfWork.get(table, key);
  }

  /** Answers whether there is a row of this key. */
  has(table: AnyTable, key: string): boolean {
    return this.#unitOfWork.has(table, key);
  }

  /** Returns the row that a unique value leads to. */
  find<Row>(table: Table<Row>, index: string, value: string): Row | undefined {
    return this.#unitOfWork.find(table, index, value);
  }

  list(table: AnyTable, index: string, of: string): OrderedList {
    return this.#unitOfWork.list(table, index, of);
  }

  peek(table: AnyTable, index: string, of: string): ListPeek {
    return this.#unitOfWork.peek(table, index, of);
  }

  /** Returns the rows that stand in a list, in its order. */
  listRows<Row>(table: Table<Row>, index: string, of: string): Row[] {
    return this.#unitOfWork.listRows(table, index, of);
  }

  all<Row>(table: Table<Row>): Generator<Row> {
    return this.#unitOfWork.all(table);
  }

  count(table: AnyTable): number {
    return this.#unitOfWork.count(table);
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

  /** Returns the next number of a sequence, from 1 on; given back when the call is undone. */
  next(sequence: string): number {
    return this.#unitOfWork.next(sequence);
  }

  newId(): string {
    return seededGuid(this.settings.seed, `${this.name}/id`, this.next('id'));
  }

  /**
   * Returns an id for what leaves for somebody who remembers it: unlike other ids never the same again, not after a
   * reset and not in another run.
   */
  newEventId(): string {
    return seededGuid(this.settings.seed, `${this.name}/event/${this.#createdAt}`, ++this.#eventCount);
  }

  warn(code: string, message: string): void {
    this.#transaction?.sideEffects.warn(code, message);
  }

  /** Returns the variant of an assumption in force (`default` unless set), noted as one that the response rests on. */
  assumption(id: string): string {
    this.#transaction?.sideEffects.recordAssumption(id);
    return this.settings.assumptions[id] ?? 'default';
  }

  /**
   * Carries out one piece of work as a whole: when it throws, nothing of it has happened but what `outcome`
   * tells of warnings and assumptions.
   */
  transact<T>(outcome: SideEffects, work: () => Synchronous<T>, exchange?: string): Synchronous<T> {
    this.#unitOfWork.begin();
    const immediate: Job[] = [];
    this.#transaction = { at: this.clock.now(), sideEffects: outcome, exchange, immediate };
    try {
      const result = work();
      for (const job of immediate) this.scheduler.execute(job);
      this.#commit(outcome);
      return result;
    } catch (error) {
      this.#unitOfWork.rollBackTo(0);
      outcome.rollBackTo(0);
      throw error;
    } finally {
      this.#transaction = undefined;
      if (this.#unitOfWork.writeCount > 0) this.#notifyChanged();
    }
  }

  #commit(outcome: SideEffects): void {
    if (this.#unitOfWork.writeCount > 0) this.#beforeCommit?.(this, outcome.changes);
    if (this.#unitOfWork.writeCount > 0) this.#saving?.recordCommit(this, outcome.changes, this.state);
    const { writeCount, draws } = this.#unitOfWork;
    const isInJournal = this.#transaction?.exchange !== undefined;
    if (writeCount > 0) this.history.record({ by: outcome, draws, isInJournal });
    outcome.commit(this.history.version);
  }

  /** True when work is done in several turns: what changes the tenant waits for it. */
  get isInTurns(): boolean {
    return this.#turns !== undefined;
  }

  /** Resolves when no work is done in several turns any more. */
  async afterTurns(): Promise<void> {
    while (this.#turns) await this.#turns;
  }

  /** Takes steps in as many turns of the event loop as they need: requests and others that take turns wait. */
  async takeInTurns<T>(steps: Steps<T>): Promise<T> {
    while (this.#turns) await this.#turns;
    const working = finishInTurns(steps);
    const over = (): void => void (this.#turns = undefined);
    this.#turns = working.then(over, over);
    return working;
  }

  /**
   * Does the same as `transact` step by step, for whoever takes turns. It works on a state of its own until it is
   * committed: in between, everybody sees the tenant as it was before. Whoever writes waits for `afterTurns`; when
   * somebody did not, all is done again, and at last at once.
   */
  *transactInSteps<T>(wanted: WorkInTurns<T>): Steps<Synchronous<T>> {
    for (let tries = 3; tries > 0; tries--) {
      const attempt = yield* this.attemptInSteps(wanted);
      if (attempt) return attempt.result;
    }
    const work = wanted.work ?? ((): Synchronous<T> => finish(wanted.steps()));
    return this.transact(wanted.outcome, work, wanted.exchange);
  }

  /** Tries that once; undefined, and not done, when somebody did not wait. */
  *attemptInSteps<T>(wanted: WorkInTurns<T>): Steps<{ readonly result: Synchronous<T> } | undefined> {
    const { outcome, job, exchange } = wanted;
    const { state, clock } = this;
    const { setting } = clock;
    const [sideEffects, immediate] = [outcome.copy(), job ? [job] : []];
    const transaction = { at: clock.now(), sideEffects, exchange, immediate };
    const apart = { unitOfWork: new UnitOfWork(state), transaction };
    const steps = this.#stepsOf(wanted, immediate);
    for (;;) {
      const step = this.#takeStep(apart, outcome, steps);
      if (step.done) return { result: this.#commitFrom(apart, outcome, step.value) };
      yield;
      if (this.state !== state || clock.setting !== setting) return undefined;
    }
  }

  *#stepsOf<T>(wanted: WorkOfTurns<T>, immediate: readonly Job[]): Steps<Synchronous<T>> {
    const result = wanted.steps ? yield* wanted.steps() : wanted.work();
    for (const job of immediate) {
      yield;
      yield* this.scheduler.executeInSteps(job);
    }
    return result;
  }

  /** Takes a step on the state that is worked on apart. */
  #takeStep<T>(apart: WorkApart, outcome: SideEffects, steps: Steps<T>): IteratorResult<void, T> {
    const present = this.#unitOfWork;
    [this.#unitOfWork, this.#transaction] = [apart.unitOfWork, apart.transaction];
    try {
      return steps.next();
    } catch (error) {
      outcome.adopt(apart.transaction.sideEffects);
      outcome.rollBackTo(0);
      throw error;
    } finally {
      [this.#unitOfWork, this.#transaction] = [present, undefined];
    }
  }

  /** Makes what was worked on apart the tenant's state, unless it can't be saved. */
  #commitFrom<T>({ unitOfWork, transaction }: WorkApart, outcome: SideEffects, result: T): T {
    const before = this.state;
    outcome.adopt(transaction.sideEffects);
    this.#unitOfWork.adopt(unitOfWork);
    this.#transaction = { ...transaction, sideEffects: outcome };
    try {
      this.#commit(outcome);
    } catch (error) {
      this.#unitOfWork.replaceState(before);
      this.#unitOfWork.begin();
      outcome.rollBackTo(0);
      throw error;
    } finally {
      this.#transaction = undefined;
    }
    if (this.#unitOfWork.writeCount > 0) this.#notifyChanged();
    return result;
  }

  /** Returns what a piece of work would return, and rolls all of it back. */
  dryRun<T>(work: () => Synchronous<T>): Synchronous<T> {
    const before = this.state;
    this.#unitOfWork.begin();
    this.#transaction = { at: this.clock.now(), sideEffects: new SideEffects(), exchange: undefined, immediate: [] };
    try {
      return work();
    } finally {
      this.#unitOfWork.replaceState(before);
      this.#transaction = undefined;
    }
  }

  /** Marks a place in a larger piece of work: the returned function undoes what was done after it. */
  mark(): () => void {
    const [written, done] = [this.#unitOfWork.writeCount, this.#transaction?.sideEffects.changes.length ?? 0];
    return () => {
      this.#unitOfWork.rollBackTo(written);
      this.#transaction?.sideEffects.rollBackTo(done);
    };
  }

  /** Tries one item of a larger piece of work: an error undoes this item alone and is returned. */
  savepoint<T>(work: () => T): SavepointResult<T> {
    const undo = this.mark();
    try {
      return { result: work() };
    } catch (error) {
      undo();
      if (error instanceof ApiError) return { error };
      throw error;
    }
  }

  /** Tries one item that may take several turns, of work that is done in steps. */
  *savepointInSteps<T>(work: () => Steps<T>): Steps<SavepointResult<T>> {
    const undo = this.mark();
    try {
      return { result: yield* work() };
    } catch (error) {
      undo();
      if (error instanceof ApiError) return { error };
      throw error;
    }
  }

  /** Queues work; without a delay it is done right after the call that asked for it, before the response goes out. */
  enqueue(kind: string, payload: unknown, usualDelay = this.settings.queueDelay): Job {
    const now = this.now();
    const exchange = this.#transaction?.exchange;
    const fired = exchange === undefined ? undefined : this.journal.get(exchange)?.fault;
    const fault = fired?.fault.job;
    const delay = typeof fault === 'object' ? fault.delay : usualDelay;
    const chain = this.scheduler.chainFor(now + delay);
    const job: Job = {
      id: String(this.next('job')).padStart(10, '0'),
      kind,
      dueAt: now + delay,
      createdAt: now,
      exchange,
      payload,
      status: 'queued',
      ...(fault === 'fail' && { failsBy: fired?.rule }),
      ...(chain !== undefined && { chain }),
    };
    if (delay > 0 || this.scheduler.isHeld || !this.#transaction) return this.put(jobs, job);
    this.#transaction.immediate.push(job);
    return job;
  }

  /** Plans what time will bring, in place of what was planned under this key. */
  scheduleTimer(plan: TimerOptions): void {
    const planned = this.get(timers, plan.key);
    if (planned?.dueAt === plan.dueAt && !this.scheduler.isExecuting(planned)) return;
    const chain = this.scheduler.chainFor(plan.dueAt);
    // The key that it had is kept, so that the history of the tenant holds one text of it, not one for each time it was set.
    const timer = timerJob({ ...plan, key: planned?.id ?? plan.key }, this.now());
    this.put(timers, chain === undefined ? timer : { ...timer, chain });
  }

  /** Plans nothing any more under this key. */
  cancelTimer(key: string): void {
    if (this.get(timers, key)) this.remove(timers, key);
  }

  /** Does work that puts it back to a state, or a branch of it; what would take long to save of the state is saved before. */
  async withStateSaved<T>(state: State, who: 'tenant' | 'branch', work: () => T): Promise<Awaited<T>> {
    const release = await this.#saving?.preparePutBack(this, state, who);
    try {
      return await work();
    } finally {
      release?.();
    }
  }

  /** Sets the clock and takes up another state if there is one, both or neither. */
  setClock(set: () => void, state?: State): void {
    const [before, replaced] = [this.clock.setting, state && this.state];
    set();
    try {
      if (state) this.#saving?.recordPutBack(this, state);
      else this.#saving?.recordCommit(this, [], this.state);
    } catch (error) {
      this.clock.restore(before);
      throw error;
    }
    if (state) this.#unitOfWork.replaceState(state);
    this.history.record({ clock: before, ...(replaced && { state: replaced }) });
    this.#changed.emit();
  }

  /** Takes up who sends what it has to tell. */
  attachWebhookSender(outbound: WebhookSender): void {
    this.#sender = outbound;
  }

  /** Takes up who imports the files that are put into its folder. */
  attachImporter(importer: ClockedWork): void {
    this.#importer = importer;
  }

  /** Calls back whenever the state or the clock was changed, until the returned function is called. */
  onChange(watcher: () => void): () => void {
    return this.#changed.subscribe(watcher);
  }

  /** Calls back whenever something was put back, until the returned function is called. */
  onRestore(watcher: (back: RestoreEvent) => void): () => void {
    return this.#restored.subscribe(watcher);
  }

  /** Call it when something was put back. */
  notifyRestored(back: RestoreEvent): void {
    this.#restored.emit(back);
  }

  /** Ends timers; the tenant can still be read. */
  close(): void {
    this.scheduler.close();
    this.journal.close();
    for (const work of this.clockedWork) work.close();
    this.#held.abort();
  }

  /** Ends the calls that a fault holds up: their connections are closed, and work not begun is not done. */
  releaseHeldRequests(): void {
    this.#held.abort();
    this.#held = new AbortController();
  }

  /** Keeps what was held back in the history, which goes as far back as the journal. */
  #followHistory(): void {
    let isHeld = false;
    this.scheduler.holdChanged.subscribe(() => {
      if (this.scheduler.isHeld === isHeld) return;
      this.history.record({ isHeld });
      isHeld = this.scheduler.isHeld;
    });
    this.journal.cleared.subscribe(() => {
      this.history.forgetBefore(this.history.version);
      this.lineage.forgetBefore(this.history.version);
    });
    this.journal.shortened.subscribe(({ sideEffects }) => this.history.forgetBefore(sideEffects.stateVersion - 1));
  }

  #notifyChanged(): void {
    this.scheduler.armTimer();
    this.#changed.emit();
  }

  #replace<Row>(replacement: RowReplacement<Row>): void {
    const { table, key, before, after } = replacement;
    this.#unitOfWork.replace(replacement);
    this.#transaction?.sideEffects.recordChange({ table: table.name, key, before, after });
  }
}
