/** Plays the points of a plan, each in a run of its own, and keeps what every run showed. */
import { availableParallelism } from 'node:os';
import { monotonicNow } from '../core/time/clock.ts';
import { Capacity } from './scheduling/capacity.ts';
import type { PolicySpec } from '../scenario/policy-schema.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import { Reference } from '../verdict/state/reference.ts';
import { Coverage } from './coverage.ts';
import type { PointFate } from './coverage.ts';
import { killId } from './experiment.ts';
import type { Experiment } from './experiment.ts';
import { learn } from './learn.ts';
import type { KeptRun, Learned } from './learn.ts';
import { Limiter } from './scheduling/limiter.ts';
import { outcomeOf } from './outcome.ts';
import type { LearnedBasis } from './past.ts';
import { Patience } from './patience.ts';
import { Plan } from './plan.ts';
import { probeOf } from './probes.ts';
import { maxUndecided, runExperiment } from './run.ts';
import type { ExploredClient, RunContext, RunResult } from './run.ts';
import { PassedRuns, varyAssumptions } from './vary.ts';
import type { FoundBefore, Variation } from './vary.ts';

/** Says whether a point is played. It is asked in the order of the plan, which is the same each time. */
export type PointSelection = (point: string, experiment: Experiment) => boolean;

export interface SuiteSettings {
  /** Sets the highest level of faults, from 1 to 5. */
  readonly levels: number;
  /** True to kill the client too, at every call. */
  readonly kills: boolean;
  /** Limits the runs side by side: there are fewer while the machine does not keep up. */
  readonly jobs: number;
  /** Sets the time after which no run is begun, in ms; none by default. */
  readonly budget?: number | undefined;
  /** Returns the selection, once it is known what the client does and what can go wrong. */
  readonly select: (points: readonly PointFate[]) => PointSelection;
  /** True to run what failed, and what passed, under every variant of its assumptions (default: false). */
  readonly vary?: boolean | undefined;
  /** Sets how often a run that shows something wrong is made again, to see whether it always does; never by default. */
  readonly repetitions?: number | undefined;
  /** Is called after each run, with the number of those that are done. */
  readonly onRun?: ((done: number) => void) | undefined;
}

export interface Suite {
  /** Holds the run without faults. */
  readonly plain: RunResult;
  /** Holds what has become of every point; one that was not selected is not tried. */
  readonly points: readonly PointFate[];
  /** Holds the last run of each point that was played. */
  readonly results: ReadonlyMap<string, RunResult>;
  /** Counts, for points at which something wrong did not show each time, the runs that showed it. */
  readonly flaky: ReadonlyMap<string, { readonly shown: number; readonly of: number }>;
  /** Names what the runs rest on; undefined where there was no going on. */
  readonly basis: LearnedBasis | undefined;
  /** Says what depends on assumptions, if they were varied. */
  readonly variations: readonly Variation[];
  readonly policy: PolicySpec;
  readonly seed: number;
  readonly notes: readonly string[];
}

/** True when the verdict is not sure, or the request was not met that is to fail. */
const isUnsure = (result: RunResult): boolean => (outcomeOf(result) ?? 'INCONCLUSIVE') === 'INCONCLUSIVE';

