/** Judges whether a client repeats what it should, and nothing else. */
import { normalizedContent, idempotencyKeyOf } from '../../core/exchange/operation-key.ts';
import { isSecretName } from '../../core/exchange/redaction.ts';
import { overlaps, isAbortedByClient, isRetryable, requiresRetry } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { differingFields } from '../history/request-content.ts';
import { isReadOperation, consecutivePairs } from '../history/operations.ts';
import type { Operation, AttemptPair } from '../history/operations.ts';
import { isConfirmedByRead, readAfter } from '../history/read-back.ts';
import { requestLine, describeOutcome, fail, inconclusive, note } from './retry-rule.ts';
import type { RetryEvidence, RuleFinding, RetryRule } from './retry-rule.ts';
import { wasGivenUpBefore, unlessStillWaiting } from './store-and-forward.ts';

export const retriesAfterFailure: RetryRule = {
  id: 'R1',
  title: 'retried after no response, 500 and 504',
  basis: {
    source: 'specification',
    text: 'General rule 2: “Client guidance: when there is no response, or status 500 or 504, the caller retries.”',
  },
  advice:
    'Repeat the request with the same key and content after a pause (read back a non-idempotent write without a key first, see R11). If that fails too, keep it for later.',
  check(operation, evidence) {
    const { clientAttempts: own, attempts, endpoint } = operation;
    const last = own.at(-1);
    if (!last) return [];
    if (last.outcome === 'in-flight') return [inconclusive(`${requestLine(last)} is still in flight`, last)];
    if (!isRetryable(last) || isConfirmedByRead(attempts, { ...evidence, endpoint, until: Infinity })) return [];
    if (own.length === 1) return [neverRepeated(operation, last, evidence)];
    if (isReadOperation(operation))
      return [note(`${requestLine(last)} was given up after ${own.length} attempts`, last)];
    if (evidence.hasRecoveredAfter(last)) return [];
    return [
      inconclusive(
        `${requestLine(last)} was given up after ${own.length} attempts, and the service did not recover before the end: ` +
          'it is unknown whether it is delivered later',
        last,
      ),
    ];
  },
};

function neverRepeated(operation: Operation, only: Attempt, evidence: RetryEvidence): RuleFinding {
  const message = `${requestLine(only)} ${describeOutcome(only)} and was never repeated`;
  if (!requiresRetry(only)) return note(message, only);
  if (evidence.evicted > 0) return inconclusive(`${message}; but the journal has dropped older requests`, only);
  if (isAbortedByClient(only) && !only.exchange.fault) {
    return inconclusive(`${message}, though nothing kept the service from responding`, only);
  }
  // No client stores a read for later.
  return isReadOperation(operation) ? fail(message, only) : unlessStillWaiting(fail(message, only), evidence);
}

export const leavesWellAlone: RetryRule = {
  id: 'R2',
  title: 'not retried after a success or another 4xx',
  basis: {
    source: 'guidance',
    text: 'A 2xx response means that the request is done, and a 4xx response other than 429 is final. The specification names no response, 500 and 504 as the cases for a retry.',
  },
  advice: 'Take a 2xx as done, and any 4xx but 429 as final: only no response, 500 and 504 call for a retry.',
  check(operation, evidence) {
    const { clientAttempts: own } = operation;
    const at = own.findIndex(({ outcome }) => outcome === 'success' || outcome === 'rejected');
    const before = own[at];
    if (!before || (isReadOperation(operation) && before.outcome === 'success')) return [];
    const repeats = own.slice(at + 1).filter((next) => !overlaps(before, next));
    const pairs = repeats.slice(0, 1).map((next) => [before, next] as const);
    const surest = isReadOperation(operation) ? pairsByConnection([before, ...repeats]) : [];
    return [...surest, ...pairs].slice(0, 1).map((pair) => judgeRepeat(operation, pair, evidence));
  },
};

const isByOneConnection = ({ exchange: a }: Attempt, { exchange: b }: Attempt): boolean =>
  a.connection?.id === b.connection?.id;

/** Pairs each attempt with the first before it on the same connection: both are surely of one program. */
const pairsByConnection = (attempts: readonly Attempt[]): AttemptPair[] =>
  attempts.flatMap((next, i) => {
    const before = attempts.slice(0, i).find((one) => isByOneConnection(one, next));
    return before ? [[before, next] as const] : [];
  });

function judgeRepeat(operation: Operation, [before, next]: AttemptPair, evidence: RetryEvidence): RuleFinding {
  const said = `${requestLine(next)} was sent again although it ${describeOutcome(before)} before`;
  const excuse = before.outcome === 'rejected' ? refusedExcuse : doneExcuse;
  const excused = excuse(operation, [before, next], evidence);
  return excused === undefined ? fail(said, before, next) : note(`${said}; ${excused}`, before, next);
}

/** Statuses that are about the client's API key. */
const keyStatuses: ReadonlySet<number | undefined> = new Set([401, 403]);

