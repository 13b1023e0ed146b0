import type { Happening } from '../core/agenda.ts';
import { after } from '../core/clock.ts';
import type { Instant } from '../core/clock.ts';
import { attemptKind, deliveries, turnSequence } from '../core/deliveries.ts';
import type {
  Attempt,
  Delivery,
  DeliveryFault,
  DeliveryFaults,
  Outbound,
  WebhookSettings,
} from '../core/deliveries.ts';
import { Refusal } from '../core/errors.ts';
import { Outcome } from '../core/journal.ts';
import type { Tenant } from '../core/tenant.ts';
import { attempted } from './retries.ts';
import type { Result } from './sender.ts';

/** As many are under way at a time, so that a receiver isn't run over. */
const maxUnderWay = 10;
/** A delivery that is to come after the next one comes by itself after this time, on the tenant's clock, if there is none. */
const longestHeld = 5000;
/** When to go on if what became of an attempt could not be saved, in ms. */
const retryDelay = 1000;

interface DispatcherOptions {
  readonly tenant: Tenant;
  readonly webhook: WebhookSettings;
  /** What goes wrong on purpose. */
  readonly faults?: DeliveryFaults | undefined;
  /** Told of every attempt when it is over. */
  readonly onAttempt?: ((delivery: Delivery) => void) | undefined;
}

/** Sends a tenant's deliveries when they are due, and notes what became of them. */
export class Dispatcher implements Outbound {
  readonly #tenant: Tenant;
  readonly #webhook: WebhookSettings;
  readonly #faults: DeliveryFaults | undefined;
  readonly #onAttempt: ((delivery: Delivery) => void) | undefined;
  /** By id: the delivery as it was when its attempt began. */
  readonly #underWay = new Map<string, { readonly delivery: Delivery; readonly call: AbortController }>();
  /** Those that wait until another was sent. */
  readonly #held = new Set<string>();
  readonly #watchers = new Set<(tried: Happening) => void>();
  #idlers: (() => void)[] = [];
  #isAwake = false;
  #isClosed = false;
  #cancelWake: () => void = () => {};
  readonly #stopWatching: () => void;

  constructor({ tenant, webhook, faults, onAttempt }: DispatcherOptions) {
    this.#tenant = tenant;
    this.#webhook = webhook;
    this.#faults = faults;
    this.#onAttempt = onAttempt;
    this.#stopWatching = tenant.watch(() => this.#changed());
    this.#changed();
  }

