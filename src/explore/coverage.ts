/** Keeps what has become of every point: tried, equal to one that was, out of reach, or left. */
import { pointId } from './experiment.ts';
import type { Hit } from './experiment.ts';
import type { RunResult } from './run.ts';
import type { Symptom } from './symptoms.ts';
import type { Call } from './trace.ts';

/**
 * `together` was tried in a run with other faults. `kept` was tried in an earlier exploration, and nothing has changed.
 * `undecided`: the verdict of its run was not sure.
 */
export type PointStatus =
  | 'found'
  | 'tried'
  | 'together'
  | 'kept'
  | 'equivalent'
  | 'undecided'
  | 'unreachable'
  | 'not-tried';

/** Says what has become of one point. */
export interface PointFate {
  readonly id: string;
  readonly level: number;
  readonly status: PointStatus;
  /** Names the run that tried it, or the one that stands for it. */
  readonly run?: number | undefined;
  /** Counts the attempts that the operation took in the first run that tried it. */
  readonly attempts?: number | undefined;
  /** Names the point that stands for it. */
  readonly witness?: string | undefined;
  /** Says why, where the status does not. */
  readonly reason?: string | undefined;
  /** Names all that the run which tried it has found there, each by its rule first. */
  readonly broken?: readonly string[] | undefined;
}

/** Describes something that one run showed, and none of its repetitions. */
interface Unconfirmed extends Pick<Symptom, 'rule' | 'endpoint'> {
  readonly firstRun: number;
  readonly reproduced: { readonly shown: number; readonly of: number };
}

export type CoverageSummary = Readonly<Record<PointStatus | 'points', number>>;

/** Says which status outweighs which, when several runs have met a point. */
const weight: Readonly<Record<PointStatus, number>> = {
  found: 7,
  tried: 6,
  together: 5,
  kept: 4,
  undecided: 3,
  equivalent: 2,
  unreachable: 1,
  'not-tried': 0,
};

export class Coverage {
  readonly #fates = new Map<string, PointFate>();
  /** Holds those that are still to be tried. */
  readonly #open = new Set<string>();

  get size(): number {
    return this.#fates.size;
  }

  /** Counts the points that are still to be tried. */
  get remaining(): number {
    return this.#open.size;
  }

  /** Lists the points that are still to be tried. */
  open(): string[] {
    return [...this.#open];
  }

  /** Adds a point that is to be tried. */
  add(id: string, level: number): void {
    if (this.#fates.has(id)) return;
    this.#fates.set(id, { id, level, status: 'not-tried' });
    this.#open.add(id);
  }

  /** Adds a point for which another one stands. */
  addEquivalent(
    id: string,
    level: number,
    { witness, reason }: { readonly witness: string; readonly reason: string },
  ): void {
    if (!this.#fates.has(id)) this.#fates.set(id, { id, level, status: 'equivalent', witness, reason });
  }

  fateOf(id: string): PointFate | undefined {
    return this.#fates.get(id);
  }

  statusOf(id: string): PointStatus | undefined {
    return this.#fates.get(id)?.status;
  }

  /** Sets what has become of a point, unless something weightier is known. */
  settle(id: string, fate: Omit<PointFate, 'id' | 'level'>): void {
    const known = this.#fates.get(id);
    if (!known || weight[fate.status] <= weight[known.status]) return;
    this.#open.delete(id);
    const { attempts = fate.attempts } = known;
    this.#fates.set(id, { id, level: known.level, ...fate, ...(attempts !== undefined && { attempts }) });
  }

  /** Notes what a run says of the single faults that it met. */
  note(result: RunResult, nameOf: (symptom: Symptom) => string): void {
    const { hits, calls, symptoms, doubts, number: run } = result;
    const isAlone = hits.length === 1;
    for (const hit of hits) {
      const id = pointId(hit);
      const broken = symptoms.filter((symptom) => symptom.hits.some((one) => pointId(one) === id)).map(nameOf);
      const outcome = outcomeOf({ broken, doubt: doubts.get(id), isAlone });
      this.settle(id, { run, attempts: attemptsOf(hit, calls), ...outcome });
    }
  }

  /** Leaves open what a run has found at its points, because it did not show again. */
  takeBack({ rule, endpoint, firstRun, reproduced: { shown, of } }: Unconfirmed): void {
    const name = `${rule} ${endpoint}`;
    const reason = `${name} showed in run ${firstRun}, and again ${shown} of ${of} times: its cause is unknown`;
    for (const { broken = [], ...fate } of this.#fates.values()) {
      if (fate.status !== 'found' || fate.run !== firstRun) continue;
      const others = broken.filter((one) => !one.startsWith(name));
      const rest = others.at(-1);
      if (others.length === broken.length) continue;
      const left = rest === undefined ? ({ status: 'undecided', reason } as const) : { reason: rest, broken: others };
      this.#fates.set(fate.id, { ...fate, ...left });
    }
  }

  summary(): CoverageSummary {
    const counts = {
      points: this.#fates.size,
      ...Object.fromEntries(Object.keys(weight).map((status) => [status, 0])),
    };
    // Every status is a key of `weight`.
    const summary = counts as Record<PointStatus | 'points', number>;
    for (const { status } of this.#fates.values()) summary[status]++;
    return summary;
  }

  /** Returns the fate of every point; one that another stands for names its run. */
  points(): PointFate[] {
    return [...this.#fates.values()].map((fate) => {
      const stand = fate.witness === undefined ? undefined : this.#fates.get(fate.witness);
      if (!stand) return fate;
      // What stands for it was not tried either.
      if (stand.run === undefined)
        return { ...fate, status: stand.status === 'equivalent' ? 'not-tried' : stand.status };
      return { ...fate, run: stand.run };
    });
  }
}

const attemptsOf = ({ endpoint, operation }: Hit, calls: readonly Call[]): number =>
  calls.filter((call) => call.endpoint === endpoint && call.operation === operation).length;

interface Evidence {
  readonly broken: readonly string[];
  readonly doubt: string | undefined;
  readonly isAlone: boolean;
}

function outcomeOf({ broken, doubt, isAlone }: Evidence): Pick<PointFate, 'status' | 'reason' | 'broken'> {
  const finding = broken.at(-1);
  if (finding !== undefined) return { status: 'found', reason: finding, broken: [...new Set(broken)] };
  if (doubt !== undefined) return { status: 'undecided', reason: doubt };
  return { status: isAlone ? 'tried' : 'together' };
}
