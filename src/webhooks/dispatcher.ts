import type { ExecutedJob } from '../core/time/scheduler.ts';
import { startTimer } from '../core/time/clock.ts';
import { finishInTurns } from '../core/time/steps.ts';
import type { Instant } from '../core/time/clock.ts';
import { webhookAttemptKind, webhookDeliveries, logicalClockSequence } from '../core/tenant/webhook-outbox.ts';
import type {
  DeliveryAttempt,
  WebhookAttempt,
  WebhookDelivery,
  WebhookFault,
  WebhookFaultPlan,
  WebhookSender,
} from '../core/tenant/webhook-outbox.ts';
import type { WebhookSettings } from '../core/tenant/settings.ts';
import { ApiError } from '../core/exchange/api-error.ts';
import { SideEffects } from '../core/exchange/exchange.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { applyAttempt } from './retry-schedule.ts';
import type { SendResult } from './sender.ts';

/** Holds the number of webhooks in flight at a time, so that a receiver is not flooded. */
const maxUnderWay = 10;
/** A delivery that waits for the next one is sent after this time on the tenant's clock, if there is none. */
const longestHeld = 5000;
/** Holds the pause before the next try if the result of an attempt could not be saved, in ms. */
const retryDelay = 1000;

/** Describes a fault that changes nothing but when a webhook is sent. */
type Postponement = Extract<WebhookFault, { readonly kind: 'delay' | 'reorder' }>;

interface DispatcherOptions {
  readonly tenant: Tenant;
  readonly webhook: WebhookSettings;
  /** Returns the `user-agent` of requests; called for the first of them. */
  readonly userAgent: () => string;
  /** Decides which faults hit the attempts. */
  readonly faults?: WebhookFaultPlan | undefined;
  /** Receives the delivery after each attempt. */
  readonly onAttempt?: ((delivery: WebhookDelivery) => void) | undefined;
}

/** Sends a tenant's deliveries when they are due, and records the results. */
export class Dispatcher implements WebhookSender {
  readonly #tenant: Tenant;
  readonly #webhook: WebhookSettings;
  readonly #userAgent: () => string;
  readonly #faults: WebhookFaultPlan | undefined;
  readonly #onAttempt: ((delivery: WebhookDelivery) => void) | undefined;
  /** Holds by id the delivery as it was when its attempt began. */
  readonly #inFlight = new Map<string, { readonly delivery: WebhookDelivery; readonly call: AbortController }>();
  /** Holds the ids of deliveries that wait until another was sent. */
  readonly #held = new Set<string>();
  readonly #watchers = new Set<(tried: ExecutedJob) => void>();
  #prepared: Promise<void> = Promise.resolve();
  #idlers: (() => void)[] = [];
  #isAwake = false;
  #isClosed = false;
  #cancelWake: () => void = () => {};
  readonly #stopWatching: () => void;

  constructor({ tenant, webhook, userAgent, faults, onAttempt }: DispatcherOptions) {
    this.#tenant = tenant;
    this.#webhook = webhook;
    this.#userAgent = userAgent;
    this.#faults = faults;
    this.#onAttempt = onAttempt;
    this.#stopWatching = tenant.onChange(() => this.#wake());
    this.#wake();
  }