  nextDue(): Instant | undefined {
    // What is never sent any more is not waited for either.
    if (this.#isClosed) return undefined;
    return this.#tenant.list(deliveries, 'pending', 'all').first()?.order;
  }

  idle(): Promise<void> {
    if (!this.#isBusy()) return Promise.resolve();
    this.#changed();
    return new Promise((resolve) => this.#idlers.push(resolve));
  }

  watch(watcher: (tried: Happening) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Breaks off what is under way; it is still pending, should the tenant be taken up again. */
  close(): void {
    this.#isClosed = true;
    this.#stopWatching();
    this.#cancelWake();
    for (const { call } of this.#underWay.values()) call.abort();
    this.#underWay.clear();
    this.#releaseIdlers();
  }

  #changed(): void {
    if (this.#isAwake || this.#isClosed) return;
    if (this.#underWay.size === 0 && this.nextDue() === undefined) return;
    this.#isAwake = true;
    // Not at once: the call that brought this about is answered first.
    setImmediate(() => this.#look());
  }

  #isBusy(): boolean {
    if (this.#isClosed) return false;
    return this.#isAwake || this.#underWay.size > 0 || this.#due(1).length > 0;
  }

  /** The first deliveries that are due by now. */
  #due(count: number): Delivery[] {
    const now = this.#tenant.clock.now();
    const keys = this.#tenant.list(deliveries, 'pending', 'all').page(0, count);
    return keys.flatMap((key) => this.#tenant.get(deliveries, key) ?? []).filter(({ dueAt }) => dueAt <= now);
  }

  #look(): void {
    this.#isAwake = false;
    if (this.#isClosed) return;
    this.#breakOff();
    for (const delivery of this.#due(maxUnderWay)) {
      if (this.#underWay.size < maxUnderWay && !this.#underWay.has(delivery.id)) void this.#attempt(delivery);
    }
    this.#planWake();
    if (!this.#isBusy()) this.#releaseIdlers();
  }

  /** What a reset or a snapshot has taken away or put back as it was is not waited for any more. */
  #breakOff(): void {
    for (const [id, { delivery, call }] of this.#underWay) {
      if (this.#tenant.get(deliveries, id) === delivery) continue;
      this.#underWay.delete(id);
      call.abort();
    }
  }

  #planWake(): void {
    this.#cancelWake();
    const dueAt = this.#tenant.clock.frozen ? undefined : this.nextDue();
    if (dueAt === undefined) return;
    const delay = dueAt - this.#tenant.clock.now();
    // What is due already has its turn when something that is under way is over; unless a running clock came to it
    // since what is due was looked for, and nothing is under way.
    if (delay > 0 || this.#underWay.size === 0) this.#cancelWake = after(Math.max(0, delay), () => this.#changed());
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const fired =
      delivery.putOff === delivery.attempts.length ? undefined : this.#faults?.decide(delivery, this.#tenant);
    const later = fired && laterBy(fired.fault);
    if (later !== undefined) return this.#putOff(delivery, later, fired?.fault.kind === 'reorder');
    const call = new AbortController();
    const underWay = { delivery, call };
    this.#underWay.set(delivery.id, underWay);
    const at = this.#tenant.clock.now();
    const before = this.#turn();
    const results = await this.#send(delivery, call.signal, fired?.fault);
    if (this.#underWay.get(delivery.id) !== underWay) return;
    const turns = [before, this.#turn() + 1] as const;
    const shared = fired ? { at, turns, rule: fired.rule } : { at, turns };
    if (
      !this.#note(
        delivery,
        results.map((result) => Object.assign(result, shared)),
      )
    )
      return;
    this.#underWay.delete(delivery.id);
    this.#changed();
    if (!this.#isBusy()) this.#releaseIdlers();
  }

  #turn(): number {
    return this.#tenant.state.sequences[turnSequence] ?? 0;
  }

  async #send(delivery: Delivery, signal: AbortSignal, fault: DeliveryFault | undefined): Promise<readonly Result[]> {
    const { send } = await import('./sender.ts');
    const { name, settings } = this.#tenant;
    const { seed, assume } = settings;
    return send({ tenant: name, seed, assume, webhook: this.#webhook, delivery, signal, fault });
  }

  /** Answers whether it could be noted; when not, it is tried again later. */
  #note(delivery: Delivery, attempts: readonly Attempt[]): boolean {
    // A reset may have come while this was under way, and nobody has looked since.
    if (this.#tenant.get(deliveries, delivery.id) !== delivery) return true;
    const { clock, settings } = this.#tenant;
    const circumstances = { now: clock.now(), assume: settings.assume };
    const next = attempts.reduce((tried, attempt) => attempted(tried, attempt, circumstances), delivery);
    const outcome = this.#commit(delivery, () => {
      this.#tenant.next(turnSequence);
      this.#tenant.put(deliveries, next);
      this.#letFollow();
    });
    if (!outcome) return false;
    this.#onAttempt?.(next);
    this.#tell(next, outcome);
    return true;
  }

  #tell({ id, exchange, attempts }: Delivery, outcome: Outcome): void {
    const job = { id, kind: attemptKind, exchange };
    const tried = { at: this.#tenant.clock.now(), job, outcome, error: attempts.at(-1)?.error };
    for (const watcher of this.#watchers) watcher(tried);
  }

  #putOff(delivery: Delivery, later: number, isHeld: boolean): void {
    const dueAt = this.#tenant.clock.now() + later;
    this.#commit(delivery, () =>
      this.#tenant.put(deliveries, { ...delivery, dueAt, putOff: delivery.attempts.length }),
    );
    if (isHeld) this.#held.add(delivery.id);
  }

  /** Those that waited for another to be sent are due now. */
  #letFollow(): void {
    for (const id of this.#held) {
      const held = this.#tenant.get(deliveries, id);
      if (held?.status === 'pending') this.#tenant.put(deliveries, { ...held, dueAt: this.#tenant.now() });
    }
    this.#held.clear();
  }

  /** What came of the work; undefined when it could not be saved. */
  #commit(delivery: Delivery, work: () => void): Outcome | undefined {
    const outcome = new Outcome();
    try {
      this.#tenant.call(outcome, work, delivery.exchange);
      return outcome;
    } catch (error) {
      // A commit that couldn't be saved: whoever saves has told of it.
      if (!(error instanceof Refusal)) throw error;
      after(retryDelay, () => {
        this.#underWay.delete(delivery.id);
        this.#changed();
      });
      return undefined;
    }
  }

  #releaseIdlers(): void {
    const idlers = this.#idlers;
    this.#idlers = [];
    for (const release of idlers) release();
  }
}

/** How much later a fault has a delivery come, in ms on the tenant's clock. */
function laterBy(fault: DeliveryFault): number | undefined {
  if (fault.kind === 'delay') return fault.by;
  return fault.kind === 'reorder' ? longestHeld : undefined;
}
