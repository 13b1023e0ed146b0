/** Runs the client once in a tenant of its own, waits until it is quiet, and judges it. */
import { pushAll } from '../core/lib/collections.ts';
import { assumptionsOf } from '../core/exchange/exchange.ts';
import type { Exchange } from '../core/exchange/exchange.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { monotonicNow, sleepFor } from '../core/time/clock.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import { judgeScenario, pointMasterCheck } from '../verdict/judge.ts';
import { isRetryable, toAttempt } from '../verdict/history/attempt.ts';
import { policyWithDefaults } from '../verdict/policy.ts';
import type { Reference } from '../verdict/state/reference.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { OperationJson } from '../verdict/verdict-json.ts';
import { Activity } from './activity.ts';
import { armKill, asLossOverRestart } from './kills.ts';
import type { KillSignal } from './kills.ts';
import { hitsIn, pointId } from './experiment.ts';
import type { Experiment, Hit } from './experiment.ts';
import { Patience } from './patience.ts';
import { isRecoverable, incidentOf } from './probes.ts';
import {
  isDoneAtLeastOnce,
  differencesFrom,
  doubtsOf,
  failedChecks,
  neverEnds,
  symptomsOf,
  waitsForGood,
} from './symptoms.ts';
import type { StateExtent, Symptom } from './symptoms.ts';
import { judgePointMaster, WebhookWatch, webhookHitsIn, webhooksOf } from './webhook-runs.ts';
import type { WebhookPlace } from './webhook-runs.ts';
import { traceOf } from './trace.ts';
import type { Call } from './trace.ts';

/** Says how the client ended: by itself, with a failure of its own, or not in time. */
export interface ClientEnd {
  /** Holds what the client said when it failed: an error, or its exit code. */
  readonly failure?: string | undefined;
  readonly isTimedOut?: boolean;
  /** True when it was ended sooner, because it waited for a response that never came. */
  readonly isWaiting?: boolean;
}

/** Describes the simulator and the client, as exploring needs them. */
export interface ExploredClient {
  /** Makes a tenant from the same start as all others, with these assumptions in place of those in force. */
  readonly openTenant: (run: number, assumptions?: Readonly<Record<string, string>>) => Tenant | Promise<Tenant>;
  readonly closeTenant: (tenant: Tenant) => void;
  /** Runs the client against a tenant, and resolves when it has ended, or was ended because of the signal. */
  readonly run: (tenant: Tenant, run: number, stop: AbortSignal) => Promise<ClientEnd>;
  /**
   * Runs the client, kills it when that moment is reached, and runs it again with the same files; resolves when that
   * has ended. Only a client that is a program can be killed.
   */
  readonly runKilled?: (tenant: Tenant, run: number, kill: KillSignal) => Promise<ClientEnd>;
  /** Names assumptions that somebody else relies on too, so that they can't be varied. */
  readonly fixedAssumptions?: readonly string[] | undefined;
}

export interface RunResult {
  readonly number: number;
  readonly experiment: Experiment;
  readonly end: ClientEnd;
  readonly verdict: Verdict;
  readonly calls: readonly Call[];
  /** Holds the webhooks that were delivered. */
  readonly webhooks: readonly WebhookPlace[];
  /** True when the client was killed and started again, as was planned. */
  readonly isKilled: boolean;
  /** Holds every fault that hit, in order. */
  readonly hits: readonly Hit[];
  readonly symptoms: readonly Symptom[];
  /** Holds why the run proves nothing about these points, by their ids. */
  readonly doubts: ReadonlyMap<string, string>;
  /** Names the assumptions that the responses rested on. */
  readonly assumptions: ReadonlySet<string>;
  /** Holds the duration in ms. */
  readonly ms: number;
  readonly times: RunTimes;
}

/** Holds moments of a run, on the machine's own clock in ms. */
export interface RunTimes {
  /** The client was begun. */
  readonly from: number;
  /** Its first request arrived; undefined when it sent none. */
  readonly firstAt: number | undefined;
  /** It had ended. */
  readonly to: number;
}

export interface RunContext {
  readonly number: number;
  /** Holds the run without faults, where its state may serve as what is expected. */
  readonly reference: Reference | undefined;
  /** Is the same for all runs of a client (default: one for this run). */
  readonly patience?: Patience;
  /** Is called when the first request arrives. */
  readonly onBegun?: ((times: Pick<RunTimes, 'from' | 'firstAt'>) => void) | undefined;
  /** Hears of the tenant of the run before the client is run. */
  readonly onOpened?: ((tenant: Tenant) => void) | undefined;
}

