import type { Instant } from '../../core/time/clock.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import { jobs } from '../../core/time/jobs.ts';
import type { SideEffects } from '../../core/exchange/exchange.ts';
import { isIndeterminate } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import type { History } from './history.ts';

/** How long the end of a call may be noticed after its caller went on, in ms. */
const detectionLag = 50;

interface ReadBackQuery {
  readonly history: History;
  readonly endpoint: Endpoint | undefined;
  /** Real time in ms. */
  readonly until: number;
}

/** The call by which the caller learnt how things stand after an attempt. */
export function readAfter(attempt: Attempt, { history, endpoint, until }: ReadBackQuery) {
  const from = Math.max(attempt.start, (attempt.end ?? Infinity) - detectionLag);
  return history.lastReadBack(endpoint?.readBack ?? [], from, until);
}

/** Whether attempts whose end the caller doesn't know had taken effect when it looked after the last of them. */
export function isConfirmedByRead(attempts: readonly Attempt[], span: ReadBackQuery): boolean {
  const last = attempts.at(-1);
  if (!last || !isIndeterminate(last)) return false;
  const look = readAfter(last, span);
  return look !== undefined && attempts.some((attempt) => isDoneBy(attempt, look.at));
}

function isDoneBy({ exchange: { sideEffects: outcome, deferredEffects: later } }: Attempt, moment: Instant): boolean {
  if (!isQueued(outcome)) return outcome.changes.length > 0;
  return later.some(({ at, sideEffects: { changes } }) => at <= moment && changes.length > 0);
}

/** Whether a call has left its work for later. */
const isQueued = ({ changes }: SideEffects): boolean =>
  changes.some(({ table, before }) => table === jobs.name && !before);
