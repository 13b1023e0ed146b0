/** Runs the client once in a tenant of its own, waits until it is quiet, and judges it. */
import type { Exchange } from '../core/exchange/exchange.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { monotonicNow, startTimer } from '../core/time/clock.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import { judgeScenario } from '../verdict/judge.ts';
import { isRetryable, toAttempt } from '../verdict/history/attempt.ts';
import { policyWithDefaults } from '../verdict/policy.ts';
import { checkReference } from '../verdict/state/reference.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { OperationJson } from '../verdict/verdict-json.ts';
import { hitsIn, pointId } from './experiment.ts';
import type { Experiment, Hit } from './experiment.ts';
import { isRecoverable, probeOf } from './probes.ts';
import { traceOf } from './trace.ts';
import type { Call } from './trace.ts';

/** Says how the client ended: by itself, with a failure of its own, or not in time. */
export interface ClientEnd {
  /** Holds what the client said when it failed: an error, or its exit code. */
  readonly failure?: string | undefined;
  readonly isTimedOut?: boolean;
}

/** The simulator and the client, as exploring needs them. */
export interface ExploredClient {
  /** Makes a tenant from the same start as all others. */
  readonly openTenant: (run: number) => Tenant;
  readonly closeTenant: (tenant: Tenant) => void;
  /** Runs the client against a tenant, and resolves when it has ended. */
  readonly run: (tenant: Tenant, run: number) => Promise<ClientEnd>;
}

/** Something that is wrong with the client, as one run shows it. */
export interface Symptom {
  /** R1 to R16; `state` for a state that differs from that without faults, `check` for an expectation, `end` for a client that does not end. */
  readonly rule: string;
  readonly title: string;
  /** Names the endpoint of the operation; empty where it is about none. */
  readonly endpoint: string;
  readonly message: string;
  readonly advice: string;
  /** Ids of requests in the journal of the run. */
  readonly requests: readonly string[];
  /** Holds the faults that hit the operation. */
  readonly hits: readonly Hit[];
}

export interface RunResult {
  readonly number: number;
  readonly experiment: Experiment;
  readonly end: ClientEnd;
  readonly verdict: Verdict;
  readonly calls: readonly Call[];
  /** Holds every fault that hit, in order. */
  readonly hits: readonly Hit[];
  readonly symptoms: readonly Symptom[];
  /** Holds why the run proves nothing about these points, by their ids. */
  readonly doubts: ReadonlyMap<string, string>;
  /** Duration in ms. */
  readonly ms: number;
}

export interface RunContext {
  readonly number: number;
  /** The tenant of the run without faults, where its state may serve as what is expected. */
  readonly reference: Tenant | undefined;
}

/** Runs the client once with these faults. The tenant is handed over: whoever calls closes it. */
export async function runExperiment(
  client: ExploredClient,
  experiment: Experiment,
  { number, reference }: RunContext,
): Promise<RunResult & { readonly tenant: Tenant }> {
  const started = monotonicNow();
  const tenant = client.openTenant(number);
  const scenario = scenarioOf(tenant);
  // Each is put before those that were added earlier.
  for (const { spec } of experiment.rules.toReversed()) scenario.faults.add(spec);
  const end = await client.run(tenant, number);
  tenant.releaseHeldRequests();
  await settle(tenant);
  const verdict = judgeScenario(tenant, { clientEnded: end.isTimedOut !== true });
  const calls = traceOf(tenant);
  const hits = hitsIn(calls, experiment);
  const places = new Map(calls.map((call) => [call.exchange.id, call]));
  const symptoms = [
    ...verdict.operations.flatMap((operation) => symptomsOf(operation, { places, experiment })),
    ...failedChecks(verdict),
    ...(end.isTimedOut && experiment.rules.length <= fewRules && isUsedUp(tenant) ? [neverEnds(hits)] : []),
  ];
  const isClean = symptoms.length === 0 && verdict.operations.every(cameThrough);
  const state = reference && isClean && hits.every(({ probe }) => isRecoverable(probeOf(probe)));
  if (state) symptoms.push(...differencesFrom(reference, tenant, hits));
  return {
    number,
    experiment,
    end,
    verdict,
    calls,
    hits,
    symptoms,
    doubts: doubtsOf(verdict, { places, experiment }),
    ms: monotonicNow() - started,
    tenant,
  };
}

