import type { Instant } from '../core/clock.ts';
import type { Endpoint } from '../core/endpoint.ts';
import { jobs } from '../core/jobs.ts';
import type { Outcome } from '../core/journal.ts';
import { isUnknown } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import type { History } from './history.ts';

/** How long the end of a call may be noticed after its caller went on, in ms. */
const noticing = 50;

interface Span {
  readonly history: History;
  readonly endpoint: Endpoint | undefined;
  /** Real time in ms. */
  readonly until: number;
}

/** The call by which the caller learnt how things stand after an attempt. */
export function lookAfter(attempt: Attempt, { history, endpoint, until }: Span) {
  const from = Math.max(attempt.start, (attempt.end ?? Infinity) - noticing);
  return history.lastLook(endpoint?.lookups ?? [], from, until);
}

/** Whether attempts whose end the caller doesn't know had taken effect when it looked after the last of them. */
export function isFoundDone(attempts: readonly Attempt[], span: Span): boolean {
  const last = attempts.at(-1);
  if (!last || !isUnknown(last)) return false;
  const look = lookAfter(last, span);
  return look !== undefined && attempts.some((attempt) => isDoneBy(attempt, look.at));
}

function isDoneBy({ exchange: { outcome, later } }: Attempt, moment: Instant): boolean {
  if (!isQueued(outcome)) return outcome.changes.length > 0;
  return later.some(({ at, outcome: { changes } }) => at <= moment && changes.length > 0);
}

/** Whether a call has left its work for later. */
const isQueued = ({ changes }: Outcome): boolean => changes.some(({ table, before }) => table === jobs.name && !before);