/** Limits how often a run is made whose verdict is not sure. */
export const maxUndecided = 3;

/** Runs the client once with these faults. The tenant is handed over: whoever calls closes it. */
export async function runExperiment(
  client: ExploredClient,
  experiment: Experiment,
  { number, reference, patience = new Patience(), onBegun, onOpened }: RunContext,
): Promise<RunResult & { readonly tenant: Tenant }> {
  const started = monotonicNow();
  const tenant = await client.openTenant(number, experiment.assumptions);
  onOpened?.(tenant);
  const scenario = scenarioOf(tenant);
  // Each is put before those that were added earlier.
  for (const { spec } of experiment.rules.toReversed()) scenario.faults.add(spec);
  for (const { spec } of experiment.webhooks?.toReversed() ?? []) scenario.webhooks.add(spec);
  const isHurried = (experiment.webhooks ?? []).length > 0;
  const watch = new WebhookWatch(tenant);
  if (isHurried) watch.hurry();
  const kill = experiment.kill && armKill(tenant, experiment.kill);
  const waiting = new AbortController();
  const endWatch = patience.watch(tenant, experiment, waiting);
  const from = monotonicNow();
  const unsubscribe = tenant.journal.opened.subscribe(({ startedAt: firstAt }) => {
    unsubscribe();
    onBegun?.({ from, firstAt });
  });
  const ended =
    kill && client.runKilled
      ? await client.runKilled(tenant, number, kill)
      : await client.run(tenant, number, waiting.signal);
  endWatch();
  unsubscribe();
  const end: ClientEnd = waiting.signal.aborted ? { isTimedOut: true, isWaiting: true } : ended;
  const to = monotonicNow();
  tenant.releaseHeldRequests();
  await watch.settle({ isHurried });
  await settle(tenant);
  const restartedAfter = kill?.restartedAfter();
  const onlyClient = restartedAfter === undefined ? undefined : { name: 'the client', restartedAfter };
  const verdict = judgeScenario(tenant, { clientEnded: end.isTimedOut !== true, onlyClient });
  const calls = traceOf(tenant);
  const webhookHits = webhookHitsIn(tenant, experiment);
  const hits = [...hitsIn(calls, experiment), ...webhookHits];
  const pointMaster = judgePointMaster(tenant, hits);
  const places = new Map(calls.map((call) => [call.exchange.id, call]));
  const isBeforeRestart = (request: string): boolean =>
    (places.get(request)?.exchange.number ?? Infinity) <= (restartedAfter ?? 0);
  const symptoms = [
    ...verdict.operations
      .flatMap((operation) => symptomsOf(operation, { places, experiment }))
      .map((symptom) => asLossOverRestart(symptom, isBeforeRestart)),
    ...failedChecks(verdict).filter(({ title }) => title !== pointMasterCheck),
    ...pointMaster.symptoms,
    ...(end.isTimedOut && experiment.rules.length <= fewRules && isUsedUp(tenant)
      ? [neverEnds(hits, end.isWaiting ? waitsForGood : undefined)]
      : []),
  ];
  // A client that was killed has done everything in the end; its last attempts before that need not have come through.
  const isDone = onlyClient !== undefined || verdict.operations.every(isDoneWith);
  let isStateAsMeant = false;
  if (reference && symptoms.length === 0 && isDone) {
    const extent = extentOf(hits, onlyClient !== undefined || verdict.operations.every(hasAnswer));
    const differences = differencesFrom(reference, tenant, { hits, extent });
    isStateAsMeant = extent === 'whole' && differences.length === 0;
    // What the work without faults did once was not meant to be done twice.
    const doubled = verdict.operations
      .filter(isDoneAtLeastOnce)
      .flatMap((operation) => symptomsOf(operation, { places, experiment }, 'inconclusive'));
    if (differences.length > 0) pushAll(symptoms, doubled.length > 0 ? doubled : differences);
  }
  return {
    number,
    experiment,
    end,
    verdict,
    calls,
    hits,
    isKilled: onlyClient !== undefined,
    symptoms,
    doubts: new Map([
      ...doubtsOf(verdict, { places, experiment, isStateAsMeant }),
      ...webhookHits.map((hit) => [pointId(hit), pointMaster.doubt ?? ''] as const).filter(([, doubt]) => doubt !== ''),
    ]),
    webhooks: webhooksOf(tenant),
    assumptions: new Set([...tenant.journal.exchanges()].flatMap(assumptionsOf)),
    ms: monotonicNow() - started,
    times: { from, firstAt: calls[0]?.exchange.startedAt, to },
    tenant,
  };
}