/** Learns from the client and plays the plan; only learns, if the client fails without faults or sends nothing. */
export async function playSuite(client: ExploredClient, settings: SuiteSettings): Promise<Suite> {
  let runs = 0;
  const patience = new Patience();
  const run = async (
    experiment: Experiment,
    { number = ++runs, ...context }: Partial<RunContext> = {},
  ): Promise<KeptRun> => {
    const result = await runExperiment(client, experiment, { number, patience, reference: undefined, ...context });
    settings.onRun?.(runs);
    return result;
  };
  const { closeTenant } = client;
  const learned = await learn({ run: () => run({ title: 'without faults', level: 0, rules: [] }), closeTenant });
  const { first, comparesState, notes } = learned;
  const results = new Map<string, RunResult>();
  const flaky = new Map<string, { readonly shown: number; readonly of: number }>();
  let variations: readonly Variation[] = [];
  const coverage = new Coverage();
  if (canGoOn(learned)) {
    const capacity = new Capacity(settings.jobs);
    for (const { times } of [first, learned.second ?? first]) capacity.learn(times);
    const limiter = new Limiter({ limit: settings.jobs });
    const beginnings = new Limiter(capacity);
    const started = monotonicNow();
    const isOver = (): boolean => monotonicNow() - started > (settings.budget ?? Infinity);
    const expected = comparesState ? new Reference(first.tenant) : undefined;
    // A client that begins takes a processor; one that pauses, or waits for a response, takes none.
    const runInTurn = async (experiment: Experiment, reference = expected, number?: number): Promise<KeptRun> => {
      const begun = await beginnings.run(
        'begin',
        () =>
          new Promise<{ readonly ended: Promise<KeptRun> }>((resolve) => {
            const onBegun = (times: Parameters<Capacity['note']>[0]): void => {
              capacity.note(times);
              resolve({ ended });
            };
            const ended: Promise<KeptRun> = run(experiment, {
              reference,
              onBegun,
              ...(number !== undefined && { number }),
            });
            void ended.catch(() => undefined).then(() => resolve({ ended }));
          }),
      );
      return begun.ended;
    };
    const playOnce = async (experiment: Experiment, number?: number): Promise<RunResult> => {
      const result = await runInTurn(experiment, expected, number);
      closeTenant(result.tenant);
      return result;
    };
    const playUntilSure = async (experiment: Experiment, number?: number): Promise<RunResult> => {
      let result = await playOnce(experiment, number);
      for (let i = 1; i < maxUndecided && isUnsure(result); i++) result = await playOnce(experiment);
      return result;
    };
    const plan = new Plan(first.calls, {
      levels: settings.levels,
      isExhaustive: false,
      isAlone: true,
      kills: settings.kills && client.runKilled !== undefined,
      maxAttempts: scenarioOf(first.tenant).policy.maxAttempts,
      webhooks: first.webhooks,
      coverage,
    });
    const isSelected = settings.select(coverage.points());
    await plan.play(async (line, experiment) => {
      const point = pointOf(experiment);
      // A run about several points is left out: each of them has one of its own.
      if (coverage.statusOf(point) === undefined || !isSelected(point, experiment)) return undefined;
      const work = async (): Promise<RunResult | undefined> => {
        if (isOver()) return undefined;
        const result = await playUntilSure(experiment);
        const of = result.end.isTimedOut ? 0 : (settings.repetitions ?? 0);
        if (result.symptoms.length === 0 || of === 0) return result;
        let shown = 1;
        for (let i = 0; i < of; i++) if ((await playOnce(experiment)).symptoms.length > 0) shown++;
        if (shown <= of) flaky.set(point, { shown, of: of + 1 });
        return result;
      };
      const rank = lengthRank(experiment);
      const result = await (rank > 0 ? limiter.runFirst(work, rank) : limiter.run(line, work));
      if (!result) return undefined;
      results.set(point, result);
      if (!experiment.kill) coverage.note(result, ({ rule, endpoint }) => `${rule} ${endpoint}`);
      return result;
    });
    // Nothing else runs now.
    for (const [point, again] of await confirmFailures(results, {
      jobs: settings.jobs,
      isDoubtful: ({ times }) => capacity.wasShort(times),
      // In the place of the run that it is made for, under its number.
      play: async ({ experiment, number }) => (isOver() ? undefined : playUntilSure(experiment, number)),
    })) {
      results.set(point, again);
      if (outcomeOf(again) !== 'FAIL') flaky.delete(point);
    }
    if (settings.vary)
      variations = await varyAssumptions({
        clean: first,
        ...subjectsOf({ results, flaky }),
        inForce: (id) => first.tenant.settings.assumptions[id] ?? 'default',
        isFixed: (id) => client.fixedAssumptions?.includes(id) ?? false,
        run: (experiment, own) =>
          limiter.run('vary', () =>
            isOver() ? undefined : runInTurn(experiment, expected && own && new Reference(own)),
          ),
        closeTenant,
      });
  }
  const { policy } = scenarioOf(first.tenant);
  const { seed } = first.tenant.settings;
  closeTenant(first.tenant);
  return {
    plain: first,
    points: coverage.points(),
    results,
    flaky,
    variations,
    basis: learned.basis,
    policy,
    seed,
    notes,
  };
}

