/** Shows how far an exploration is. Nothing is put together unless somebody looks. */
import { Signal } from '../../core/lib/signal.ts';
import type { VerdictStatus } from '../../verdict/status.ts';
import type { Coverage, PointFate, PointStatus } from '../coverage.ts';
import type { Experiment } from '../experiment.ts';
import type { Phase } from '../report/coverage-table.ts';
import { phaseOf } from '../report/coverage-table.ts';
import type { ShownRuns } from './shown-runs.ts';

/** Names the stages in their order; `ended` is the last. */
type Stage = 'learning' | 'exploring' | 'shrinking' | 'varying' | 'ended';

/** A point that is still to be tried is `planned`, or `running` in a run that goes on. */
type LiveStatus = PointStatus | 'planned' | 'running';

interface LivePoint extends Omit<PointFate, 'status'> {
  readonly status: LiveStatus;
  readonly phase: Phase;
  /** Names the tenant of its run, as long as there is one. */
  readonly tenant?: string | undefined;
}

/** Describes a run that goes on. */
interface LiveRun {
  readonly run: number;
  readonly title: string;
  readonly tenant: string;
}

/** Describes something wrong with the client, in words. */
interface FindingWords {
  readonly id: string;
  readonly rule: string;
  readonly title: string;
  readonly endpoint: string;
  readonly message: string;
  readonly advice: string;
  /** Holds the faults in words. */
  readonly faults: string[];
  /** Names the points that show it. */
  readonly points: string[];
  /** True when these are the fewest and weakest faults that show it. */
  readonly shrunk: boolean;
}

export interface LiveState {
  readonly stage: Stage;
  /** Is known at the end. */
  readonly verdict: VerdictStatus | null;
  /** Says why, at the end. */
  readonly reason: string | null;
  /** Counts the requests of a run without faults. */
  readonly requests: number;
  /** Counts the runs that were begun. */
  readonly runs: number;
  readonly points: LivePoint[];
  readonly findings: (FindingWords & { readonly tenant: string | null })[];
  readonly running: LiveRun[];
}

interface RunInProgress extends LiveRun {
  readonly experiment: Experiment;
}

/** Holds what it reads: both change while exploring goes on. */
interface LiveSources {
  readonly coverage: Coverage;
  readonly shown: ShownRuns;
}

export class LiveExploration {
  /** Is emitted when something has changed. */
  readonly changed = new Signal();
  readonly #sources: LiveSources;
  readonly #running = new Map<number, RunInProgress>();
  readonly #findings = new Map<string, FindingWords>();
  #stage: Stage = 'learning';
  #requests = 0;
  #runs = 0;
  #end: { readonly verdict: VerdictStatus; readonly reason: string } | undefined;

  constructor(sources: LiveSources) {
    this.#sources = sources;
  }

  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  enter(stage: Stage): void {
    this.#stage = stage;
    this.changed.emit();
  }

  /** Notes how many requests a run without faults sends. */
  learned(requests: number): void {
    this.#requests = requests;
    this.enter('exploring');
  }

  begin(run: number, experiment: Experiment, tenant: string): void {
    this.#runs = Math.max(this.#runs, run);
    this.#running.set(run, { run, title: experiment.title, tenant, experiment });
    this.changed.emit();
  }

  endRun(run: number): void {
    this.#running.delete(run);
    this.changed.emit();
  }

  /** Notes a finding; one that is shrunk takes the place of what was known before. */
  find(finding: FindingWords): void {
    this.#findings.set(finding.id, finding);
    this.changed.emit();
  }

  /** Takes back a finding that turned out to be another one. */
  drop(id: string): void {
    this.#findings.delete(id);
    this.changed.emit();
  }

  end(verdict: VerdictStatus, reason: string): void {
    this.#end = { verdict, reason };
    this.enter('ended');
  }

  state(): LiveState {
    const { coverage, shown } = this.#sources;
    const tenants = new Map([...this.#running.values()].flatMap((one) => idsOf(one).map((id) => [id, one.tenant])));
    const isPlanned = this.#stage === 'learning' || this.#stage === 'exploring';
    return {
      stage: this.#stage,
      verdict: this.#end?.verdict ?? null,
      reason: this.#end?.reason ?? null,
      requests: this.#requests,
      runs: this.#runs,
      points: coverage.points().map((fate): LivePoint => {
        const running = tenants.get(fate.id);
        const tenant = fate.status === 'found' ? shown.nameFor(fate.reason ?? '') : running;
        const status =
          fate.status !== 'not-tried' ? fate.status : running ? 'running' : isPlanned ? 'planned' : 'not-tried';
        return { ...fate, status, phase: phaseOf(fate), ...(tenant !== undefined && { tenant }) };
      }),
      findings: [...this.#findings.values()].map((one) => ({ ...one, tenant: shown.nameFor(one.id) ?? null })),
      running: [...this.#running.values()].map(({ run, title, tenant }) => ({ run, title, tenant })),
    };
  }
}

/** Returns the ids that the points of a run may have. */
const idsOf = ({ experiment: { title, rules, webhooks = [] } }: RunInProgress): string[] => [
  title,
  ...[...rules, ...webhooks].map(({ spec }) => spec.id),
];
