/** Follows the webhooks of a run: which ones were sent, what was done to them, and whether a point master took them right. */
import { advanceTo } from '../core/time/advance-time.ts';
import { monotonicNow, sleepFor } from '../core/time/clock.ts';
import { lagMonitor } from '../core/time/event-loop-lag.ts';
import { webhookDeliveries } from '../core/tenant/webhook-outbox.ts';
import type { WebhookDelivery } from '../core/tenant/webhook-outbox.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import { addPointsEvent, isPointFollower } from '../service/points/point-follower.ts';
import { pointMasterCheck } from '../verdict/judge.ts';
import { auditPointMaster } from '../webhooks/audit/audit.ts';
import { Activity } from './activity.ts';
import { hitOf } from './experiment.ts';
import type { Experiment, Hit } from './experiment.ts';
import type { Symptom } from './symptoms.ts';

/** Describes one webhook of a run: the same in every run of a client that does the same work. */
export type WebhookPlace = Omit<Hit, 'probe'>;

/** Returns the webhooks that were delivered, by their events, in the order in which they came about. */
export function webhooksOf(tenant: Tenant): WebhookPlace[] {
  const counts = new Map<string, number>();
  return deliveriesOf(tenant)
    .filter(({ status }) => status === 'delivered')
    .map(({ eventType: endpoint }) => {
      const operation = (counts.get(endpoint) ?? 0) + 1;
      counts.set(endpoint, operation);
      return { endpoint, operation, attempt: 1 };
    });
}

const deliveriesOf = (tenant: Tenant): WebhookDelivery[] => tenant.listRows(webhookDeliveries, 'all', 'all');

/** Returns the schedules that a run put into effect. */
export function webhookHitsIn(tenant: Tenant, { webhooks = [] }: Experiment): Hit[] {
  const fired = new Set(
    scenarioOf(tenant).webhooks.rules.flatMap(({ rule, fired: times }) => (times > 0 ? [rule.id] : [])),
  );
  return webhooks.filter(({ spec }) => fired.has(spec.id)).map(({ hit }) => hitOf(hit, hit.probe));
}

/** So long nothing goes on before it counts as quiet, in ms. */
const quietTime = 200;

/** A client that never stops asking is not waited for longer than this, in ms. */
const longestWait = 1000;

/** Limits the wait for webhooks at the end of a run, in ms. */
const maxSettle = 5000;

/** Watches the webhooks of a tenant while its client runs. */
export class WebhookWatch {
  readonly #tenant: Tenant;
  readonly #activity: Activity;
  readonly #stopWatching: () => void;
  readonly #stopMeasuringLag = lagMonitor.watch();
  #attemptedAt = monotonicNow();
  #isOver = false;
  #hurrying: Promise<void> = Promise.resolve();

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
    this.#activity = new Activity(tenant.journal);
    this.#stopWatching =
      tenant.webhookSender?.onExecuted(() => {
        this.#attemptedAt = monotonicNow();
      }) ?? (() => {});
  }

  /** Moves the tenant's clock to the next webhook that waits whenever it is quiet: nobody waits for real seconds. */
  hurry(): void {
    this.#hurrying = this.#hurry();
  }

  /** Waits until what is due has been sent, and its receiver is quiet; `isHurried` sends once what waits, too. */
  async settle({ isHurried }: { readonly isHurried: boolean }): Promise<void> {
    this.#isOver = true;
    await this.#hurrying;
    const sender = this.#tenant.webhookSender;
    const count = deliveriesOf(this.#tenant).length;
    if (sender && count > 0) {
      await this.#untilIdle();
      const waiting = deliveriesOf(this.#tenant).filter(({ status }) => status === 'pending').length;
      // A receiver that has ended gets no further attempt: it is not to blame for that.
      if (isHurried) for (let i = 0; i < waiting; i++) await this.#advance();
      await this.#untilQuiet();
    }
    this.#stopWatching();
    this.#stopMeasuringLag();
  }

  async #hurry(): Promise<void> {
    while (!this.#isOver) {
      await sleepFor(quietTime / 10);
      if (!this.#isOver && this.#isWaiting() && (this.#isQuiet() || this.#sinceAttempt() > longestWait))
        await this.#advance();
    }
  }

  /** True when a webhook waits for a time to come. */
  #isWaiting(): boolean {
    const { webhookSender: sender, clock } = this.#tenant;
    const dueAt = sender?.nextDue();
    return dueAt !== undefined && dueAt > clock.now();
  }

  async #advance(): Promise<void> {
    const { webhookSender: sender, clock } = this.#tenant;
    const dueAt = sender?.nextDue();
    if (dueAt !== undefined) await advanceTo(this.#tenant, Math.max(dueAt, clock.now()));
    this.#attemptedAt = monotonicNow();
  }

  #untilIdle = (): Promise<unknown> => Promise.race([this.#tenant.webhookSender?.idle(), sleepFor(maxSettle)]);

  async #untilQuiet(): Promise<void> {
    const begun = monotonicNow();
    while (!this.#isQuiet() && monotonicNow() - begun < maxSettle) await sleepFor(quietTime / 10);
  }

  #sinceAttempt = (): number => workingTimeSince(this.#attemptedAt);

  #isQuiet(): boolean {
    const { isInFlight, lastAt } = this.#activity;
    return !isInFlight && workingTimeSince(Math.max(this.#attemptedAt, lastAt)) > quietTime;
  }
}

/** Returns the time since a moment without that in which this process was kept from working: nobody was quiet then. */
function workingTimeSince(from: number): number {
  const now = monotonicNow();
  return now - from - lagMonitor.lagBetween(from, now);
}

interface PointMasterFindings {
  readonly symptoms: readonly Symptom[];
  /** Says why nothing is known for sure, if that is so. */
  readonly doubt: string | undefined;
}

/** Returns what is wrong with the point master of a tenant, by what it was sent and the balances that it set. */
export function judgePointMaster(tenant: Tenant, hits: readonly Hit[]): PointMasterFindings {
  if (!isPointFollower(tenant)) return { symptoms: [], doubt: undefined };
  const { adjustments, findings } = auditPointMaster(tenant);
  if (adjustments.total === 0) return { symptoms: [], doubt: undefined };
  const symptoms = findings
    .filter(({ level }) => level === 'fail')
    .map(({ kind, message }) => ({
      rule: kind,
      title: pointMasterCheck,
      endpoint: addPointsEvent,
      message,
      advice:
        'Book each webhook once, by its id, whenever and how often it arrives, and send a balance that includes it.',
      requests: [],
      hits,
    }));
  return { symptoms, doubt: findings.find(({ level }) => level === 'inconclusive')?.message };
}
