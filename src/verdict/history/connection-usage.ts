/** Derives from connections whether one client sent requests one by one. */
import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { detectionLag, overlaps } from './attempt.ts';
import type { Attempt } from './attempt.ts';

export interface ConnectionUsage {
  /** True when a request was sent while another was in flight. */
  readonly overlap: boolean;
  /** Holds the largest number of connections that were used alternately. */
  readonly interleaved: number;
}

/** HTTP libraries alternate between two connections for a client that sends requests one by one. */
const usuallyInterleaved = 2;

export const isParallel = ({ overlap, interleaved }: ConnectionUsage): boolean =>
  overlap || interleaved > usuallyInterleaved;

/** True when there is only one client, and it waits for each response. */
export const isSequential = ({ overlap, interleaved }: ConnectionUsage): boolean => !overlap && interleaved <= 1;

/** Returns the latest moment at which the client knew of the end. */
const endHeardBy = ({ outcome, end = Infinity }: Attempt): number =>
  outcome === 'no-response' ? end - detectionLag : end;

/** Short requests that were sent at once need not overlap in the simulator. */
const isConcurrentResponse = (before: Attempt, next: Attempt): boolean =>
  before.outcome !== 'no-response' && overlaps(before, next);

export function* connectionUsageOf(attempts: readonly Attempt[]): Steps<ConnectionUsage> {
  const uses = new Map<number, { from: number; to: number }>();
  let [overlap, end] = [false, 0];
  let before: Attempt | undefined;
  yield* forEachInSteps(attempts, (attempt, i) => {
    overlap ||= attempt.start < end || (before !== undefined && isConcurrentResponse(before, attempt));
    end = Math.max(end, endHeardBy(attempt));
    before = attempt;
    const { id } = attempt.exchange.connection ?? {};
    if (id === undefined) return;
    const use = uses.get(id);
    if (use) use.to = i + 1;
    else uses.set(id, { from: i, to: i + 1 });
  });
  return { overlap, interleaved: maxConcurrent([...uses.values()]) };
}

export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Returns how many intervals overlap at most; where one ends, another may begin. */
export function maxConcurrent(intervals: readonly Interval[]): number {
  const edges = intervals
    .flatMap(({ from, to }) => [
      { at: from, step: 1 },
      { at: to, step: -1 },
    ])
    .toSorted((a, b) => a.at - b.at || a.step - b.step);
  let [now, most] = [0, 0];
  for (const { step } of edges) {
    now += step;
    most = Math.max(most, now);
  }
  return most;
}
