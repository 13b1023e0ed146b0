import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { detectionLag, isIndeterminate, isRetryable } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import { doneWorkOf } from '../state/done-work.ts';
import type { History } from './history.ts';
import type { LookSpan } from './read-index.ts';

export interface ReadBackQuery {
  readonly history: History;
  readonly endpoint: Endpoint | undefined;
  /**
   * Is what was sent next. A look counts only if its response was there by then: one that came later cannot be the reason
   * for it. Whoever sent that may have looked as well as the caller of the attempt: it was handed over.
   */
  readonly next?: Attempt | undefined;
  /** Is another write, if a read counts only when it names what that is about. */
  readonly about?: Exchange | undefined;
  /** Says whose look counts, if not only that of these callers. */
  readonly by?: LookSpan['by'];
  /** Counts the first attempts that are meant, if not all: to copy them for each look takes long. */
  readonly count?: number;
}

/** Returns the last request by which a client read back the result of an attempt. */
export function readAfter(attempt: Attempt, query: ReadBackQuery): Exchange | undefined {
  const { history, endpoint, about = attempt.exchange } = query;
  return history.lastLook(about, endpoint, lookSpan(attempt, query));
}

/** True when a read-back after failed attempts shows that nothing is left to do: they are done, or the state is there anyway. */
export const isConfirmedByRead = (attempts: readonly Attempt[], span: ReadBackQuery): boolean =>
  confirmingRead(attempts, span) !== undefined;

/** Returns the first read-back after failed attempts that shows that nothing is left to do. */
export function confirmingRead(attempts: readonly Attempt[], query: ReadBackQuery): Exchange | undefined {
  const { history, endpoint, about, count = attempts.length } = query;
  const last = attempts[count - 1];
  if (!last || !isRetryable(last)) return undefined;
  const write = about ?? last.exchange;
  const reads = history.looks(write, endpoint, lookSpan(last, query)).filter(isSuccess);
  // Most writes are followed by none, and there may be very many attempts.
  if (reads.length === 0) return undefined;
  const isMaybeDone = isIndeterminate(last) && doneWorkOf(attempts).isBegunBy(count);
  if (!isMaybeDone && !endpoint?.isShownIn) return undefined;
  return reads.find(
    (read) =>
      (isMaybeDone && isSeenDone(attempts, read, { history, count })) ||
      history.subjects.isShownBy({ exchange: read, endpoint: history.endpointOf(read) }, { exchange: write, endpoint }),
  );
}

/** True when a read-back could show that one of these attempts had taken effect: it shows what had been done by then. */
export function isSeenDone(
  attempts: readonly Attempt[],
  read: Exchange,
  { history, count = attempts.length }: Pick<ReadBackQuery, 'history' | 'count'>,
): boolean {
  const done = doneWorkOf(attempts).by({ count, version: read.sideEffects.stateVersion });
  return done.some('anything', () => true) && !history.subjects.isLeftOut(read, done, history.endpointOf(read));
}

/** Returns when a read may be a look at what an attempt has done, and by whom. */
const lookSpan = ({ start, end = Infinity }: Attempt, { next, by }: ReadBackQuery): LookSpan => ({
  from: Math.max(start, end - detectionLag),
  to: next?.start ?? Infinity,
  next: next?.exchange,
  by,
});

const isSuccess = ({ status }: Exchange): boolean => status !== undefined && status < 300;