  nextDue(): Instant | undefined {
    // A closed sender has nothing to wait for.
    if (this.#isClosed) return undefined;
    return this.#tenant.list(webhookDeliveries, 'pending', 'all').first()?.order;
  }

  idle(): Promise<void> {
    if (!this.#isBusy()) return Promise.resolve();
    this.#wake();
    return new Promise((resolve) => this.#idlers.push(resolve));
  }

  onExecuted(watcher: (tried: ExecutedJob) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Aborts attempts in flight; their deliveries stay pending for a later start of the tenant. */
  close(): void {
    this.#isClosed = true;
    this.#stopWatching();
    this.#cancelWake();
    for (const { call } of this.#inFlight.values()) call.abort();
    this.#inFlight.clear();
    this.#releaseIdlers();
  }

  #wake(): void {
    if (this.#isAwake || this.#isClosed) return;
    if (this.#inFlight.size === 0 && this.nextDue() === undefined) return;
    this.#isAwake = true;
    // Not at once: the request that brought this about gets its response first.
    setImmediate(() => this.#sendDue());
  }

  #isBusy(): boolean {
    if (this.#isClosed) return false;
    return this.#isAwake || this.#inFlight.size > 0 || this.#due(1).length > 0;
  }

  /** Returns the first deliveries that are due by now. */
  #due(count: number): WebhookDelivery[] {
    const now = this.#tenant.clock.now();
    const keys = this.#tenant.list(webhookDeliveries, 'pending', 'all').page(0, count);
    return keys.flatMap((key) => this.#tenant.get(webhookDeliveries, key) ?? []).filter(({ dueAt }) => dueAt <= now);
  }

  #sendDue(): void {
    this.#isAwake = false;
    if (this.#isClosed) return;
    this.#abortStale();
    for (const delivery of this.#due(maxUnderWay)) {
      if (this.#inFlight.size < maxUnderWay && !this.#inFlight.has(delivery.id)) void this.#attempt(delivery);
    }
    this.#armTimer();
    if (!this.#isBusy()) this.#releaseIdlers();
  }

  /** Aborts attempts whose delivery a reset or a snapshot has removed or replaced. */
  #abortStale(): void {
    for (const [id, { delivery, call }] of this.#inFlight) {
      if (this.#tenant.get(webhookDeliveries, id) === delivery) continue;
      this.#inFlight.delete(id);
      call.abort();
    }
  }

  #armTimer(): void {
    this.#cancelWake();
    const dueAt = this.#tenant.clock.isFrozen ? undefined : this.nextDue();
    if (dueAt === undefined) return;
    const delay = dueAt - this.#tenant.clock.now();
    // What is due already has its turn when something that is under way is over; unless a running clock came to it
    // since what is due was looked for, and nothing is under way.
    if (delay > 0 || this.#inFlight.size === 0) this.#cancelWake = startTimer(Math.max(0, delay), () => this.#wake());
  }

  async #attempt(delivery: WebhookDelivery): Promise<void> {
    const postponed = delivery.postponed?.attempts === delivery.attempts.length ? delivery.postponed : undefined;
    const call = new AbortController();
    const underWay = { delivery, call };
    this.#inFlight.set(delivery.id, underWay);
    const attempt = { delivery, tenant: this.#tenant };
    if (!postponed && this.#faults?.isSearch) {
      await this.#prepare(this.#faults, attempt, () => this.#inFlight.get(delivery.id) === underWay);
      if (this.#inFlight.get(delivery.id) !== underWay) return;
      // A reset may have come meanwhile, and nobody has looked since.
      if (this.#tenant.get(webhookDeliveries, delivery.id) !== delivery) {
        this.#inFlight.delete(delivery.id);
        return this.#wake();
      }
    }
    const fired = postponed ? undefined : this.#faults?.select(attempt, this.#tenant.now());
    if (fired && (fired.fault.kind === 'delay' || fired.fault.kind === 'reorder')) {
      this.#inFlight.delete(delivery.id);
      return this.#postpone(delivery, fired.fault, fired.rule);
    }
    const at = this.#tenant.clock.now();
    const before = this.#exchangeSequence();
    const results = await this.#send(delivery, call.signal, fired?.fault);
    if (this.#inFlight.get(delivery.id) !== underWay) return;
    const turns = [before, this.#exchangeSequence() + 1] as const;
    const shared = {
      at,
      turns,
      ...(fired && { rule: fired.rule }),
      ...(postponed && { rule: postponed.rule, fault: postponed.fault }),
    };
    if (
      !this.#recordAttempts(
        delivery,
        results.map((result) => Object.assign(result, shared)),
      )
    )
      return;
    this.#inFlight.delete(delivery.id);
    this.#wake();
    if (!this.#isBusy()) this.#releaseIdlers();
  }

  /** Prepares the selection of faults for one attempt after another: rules count them in the order in which they are due. */
  #prepare(faults: WebhookFaultPlan, attempt: DeliveryAttempt, isWanted: () => boolean): Promise<void> {
    const prepared = this.#prepared.then(() => (isWanted() ? finishInTurns(faults.prepare(attempt)) : undefined));
    this.#prepared = prepared.catch(() => {});
    return prepared;
  }

  #exchangeSequence(): number {
    return this.#tenant.state.sequences[logicalClockSequence] ?? 0;
  }

  async #send(
    delivery: WebhookDelivery,
    signal: AbortSignal,
    fault: WebhookFault | undefined,
  ): Promise<readonly SendResult[]> {
    const { sendWebhook: send } = await import('./sender.ts');
    const { name, settings } = this.#tenant;
    const userAgent = this.#userAgent();
    const { seed, assumptions } = settings;
    return send({ tenant: name, seed, assumptions, webhook: this.#webhook, userAgent, delivery, signal, fault });
  }

  /** Returns false when the attempts could not be saved; they are tried again later. */
  #recordAttempts(delivery: WebhookDelivery, attempts: readonly WebhookAttempt[]): boolean {
    // A reset may have come while this was under way, and nobody has looked since.
    if (this.#tenant.get(webhookDeliveries, delivery.id) !== delivery) return true;
    const { clock, settings } = this.#tenant;
    const circumstances = { now: clock.now(), assumptions: settings.assumptions };
    const next = attempts.reduce((tried, attempt) => applyAttempt(tried, attempt, circumstances), delivery);
    const outcome = this.#commit(delivery, () => {
      this.#tenant.next(logicalClockSequence);
      this.#tenant.put(webhookDeliveries, next);
      this.#releaseHeld();
    });
    if (!outcome) return false;
    this.#onAttempt?.(next);
    this.#emitAttempt(next, outcome);
    return true;
  }

  #emitAttempt({ id, exchange, attempts }: WebhookDelivery, outcome: SideEffects): void {
    const job = { id, kind: webhookAttemptKind, exchange };
    const tried = { at: this.#tenant.clock.now(), job, sideEffects: outcome, error: attempts.at(-1)?.error };
    for (const watcher of this.#watchers) watcher(tried);
  }

  #postpone(delivery: WebhookDelivery, fault: Postponement, rule: string): void {
    const dueAt = this.#tenant.clock.now() + (fault.kind === 'delay' ? fault.by : longestHeld);
    const postponed = { attempts: delivery.attempts.length, fault: fault.kind, rule };
    this.#commit(delivery, () => this.#tenant.put(webhookDeliveries, { ...delivery, dueAt, postponed }));
    if (fault.kind === 'reorder') this.#held.add(delivery.id);
  }

  /** Makes deliveries due that waited for another to be sent. */
  #releaseHeld(): void {
    for (const id of this.#held) {
      const held = this.#tenant.get(webhookDeliveries, id);
      if (held?.status === 'pending') this.#tenant.put(webhookDeliveries, { ...held, dueAt: this.#tenant.now() });
    }
    this.#held.clear();
  }

  /** Returns the effects of the work; undefined when it could not be saved. */
  #commit(delivery: WebhookDelivery, work: () => void): SideEffects | undefined {
    const outcome = new SideEffects();
    try {
      this.#tenant.transact(outcome, work, delivery.exchange);
      return outcome;
    } catch (error) {
      // A commit that couldn't be saved: whoever saves has reported it.
      if (!(error instanceof ApiError)) throw error;
      startTimer(retryDelay, () => {
        this.#inFlight.delete(delivery.id);
        this.#wake();
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
