/** Plays the points of a plan, each in a run of its own, and keeps what every run showed. */
import { monotonicNow } from '../core/time/clock.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import { Coverage } from './coverage.ts';
import type { PointFate } from './coverage.ts';
import { killId } from './experiment.ts';
import type { Experiment } from './experiment.ts';
import { learn } from './learn.ts';
import type { KeptRun, Learned } from './learn.ts';
import { Limiter } from './limiter.ts';
import { Plan } from './plan.ts';
import { probeOf } from './probes.ts';
import { runExperiment } from './run.ts';
import type { ExploredClient, RunResult } from './run.ts';

/** Says whether a point is played. It is asked in the order of the plan, which is the same each time. */
export type PointSelection = (point: string, experiment: Experiment) => boolean;

export interface SuiteSettings {
  /** From 1 to 4. */
  readonly levels: number;
  /** True to kill the client too, at every call. */
  readonly kills: boolean;
  /** Number of runs side by side. */
  readonly jobs: number;
  /** Time after which no run is begun, in ms; none by default. */
  readonly budget?: number | undefined;
  /** Returns the selection, once it is known what the client does and what can go wrong. */
  readonly select: (points: readonly PointFate[]) => PointSelection;
  /** Called after each run, with the number of those that are done. */
  readonly onRun?: ((done: number) => void) | undefined;
}

export interface Suite {
  /** Holds the run without faults. */
  readonly plain: RunResult;
  /** Holds what has become of every point; one that was not selected is not tried. */
  readonly points: readonly PointFate[];
  /** Holds the last run of each point that was played. */
  readonly results: ReadonlyMap<string, RunResult>;
  readonly notes: readonly string[];
}

/** Learns from the client and plays the plan; only learns, if the client fails without faults or sends nothing. */
export async function playSuite(client: ExploredClient, settings: SuiteSettings): Promise<Suite> {
  let runs = 0;
  const run = async (experiment: Experiment, reference?: KeptRun): Promise<KeptRun> => {
    const result = await runExperiment(client, experiment, { number: ++runs, reference: reference?.tenant });
    settings.onRun?.(runs);
    return result;
  };
  const { closeTenant } = client;
  const learned = await learn({ run: () => run({ title: 'without faults', level: 0, rules: [] }), closeTenant });
  const { first, comparesState, notes } = learned;
  const results = new Map<string, RunResult>();
  const coverage = new Coverage();
  if (canGoOn(learned)) {
    const limiter = new Limiter(settings.jobs);
    const started = monotonicNow();
    const plan = new Plan(first.calls, {
      levels: settings.levels,
      isExhaustive: false,
      isAlone: true,
      kills: settings.kills && client.runKilled !== undefined,
      maxAttempts: scenarioOf(first.tenant).policy.maxAttempts,
      coverage,
    });
    const isSelected = settings.select(coverage.points());
    await plan.play(async (line, experiment) => {
      const point = pointOf(experiment);
      if (!isSelected(point, experiment)) return undefined;
      const work = async (): Promise<RunResult | undefined> => {
        if (monotonicNow() - started > (settings.budget ?? Infinity)) return undefined;
        const result = await run(experiment, comparesState ? first : undefined);
        closeTenant(result.tenant);
        return result;
      };
      const result = await (isLong(experiment) ? limiter.runFirst(work) : limiter.run(line, work));
      if (!result) return undefined;
      results.set(point, result);
      if (!experiment.kill) coverage.note(result, ({ rule, endpoint }) => `${rule} ${endpoint}`);
      return result;
    });
  }
  closeTenant(first.tenant);
  return { plain: first, points: coverage.points(), results, notes };
}

/** True also for a client that breaks a rule without faults: it may break others with them. */
const canGoOn = ({ first: { end, calls } }: Learned): boolean =>
  !end.isTimedOut && end.failure === undefined && calls.length > 0;

const pointOf = ({ rules, kill }: Experiment): string =>
  kill ? killId(kill) : rules.map(({ spec }) => spec.id).join(' then ');

/** True for a run in which the client waits for its own time-outs, or pauses again and again: these come first. */
const isLong = ({ level, rules }: Experiment): boolean =>
  level === 2 || level === 3 || rules.some(({ probe }) => probeOf(probe).kind === 'hang');
