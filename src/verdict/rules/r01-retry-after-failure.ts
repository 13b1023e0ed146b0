import type { Endpoint } from '../../core/exchange/endpoint.ts';
import { idempotencyKeyOf, operationKey } from '../../core/exchange/operation-key.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import {
  isAbortedByClient,
  isCutOff,
  isHeldOpen,
  isIndeterminate,
  isRetryable,
  pauseBetween,
  requiresRetry,
  toAttempt,
} from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { consecutivePairs, isReadOperation, isSameTest } from '../history/operation.ts';
import type { AttemptPair, Operation } from '../history/operation.ts';
import type { History } from '../history/history.ts';
import { confirmingRead, isSeenDone } from '../history/read-back.ts';
import { unlessStillWaiting } from '../evidence/bursts.ts';
import { doneElsewhere } from '../evidence/done-otherwise.ts';
import { settledOtherwise } from '../evidence/settled.ts';
import { describeSettings } from '../evidence/field-writes.ts';
import { describeOutcome, fail, formatDuration, inconclusive, note, requestLine, shortList } from './retry-rule.ts';
import type { RetryEvidence, RetryRule, RuleFinding } from './retry-rule.ts';

export const retriesAfterFailure: RetryRule = {
  id: 'R1',
  title: 'retried after no response, 500 and 504',
  basis: {
    source: 'specification',
    text: 'General rule 2: “Client guidance: when there is no response, or status 500 or 504, the caller retries.”',
  },
  advice:
    'Repeat the request with the same key and content after a pause (read back a non-idempotent write without a key first, see R11). If that fails too, keep it for later.',
  certainty: 'response',
  judge(operation, evidence) {
    const { clientAttempts: own, attempts, endpoint } = operation;
    const last = own.at(-1);
    if (!last) return [];
    // A client that is left without a response, and still waits, may have a longer timeout than its run.
    if (last.outcome === 'in-flight') return [inconclusive(`${requestLine(last)} is still in flight`, last)];
    if (isHeldOpen(last))
      return [inconclusive(`${requestLine(last)} is still in flight: its client still waits for the response`, last)];
    // R4 and R10 judge what was done again in another form.
    if (operation.isRepeatedWhole) return [];
    if (isReadOperation(operation) && !isRetryable(last)) return readAmongOtherWork(operation, evidence);
    if (!isRetryable(last)) return [];
    const { history } = evidence;
    const read = confirmingRead(attempts, { history, endpoint });
    if (read) return isSeenDone(attempts, read, { history }) ? [] : [thereAnyway(operation, { last, read }, evidence)];
    // R9 judges a write that the client need not repeat, but has to deliver in the end.
    if (own.length === 1 && !requiresRetry(last) && !isReadOperation(operation)) return [];
    const settled = settledOtherwise(operation, last, evidence);
    if (settled) return [settled];
    const elsewhere = doneElsewhere(operation, last, evidence);
    if (elsewhere) return [elsewhere];
    if (own.length === 1) return [neverRepeated(operation, last, evidence)];
    const givenUp = `${requestLine(last)} was given up after ${own.length} attempts`;
    if (isReadOperation(operation)) return [note(givenUp, last)];
    if (evidence.hasRecoveredAfter(last)) return [];
    const unknown = 'the service did not recover before the end: it is unknown whether it is delivered later';
    return [inconclusive(`${givenUp}, and ${unknown}`, last)];
  },
};

/** Tells of a write that found its work done: a person may want to know what was compared, and by whom it was done. */
function thereAnyway(
  operation: Operation,
  { last, read }: { readonly last: Attempt; readonly read: Exchange },
  evidence: RetryEvidence,
): RuleFinding {
  const settings = describeSettings(operation, evidence);
  const wanted = settings.length > 0 ? shortList(settings) : (operation.endpoint?.wanted ?? 'its contact');
  const message = `${read.id} shows that what it asks for is there (${wanted}), though no attempt of it did that`;
  return note(`${requestLine(last)} ${describeOutcome(last)}; ${message}`, last);
}

function neverRepeated(operation: Operation, only: Attempt, evidence: RetryEvidence): RuleFinding {
  const message = `${requestLine(only)} ${describeOutcome(only)} and was never repeated${describeResembling(operation)}`;
  if (!requiresRetry(only)) return note(message, only);
  if (evidence.evicted > 0) return inconclusive(`${message}; but the journal has dropped older requests`, only);
  if (isAbortedByClient(only) && !only.exchange.fault) {
    if (operation.endpoint?.body && isCutOff(only)) return cutOff(operation, only, evidence);
    return inconclusive(`${message}, though nothing kept the service from responding`, only);
  }
  const written = isReadOperation(operation) ? writtenInstead(operation, only, evidence) : undefined;
  if (written) {
    const instead = `the write that it was to show was sent again instead (${written.id}), which does no harm`;
    return note(`${message}; ${instead}`, only);
  }
  const found = isReadOperation(operation) ? unlessReadAgain(operation, only, evidence) : fail(message, only);
  return found.level === 'fail' ? unlessStillWaiting(found, operation, evidence) : found;
}

