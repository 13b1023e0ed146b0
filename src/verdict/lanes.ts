/** What connections tell of the callers behind them. */
import type { Exchange } from '../core/journal.ts';
import { attemptOf } from './attempt.ts';
import { mostAtOnce } from './spans.ts';

export interface Lanes {
  /** Whether a call was made while another was under way. */
  readonly overlap: boolean;
  /** How many connections were in use by turns, at the most. */
  readonly byTurns: number;
}

/** How long calls may seem to overlap because a client that gave up is noticed late, in ms. */
const noticing = 50;

/** HTTP libraries use two by turns for a caller that makes one call after the other. */
const usualByTurns = 2;

export const isParallel = ({ overlap, byTurns }: Lanes): boolean => overlap || byTurns > usualByTurns;

/** Whether there is but one caller, that waits for each answer. */
export const isSingle = ({ overlap, byTurns }: Lanes): boolean => !overlap && byTurns <= 1;

export function lanesOf(exchanges: readonly Exchange[]): Lanes {
  const uses = new Map<number, { from: number; to: number }>();
  let [overlap, end] = [false, 0];
  for (const [i, exchange] of exchanges.entries()) {
    overlap ||= exchange.startedAt < end - noticing;
    end = Math.max(end, attemptOf(exchange).end ?? Infinity);
    const { id } = exchange.connection ?? {};
    if (id === undefined) continue;
    const use = uses.get(id);
    if (use) use.to = i + 1;
    else uses.set(id, { from: i, to: i + 1 });
  }
  return { overlap, byTurns: mostAtOnce([...uses.values()]) };
}
