import type { Instant } from '../../core/time/clock.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import { jobs } from '../../core/time/jobs.ts';
import type { Exchange, SideEffects } from '../../core/exchange/exchange.ts';
import { detectionLag, isIndeterminate } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import type { History } from './history.ts';

interface ReadBackQuery {
  readonly history: History;
  readonly endpoint: Endpoint | undefined;
  /** Real time in ms. */
  readonly until: number;
  /** Is another write, if a read counts only when it names what that is about. */
  readonly about?: Exchange | undefined;
}

/** Returns the last request by which the client read back the result of an attempt. */
export function readAfter(attempt: Attempt, { history, endpoint, until, about }: ReadBackQuery): Exchange | undefined {
  return history.lastLook(about ?? attempt.exchange, endpoint, { from: lookableFrom(attempt), to: until });
}

/** True when a read-back after indeterminate attempts could show that one of them had taken effect. */
export function isConfirmedByRead(attempts: readonly Attempt[], span: ReadBackQuery): boolean {
  const last = attempts.at(-1);
  if (!last || !isIndeterminate(last)) return false;
  const read = readAfter(last, span);
  return read !== undefined && isSuccess(read) && attempts.some((attempt) => isDoneBy(attempt, read.at));
}

/** Returns the first read-back after indeterminate attempts that could show that one of them had taken effect. */
export function firstConfirmingRead(
  attempts: readonly Attempt[],
  { history, endpoint }: Pick<ReadBackQuery, 'history' | 'endpoint'>,
): Exchange | undefined {
  const last = attempts.at(-1);
  if (!last || !isIndeterminate(last)) return undefined;
  const isMeant = (read: Exchange): boolean => isSuccess(read) && attempts.some((one) => isDoneBy(one, read.at));
  return history.firstLook(last.exchange, endpoint, { from: lookableFrom(last), isMeant });
}

/** Returns the moment from which a read may be a look at what an attempt has done. */
const lookableFrom = ({ start, end = Infinity }: Attempt): number => Math.max(start, end - detectionLag);

const isSuccess = ({ status }: Exchange): boolean => status !== undefined && status < 300;

function isDoneBy({ exchange: { sideEffects, deferredEffects } }: Attempt, moment: Instant): boolean {
  if (!isQueued(sideEffects)) return sideEffects.changes.length > 0;
  return deferredEffects.some(({ at, sideEffects: { changes } }) => at <= moment && changes.length > 0);
}

/** True when a request has queued its work. */
const isQueued = ({ changes }: SideEffects): boolean =>
  changes.some(({ table, before }) => table === jobs.name && !before);
