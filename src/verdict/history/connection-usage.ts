/** What connections tell of the callers behind them. */
import type { Exchange } from '../../core/exchange/exchange.ts';
import { toAttempt, overlaps } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import { maxConcurrent } from './intervals.ts';

export interface ConnectionUsage {
  /** Whether a call was made while another was under way. */
  readonly overlap: boolean;
  /** How many connections were in use by turns, at the most. */
  readonly interleaved: number;
}

/** How long a call may seem to go on because a client that gave up is noticed late, in ms. */
const detectionLag = 50;

/** HTTP libraries use two by turns for a caller that makes one call after the other. */
const usualByTurns = 2;

export const isParallel = ({ overlap, interleaved: byTurns }: ConnectionUsage): boolean =>
  overlap || byTurns > usualByTurns;

/** Whether there is but one caller, that waits for each answer. */
export const isSequential = ({ overlap, interleaved: byTurns }: ConnectionUsage): boolean => !overlap && byTurns <= 1;

/** When its caller knew of its end at the latest. */
const endHeardBy = ({ outcome, end = Infinity }: Attempt): number =>
  outcome === 'no-response' ? end - detectionLag : end;

/** Short calls that were sent at once need not overlap here. */
const isAnsweredBeside = (before: Attempt, next: Attempt): boolean =>
  before.outcome !== 'no-response' && overlaps(before, next);

export function connectionUsageOf(exchanges: readonly Exchange[]): ConnectionUsage {
  const uses = new Map<number, { from: number; to: number }>();
  let [overlap, end] = [false, 0];
  let before: Attempt | undefined;
  for (const [i, exchange] of exchanges.entries()) {
    const attempt = toAttempt(exchange);
    overlap ||= attempt.start < end || (before !== undefined && isAnsweredBeside(before, attempt));
    end = Math.max(end, endHeardBy(attempt));
    before = attempt;
    const { id } = exchange.connection ?? {};
    if (id === undefined) continue;
    const use = uses.get(id);
    if (use) use.to = i + 1;
    else uses.set(id, { from: i, to: i + 1 });
  }
  return { overlap, interleaved: maxConcurrent([...uses.values()]) };
}