interface Confirmation {
  readonly isDoubtful: (result: RunResult) => boolean;
  readonly play: (result: RunResult) => Promise<RunResult | undefined>;
  /** Limits the runs side by side. */
  readonly jobs: number;
}

/**
 * Plays what failed and is doubtful again, and returns those runs: a few at once, and by itself what is doubtful even
 * then. What some other run shows too is believed.
 */
async function confirmFailures(
  results: ReadonlyMap<string, RunResult>,
  { isDoubtful, play, jobs }: Confirmation,
): Promise<ReadonlyMap<string, RunResult>> {
  const failed = [...results].filter(([, result]) => outcomeOf(result) === 'FAIL');
  const latest = new Map(failed);
  const played = new Map<string, RunResult>();
  const playAgain = async (atOnce: number): Promise<void> => {
    // Asked for when nothing runs: only then is it known which runs were held up.
    const believed = new Set([...latest.values()].filter((result) => isSureFailure(result)).flatMap(namesOf));
    const open = failed.filter(
      ([point, result]) =>
        isDoubtful(latest.get(point) ?? result) && !namesOf(result).every((name) => believed.has(name)),
    );
    const queue = open.values();
    const work = async (): Promise<void> => {
      for (const [point, result] of queue) {
        if (namesOf(result).every((name) => believed.has(name))) continue;
        const again = await play(result);
        if (!again) return;
        played.set(point, again);
        latest.set(point, again);
        if (atOnce === 1 && outcomeOf(again) === 'FAIL') for (const name of namesOf(again)) believed.add(name);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  };
  const isSureFailure = (result: RunResult): boolean => outcomeOf(result) === 'FAIL' && !isDoubtful(result);
  const fewAtOnce = Math.min(jobs, 2 * availableParallelism());
  if (fewAtOnce > 1) await playAgain(fewAtOnce);
  await playAgain(1);
  return played;
}

/** Compares points as people do, so that the same are chosen each time. */
const { compare } = new Intl.Collator('en', { numeric: true });

/** Returns what is varied: of what fails alike, and of what rests on the same assumption, the run with the fewest faults. */
function subjectsOf({ results, flaky }: Pick<Suite, 'results' | 'flaky'>): {
  readonly passed: PassedRuns;
  readonly findings: readonly FoundBefore[];
} {
  const passed = new PassedRuns();
  const found = new Map<string, FoundBefore>();
  for (const [point, result] of [...results].toSorted(([a], [b]) => compare(a, b))) {
    if (outcomeOf(result) === 'PASS') passed.note(result);
    const { hits, assumptions, experiment, symptoms } = result;
    for (const symptom of symptoms) {
      const id = `${symptom.rule} ${symptom.endpoint || symptom.title}`;
      if (hits.length >= (found.get(id)?.hits.length ?? Infinity)) continue;
      const reproduced = flaky.get(point) ?? { shown: 1, of: 1 };
      found.set(id, { ...symptom, id, hits, assumptions, kill: experiment.kill, reproduced });
    }
  }
  return { passed, findings: [...found.values()].toSorted((a, b) => compare(a.id, b.id)) };
}

/** True also for a client that breaks a rule without faults: it may break others with them. */
const canGoOn = ({ first: { end, calls } }: Learned): boolean =>
  !end.isTimedOut && end.failure === undefined && calls.length > 0;

const pointOf = ({ rules, webhooks = [], kill }: Experiment): string =>
  kill ? killId(kill) : [...rules, ...webhooks].map(({ spec }) => spec.id).join(' then ');

/** Names what is wrong in a run. */
const namesOf = ({ symptoms, end }: RunResult): string[] => [
  ...symptoms.map(({ rule, endpoint }) => `${rule} ${endpoint}`),
  ...(end.isTimedOut ? ['end'] : []),
];

/** Ranks runs by how long the client will pause, or wait for its own time-outs: the longest come first. */
function lengthRank({ level, rules }: Experiment): number {
  // What is tried next depends on how often the client tries then.
  if (level === 2) return rules.some(({ spec }) => spec.times === undefined) ? 5 : 4;
  const kinds = rules.map(({ probe }) => probeOf(probe).kind);
  if (kinds.includes('hang')) return 3;
  if (level === 3) return 2;
  return kinds.includes('throttled') ? 1 : 0;
}