/** Returns how much of the state has to be as without faults. */
function extentOf(hits: readonly Hit[], hasAnswers: boolean): StateExtent {
  if (!hits.every(({ probe }) => isRecoverable(incidentOf(probe)))) return 'contacts';
  return hasAnswers ? 'whole' : 'not-more';
}

/** After more faults than this a client may need longer than a run is given. */
const fewRules = 2;

/** True when no fault of the run can hit any more. */
const isUsedUp = (tenant: Tenant): boolean => scenarioOf(tenant).rules.every(({ rule, fired }) => fired >= rule.limit);

/** Limits the wait for a client that may still send something, in ms. */
const maxSettle = 5000;

/** Sets the time between two looks at requests that are in flight, in ms. */
const settleInterval = 10;

/**
 * Waits until requests have ended, a client with something left to do has been quiet for its longest pause, and the
 * fallback of what it has not done is due: otherwise it would depend on the speed of the client whether it is judged.
 */
async function settle(tenant: Tenant): Promise<void> {
  const begun = monotonicNow();
  const { minBackoff, storeAndForwardAfter } = policyWithDefaults(scenarioOf(tenant).policy);
  const declared = Math.max(0, ...minBackoff);
  const activity = new Activity(tenant.journal);
  let seen: readonly Exchange[] | undefined;
  // The time that the client has to be quiet for; none when it has nothing left to do.
  let pause: number | undefined;
  let dueAt = -Infinity;
  for (;;) {
    const { exchanges, isInFlight } = activity;
    if (exchanges !== seen && !isInFlight) {
      pause = hasOpenWork(exchanges) ? Math.max(declared, longestPause(exchanges)) : undefined;
      dueAt = fallbackDueAt(tenant, storeAndForwardAfter);
    }
    seen = isInFlight ? undefined : exchanges;
    const now = monotonicNow();
    const quietFor = now - Math.max(begun, activity.lastAt);
    const isDone = !isInFlight && (pause === undefined || quietFor > pause) && now > dueAt;
    const left = maxSettle - (now - begun);
    if (isDone || left < 0) return;
    // A pause is slept through; when a request ends is not known.
    const quietLeft = isInFlight ? 0 : Math.max((pause ?? 0) - quietFor, dueAt - now);
    await sleepFor(Math.max(settleInterval, Math.min(quietLeft, left)));
  }
}

/**
 * Returns when the declared fallback is due for every write whose last attempt failed, on the machine's own clock in ms;
 * -Infinity where there is none, or where that takes longer than anybody waits for a client.
 */
function fallbackDueAt(tenant: Tenant, after: number | undefined): number {
  if (after === undefined || after > maxSettle) return -Infinity;
  const last = new Map(traceOf(tenant).map((call) => [`${call.endpoint}#${call.operation}`, call]));
  return [...last.values()].reduce((due, { retry, exchange }) => {
    const attempt = toAttempt(exchange);
    const isOpen = retry !== 'safe' && isRetryable(attempt);
    return isOpen ? Math.max(due, (attempt.end ?? attempt.start) + after) : due;
  }, -Infinity);
}

/** True when the last attempt of some request failed in a way that a client may still repeat. */
function hasOpenWork(exchanges: readonly Exchange[]): boolean {
  const last = new Map(exchanges.map((exchange) => [`${exchange.method} ${exchange.path}${exchange.query}`, exchange]));
  return [...last.values()].some((exchange) => isRetryable(toAttempt(exchange)));
}

/** Returns the longest time between two requests, in ms. */
const longestPause = (exchanges: readonly Exchange[]): number =>
  exchanges.reduce(
    (longest, { startedAt }, i) => Math.max(longest, startedAt - (exchanges[i - 1]?.startedAt ?? startedAt)),
    0,
  );

/** True for a read, and for a write that the verdict knows to be done, perhaps too often: by its response, or by a look. */
const isDoneWith = (operation: OperationJson): boolean =>
  operation.retry === 'safe' || operation.verdict === 'PASS' || isDoneAtLeastOnce(operation);

/** True when the client got a response in the end, where it asked for something. */
const hasAnswer = ({ retry, attempts }: OperationJson): boolean => {
  const last = attempts.at(-1);
  return retry !== 'safe' || last === undefined || !(isRetryable(last) || last.outcome === 'in-flight');
};