/** After more faults than this a client may need longer than a run is given. */
const fewRules = 2;

/** True when no fault of the run can hit any more. */
const isUsedUp = (tenant: Tenant): boolean => scenarioOf(tenant).rules.every(({ rule, fired }) => fired >= rule.limit);

/** Limits the wait for a client that may still send something, in ms. */
const maxSettle = 5000;

/** Waits until requests have ended, and a client with something left to do has been quiet for its longest pause. */
async function settle(tenant: Tenant): Promise<void> {
  const begun = monotonicNow();
  const declared = Math.max(0, ...policyWithDefaults(scenarioOf(tenant).policy).minBackoff);
  for (;;) {
    const exchanges = [...tenant.journal.exchanges()];
    const isInFlight = exchanges.some(({ finishedAt }) => finishedAt === undefined);
    const last = exchanges.at(-1);
    const quietFor = monotonicNow() - Math.max(begun, last?.finishedAt ?? last?.startedAt ?? 0);
    const isDone = !isInFlight && (!hasOpenWork(exchanges) || quietFor > Math.max(declared, longestPause(exchanges)));
    if (isDone || monotonicNow() - begun > maxSettle) return;
    await new Promise<void>((resolve) => void startTimer(10, resolve));
  }
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

interface OperationContext {
  readonly places: ReadonlyMap<string, Call>;
  readonly experiment: Experiment;
}

const hitsOn = ({ attempts }: OperationJson, { places, experiment }: OperationContext): Hit[] =>
  hitsIn(
    attempts.flatMap(({ request }) => {
      const call = places.get(request);
      return call ? [call] : [];
    }),
    experiment,
  );

function symptomsOf(operation: OperationJson, context: OperationContext): Symptom[] {
  return operation.findings
    .filter(({ level }) => level === 'fail')
    .map(({ rule, title, message, advice, requests }) => ({
      rule,
      title,
      endpoint: operation.endpoint ?? '',
      message,
      advice,
      requests,
      hits: hitsOn(operation, context),
    }));
}

const failedChecks = ({ checks }: Verdict): Symptom[] =>
  checks
    .filter(({ verdict }) => verdict === 'FAIL')
    .map(({ description, reason, requests }) => ({
      rule: 'check',
      title: description,
      endpoint: '',
      message: reason,
      advice: 'See what the scenario expects, and what the client sent.',
      requests,
      hits: [],
    }));

const neverEnds = (hits: readonly Hit[]): Symptom => ({
  rule: 'end',
  title: 'the client ends',
  endpoint: hits.at(-1)?.endpoint ?? '',
  message: 'the client had not ended in time',
  advice: 'Give every request a timeout, and every loop of retries an end.',
  requests: [],
  hits: hits.slice(-1),
});

/** True when the last attempt of an operation was answered for good. */
const cameThrough = ({ attempts }: OperationJson): boolean => attempts.at(-1)?.outcome === 'success';

/** Returns how the state differs from that of the run without faults: twice, missing, or on another contact. */
function differencesFrom(reference: Tenant, tenant: Tenant, hits: readonly Hit[]): Symptom[] {
  const { verdict, reason } = checkReference(tenant, reference);
  if (verdict !== 'FAIL') return [];
  return [
    {
      rule: 'state',
      title: 'the state is as without faults',
      endpoint: hits.at(-1)?.endpoint ?? '',
      message: reason,
      advice:
        'Every request came through in the end, and yet the work is not what it is without faults: see which request is repeated, left out, or sent with other content.',
      requests: [],
      hits,
    },
  ];
}

/** Returns why the verdict is not sure, for each point that it is not sure about. */
function doubtsOf({ operations }: Verdict, context: OperationContext): ReadonlyMap<string, string> {
  const doubts = new Map<string, string>();
  for (const operation of operations) {
    const [doubt] = operation.findings.filter(({ level }) => level === 'inconclusive');
    if (doubt && operation.verdict === 'INCONCLUSIVE')
      for (const hit of hitsOn(operation, context)) doubts.set(pointId(hit), doubt.message);
  }
  return doubts;
}
