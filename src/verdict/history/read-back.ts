import type { RowChange } from '../../core/state/state.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import { jobs } from '../../core/time/jobs.ts';
import type { Exchange, SideEffects } from '../../core/exchange/exchange.ts';
import { detectionLag, isIndeterminate, isRetryable } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import type { History } from './history.ts';
import type { LookSpan } from './read-index.ts';

interface ReadBackQuery {
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
  const { history, endpoint, about } = query;
  const last = attempts.at(-1);
  if (!last || !isRetryable(last)) return undefined;
  const write = about ?? last.exchange;
  const reads = history.looks(write, endpoint, lookSpan(last, query)).filter(isSuccess);
  // Most writes are followed by none, and there may be very many attempts.
  if (reads.length === 0) return undefined;
  const isMaybeDone =
    isIndeterminate(last) && attempts.some(({ exchange: { sideEffects } }) => sideEffects.changes.length > 0);
  if (!isMaybeDone && !endpoint?.isShownIn) return undefined;
  return reads.find(
    (read) =>
      (isMaybeDone && isSeenDone(attempts, read, history)) ||
      history.subjects.isShownBy({ exchange: read, endpoint: history.endpointOf(read) }, { exchange: write, endpoint }),
  );
}

/** True when a read-back could show that one of these attempts had taken effect: it shows what had been done by then. */
export function isSeenDone(attempts: readonly Attempt[], read: Exchange, history: History): boolean {
  const changes = attempts.flatMap((attempt) => changesDoneBy(attempt, read.sideEffects));
  return changes.length > 0 && !history.subjects.isLeftOut(read, changes, history.endpointOf(read));
}

/** Returns when a read may be a look at what an attempt has done, and by whom. */
const lookSpan = ({ start, end = Infinity }: Attempt, { next, by }: ReadBackQuery): LookSpan => ({
  from: Math.max(start, end - detectionLag),
  to: next?.start ?? Infinity,
  next: next?.exchange,
  by,
});

const isSuccess = ({ status }: Exchange): boolean => status !== undefined && status < 300;

/** Returns what an attempt had changed in the state that a read shows; what only queues its work has changed nothing yet. */
function changesDoneBy({ exchange }: Attempt, { stateVersion }: SideEffects): readonly RowChange[] {
  const { sideEffects, deferredEffects } = exchange;
  const work = isQueued(sideEffects) ? deferredEffects.map((late) => late.sideEffects) : [sideEffects];
  return work.filter((one) => one.stateVersion <= stateVersion).flatMap(({ changes }) => changes);
}

/** True when a request has queued its work. */
export const isQueued = ({ changes }: SideEffects): boolean =>
  changes.some(({ table, before }) => table === jobs.name && !before);