/** Judges a request of which nothing is known, unless its client names its test. */
function cutOff({ key, endpoint }: Operation, only: Attempt, { history }: RetryEvidence): RuleFinding {
  const message = `${requestLine(only)} was cut off by the client before all of its body was there`;
  const [, next] = history.neighboursOf(only.exchange);
  if (next?.endpoint !== only.exchange.endpoint || next?.path !== only.exchange.path)
    return inconclusive(`${message}: nothing shows what it was, and whether it was repeated`, only);
  if (key.by === 'test-id' && isSameTest({ key }, { key: operationKey(next, endpoint) }))
    return note(`${message}, and sent again (${next.id})`, only);
  return inconclusive(`${message}: nothing shows whether ${next.id} is the whole of it; an x-sim-test-id would`, only);
}

/** Says what later write may have been meant as the repeat. */
const describeResembling = ({ resembledBy: later }: Operation): string =>
  later === undefined
    ? ''
    : `; ${later.exchange.id} differs only in its key and time: if that was meant as the repeat, it has to carry the same`;

/** Notes a read that failed and succeeded only after other work of its client: an event may have been dropped in between. */
function readAmongOtherWork(
  { clientAttempts: own, key }: Operation,
  { history, policy }: RetryEvidence,
): RuleFinding[] {
  // What is declared, or named by the client, distinguishes them.
  if (policy.minBackoff.length > 0 || key.by === 'test-id') return [];
  const pair = consecutivePairs(own).find(
    ([before, next]) =>
      requiresRetry(before) &&
      !history.isNextTo(before.exchange, next.exchange) &&
      history.hasWritesBetween(before.start, next.start) &&
      history.isSingleClient([before.exchange], [next.exchange]),
  );
  return pair ? [note(describeReadAgain(pair), ...pair)] : [];
}

/**
 * Returns the repeat of a write between whose attempts a look at it failed, if the write may be repeated without one:
 * nothing is left to read.
 */
function writtenInstead(
  { endpoint }: Operation,
  { exchange }: Attempt,
  { history }: RetryEvidence,
): Exchange | undefined {
  const [before, next] = [besideLooks(exchange, 0, history), besideLooks(exchange, 1, history)];
  const write = before && history.endpointOf(before);
  if (!endpoint || !write || !next || !isIndeterminate(toAttempt(before))) return undefined;
  const isHarmless =
    write.retry !== 'unkeyed' ||
    (write.idempotencyKey !== undefined && idempotencyKeyOf(before, write.idempotencyKey) !== undefined);
  if (!isHarmless || !write.readBack?.includes(endpoint.id) || !isSameRequest(before, next, write)) return undefined;
  const names = history.subjects.namesOf(exchange, endpoint);
  const written = history.subjects.namesOf(before, write) ?? new Set<string>();
  return names === undefined || [...written].some((name) => names.has(name)) ? next : undefined;
}

/** A client looks at so few places at most before it sends a write again. */
const maxLooks = 5;

/** Returns the request before (0) or after (1) a look, and other looks that failed next to it. */
function besideLooks(look: Exchange, side: 0 | 1, history: History): Exchange | undefined {
  let found = history.neighboursOf(look)[side];
  for (let i = 1; i < maxLooks && found && isFailedRead(found, history); i++) found = history.neighboursOf(found)[side];
  return found;
}

const isFailedRead = (exchange: Exchange, history: History): boolean =>
  history.endpointOf(exchange)?.retry === 'safe' && isRetryable(toAttempt(exchange));

const isSameRequest = (a: Exchange, b: Exchange, endpoint: Endpoint): boolean =>
  operationKey(a, endpoint).text === operationKey(b, endpoint).text;

/** An equal read much later, or among other work, may be a retry, or the first read of later work. */
function unlessReadAgain(operation: Operation, only: Attempt, { history }: RetryEvidence): RuleFinding {
  const later = history.nextByPossiblySameCaller(operation.key, only);
  if (!later) return unlessLastRetry(operation, only, history);
  const again = toAttempt(later);
  return inconclusive(describeReadAgain([only, again]), only, again);
}

/** A read whose equal failed shortly before, among the requests of others, may have been the last of its retries. */
function unlessLastRetry({ key, attempts: [first] }: Operation, only: Attempt, history: History): RuleFinding {
  const message = `${requestLine(only)} ${describeOutcome(only)} and was never repeated`;
  // Its library may have sent it several times.
  const previous = history.previousByPossiblySameCaller(key, first ?? only);
  const before = previous && toAttempt(previous);
  if (!before || !isRetryable(before) || pauseBetween(before, only) > longestRetryPause) return fail(message, only);
  const doubt = `unless it was itself a retry of ${before.exchange.id}: an x-sim-client for each client would tell`;
  return inconclusive(`${message}; ${doubt}`, before, only);
}

/** An equal read within this time may be a retry, in ms. */
const longestRetryPause = 30_000;

const describeReadAgain = ([failed, again]: AttemptPair): string =>
  `${requestLine(failed)} ${describeOutcome(failed)}, and the same was read again ${formatDuration(Math.max(0, pauseBetween(failed, again)))} later: ` +
  'by a late retry, or by other work; to distinguish them, declare minBackoff, or send an x-sim-test-id for each operation and an x-sim-client for each client';
