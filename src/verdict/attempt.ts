import { effectsOf } from '../core/effects.ts';
import type { Effect } from '../core/effects.ts';
import type { Exchange } from '../core/journal.ts';

/**
 * What an attempt ended with, as its caller saw it: `lost` is no answer, or none that can be read; `open` is not
 * over yet.
 */
export type Told = 'success' | 'invalid' | 'refused' | 'busy' | 'failed' | 'lost' | 'open';

/** One request seen as one try of an operation. */
export interface Attempt {
  readonly exchange: Exchange;
  readonly told: Told;
  /** Real time in ms since the program's start. */
  readonly start: number;
  readonly end: number | undefined;
  /** Made by the caller's HTTP library on its own, and not by the caller. */
  readonly isTransport: boolean;
}

export const attemptOf = (exchange: Exchange, isTransport: boolean): Attempt => ({
  exchange,
  told: toldOf(exchange),
  start: exchange.startedAt,
  end: exchange.finishedAt,
  isTransport,
});

//
const invalidStatuses: ReadonlySet<number> = new Set([400, 422]);

function toldOf({ finishedAt, status, delivered, fault }: Exchange): Told {
  if (finishedAt === undefined) return 'open';
  const isWhole = !fault || fault.fault.respond === 'full' || fault.fault.respond === 'status';
  if (status === undefined || delivered?.end === 'client' || !isWhole) return 'lost';
  if (status < 400) return 'success';
  if (status >= 500) return 'failed';
  if (status === 429) return 'busy';
  return invalidStatuses.has(status) ? 'invalid' : 'refused';
}

/** Whether the caller may try again, as it has no answer, or one that asks for patience. */
export const isToRepeat = ({ told }: Attempt): boolean => told === 'lost' || told === 'failed' || told === 'busy';

/** The answers after which the specification has the caller try again (General rule 2). */
const retryStatuses: ReadonlySet<number | undefined> = new Set([500, 504]);

/** Whether the specification has the caller try again; after a 429 or another 5xx it may, or may not. */
export const mustBeRepeated = ({ told, exchange }: Attempt): boolean =>
  told === 'lost' || (told === 'failed' && retryStatuses.has(exchange.status));

/** Whether the caller can't know if the service did its work. */
export const isUnknown = ({ told, exchange }: Attempt): boolean =>
  told === 'lost' || (told === 'failed' && exchange.status !== 503);

/** What the service did for it, later jobs included. */
export const effectsOfAttempt = ({ exchange }: Attempt): Effect[] =>
  effectsOf([exchange.outcome, ...exchange.later.map(({ outcome }) => outcome)].flatMap(({ changes }) => changes));

/** Calls sent this close together can't follow from each other's answers, in ms. */
const together = 3;

/**
 * Whether an attempt was sent without waiting for the answer to one before it: while that was under way, or at the
 * same time, on a connection that was opened before it was answered.
 */
export function isBeside(before: Attempt, next: Attempt): boolean {
  const [left, right] = [before.exchange.connection, next.exchange.connection];
  if (before.end === undefined || next.start < before.end) return true;
  if (!left || !right || left.id === right.id) return false;
  return next.start - before.end <= together || (right.request === 1 && right.openedAt < before.end);
}
