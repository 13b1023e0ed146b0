/** Derives how many requests a client had in flight at once: more than the simulator, which serves one after another. */
import type { Attempt } from './attempt.ts';
import { maxConcurrent } from './connection-usage.ts';
import type { Interval } from './connection-usage.ts';

/** A connection opened earlier than this before its first request (ms) was opened in advance. */
const longestWait = 250;

/**
 * Returns when each request was in flight: from when its connection was opened, as it may have waited for the simulator,
 * not for its client; and from the first request of its event loop turn, as all of them had arrived before that.
 */
function spansOf(attempts: readonly Attempt[], late: number): Interval[] {
  const turns = new Map<number, number>();
  return attempts.map(({ start, end = Infinity, exchange: { connection } }) => {
    if (!connection) return { from: start, to: end };
    const turn = turns.get(connection.eventLoopTurn) ?? start;
    turns.set(connection.eventLoopTurn, turn);
    const opened = connection.request === 1 ? Math.max(connection.openedAt, start - longestWait - late) : start;
    return { from: Math.min(opened, turn), to: end };
  });
}

/**
 * Returns how many requests were in flight at once at the most, and since when: certainly, if the simulator was not late.
 * Takes them by their start.
 */
export function peakOf(attempts: readonly Attempt[], late: number): { readonly most: number; readonly at: number } {
  const spans = spansOf(attempts, late);
  const most = maxConcurrent(spans);
  const starts = spans.map(({ from }) => from).toSorted((a, b) => a - b);
  const ends = spans.map(({ to }) => to).toSorted((a, b) => a - b);
  let over = 0;
  const at = starts.find((from, i) => {
    while ((ends[over] ?? Infinity) <= from) over++;
    return i + 1 - over >= most;
  });
  return { most, at: at ?? Infinity };
}

/**
 * Counts new connections that followed each other without a gap: each was there before the request of the one before
 * was over, and none was used again. Node accepts one connection per turn of its event loop, however many wait.
 */
export function connectionsWaiting(
  attempts: readonly Attempt[],
  late: number,
): { readonly count: number; readonly from: number } {
  let longest = { count: 0, from: Infinity };
  let [run, from, until] = [new Set<number>(), Infinity, -Infinity];
  for (const { start, end = Infinity, exchange } of attempts) {
    const { connection } = exchange;
    if (!connection) continue;
    const { id, openedAt, request } = connection;
    if (run.has(id)) [run, until] = [new Set(), -Infinity];
    if (request > 1) continue;
    if (openedAt >= until || openedAt < start - longestWait - late) [run, from] = [new Set(), openedAt];
    run.add(id);
    until = end;
    if (run.size > longest.count) longest = { count: run.size, from };
  }
  return longest;
}