function refusedExcuse(
  operation: Operation,
  [before, next]: AttemptPair,
  { history }: RetryEvidence,
): string | undefined {
  const isOtherKey = before.exchange.keyDigest !== next.exchange.keyDigest;
  if (isOtherKey && keyStatuses.has(before.exchange.status)) return 'with another key';
  if (history.hasChangesBetween(before.start, next.start)) return 'other requests had changed something in between';
  if (!isReadOperation(operation)) return undefined;
  if (!isByOneConnection(before, next)) return 'perhaps by another program, as it used another connection';
  const isThere = operation.clientAttempts.at(-1)?.outcome === 'success';
  const isAwaited = history.showsQueuedWork(operation.endpoint?.id, before.start);
  return isThere || isAwaited ? 'the client was polling for it' : undefined;
}

function doneExcuse(operation: Operation, [before]: AttemptPair, { policy }: RetryEvidence): string | undefined {
  // R9 judges a late delivery that is sent again.
  if (wasGivenUpBefore(operation, before, policy)) return 'it had been given up before';
  return operation.endpoint?.retry === 'idempotent' ? 'that changes nothing' : undefined;
}

export const correctsFirst: RetryRule = {
  id: 'R3',
  title: 'not repeated unchanged after a validation error',
  basis: {
    source: 'specification',
    text: 'Errors rule 3: “A validation error means the sent data was wrong. Fix the data before retrying.”',
  },
  advice: 'Stop at a 400: show or log its validationErrors, fix the data, and only then send it again.',
  check: ({ clientAttempts: own }) =>
    consecutivePairs(own)
      .filter(([before, next]) => before.outcome === 'invalid' && isUnchanged(before, next))
      .map(([before, next]) =>
        fail(`${requestLine(next)} ${describeOutcome(before)} and was sent again unchanged`, before, next),
      ),
};

type RequestHeaders = Attempt['exchange']['request']['headers'];

/** Names the headers that a 400 may be about. */
const isMeaningful = (name: string): boolean =>
  name === 'content-type' || name === 'content-encoding' || name === 'user-agent' || isSecretName(name);

const areSame = (a: RequestHeaders, b: RequestHeaders): boolean =>
  Object.keys({ ...a, ...b }).every((name) => !isMeaningful(name) || a[name] === b[name]);

const isUnchanged = ({ exchange: a }: Attempt, { exchange: b }: Attempt): boolean =>
  `${a.path}?${a.query}` === `${b.path}?${b.query}` &&
  normalizedContent(a.request.body) === normalizedContent(b.request.body) &&
  areSame(a.request.headers, b.request.headers);

export const keepsContent: RetryRule = {
  id: 'R4',
  title: 'every attempt carries the same content',
  basis: {
    source: 'guidance',
    text: 'A retry is the same request again. If its content differs, nobody knows which of the two the service has kept.',
  },
  advice: 'Build the body once, keep it with the operation, and send that same text again.',
  check: (operation, evidence) =>
    consecutivePairs(operation.clientAttempts)
      .filter(([before]) => isRetryable(before))
      .flatMap(([before, next]) => judgeContent(operation, [before, next], evidence)),
};

function judgeContent(
  { endpoint, key }: Operation,
  [before, next]: AttemptPair,
  { policy, history }: RetryEvidence,
): RuleFinding[] {
  const fields = differingFields(before.exchange, next.exchange, { endpoint, ignoreFields: policy.ignoreFields });
  if (fields.length === 0) return [];
  const message = `${requestLine(next)} was repeated with another ${shortList(fields)}`;
  const hasLooked = key.by === 'content' && readAfter(before, { history, endpoint, until: next.start }) !== undefined;
  // After a read-back that found nothing, the client may build it again.
  if (hasLooked) return [note(`${message}, after a read-back`, before, next)];
  return [fail(message, before, next)];
}

const shortList = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;

export const keepsKey: RetryRule = {
  id: 'R5',
  title: 'every attempt carries the same key',
  basis: {
    source: 'assumption',
    text: 'A-24 and A-42: a receipt counts once per uniqueReceiptId, and a transaction once per transactionId. Under a new key it counts again.',
  },
  advice:
    'Create the key once, when the operation begins, and store it with the operation; never inside the retry loop.',
  check({ endpoint, clientAttempts: own }) {
    const { idempotencyKey: ownKey } = endpoint ?? {};
    if (!ownKey || ownKey === 'path') return [];
    const renamed = consecutivePairs(own).filter(
      ([before, next]) =>
        isRetryable(before) && idempotencyKeyOf(before.exchange, ownKey) !== idempotencyKeyOf(next.exchange, ownKey),
    );
    const [first] = renamed;
    if (!first) return [];
    const keys = [...new Set(own.map(({ exchange }) => idempotencyKeyOf(exchange, ownKey) ?? 'none'))];
    const field = ownKey.slice(ownKey.indexOf('.') + 1);
    const concerned = [...new Set(renamed.flat())];
    return [
      fail(`${requestLine(first[0])} was repeated with another ${field} each time: ${shortList(keys)}`, ...concerned),
    ];
  },
};
