/**
 * Finds work that was given up and that other requests did in another form: in parts, together with other work, or by a
 * worker that sends it by another endpoint or under a key of its own.
 */
import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { appendTo, lowerBound } from '../../core/lib/collections.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { isDone, toAttempt } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { hasOwnKey, isReadOperation } from '../history/operation.ts';
import type { Operation } from '../history/operation.ts';
import { readAfter } from '../history/read-back.ts';
import { datedRows } from '../history/request-content.ts';
import { isDescribed } from './duplicate-effects.ts';
import { fieldsSetBy, sameWriteByAnother } from './field-writes.ts';
import {
  describeOutcome,
  fail,
  inconclusive,
  indexPerJournal,
  memoizePerJournal,
  requestLine,
  shortList,
} from '../rules/retry-rule.ts';
import type { RetryEvidence, RuleFinding } from '../rules/retry-rule.ts';
import { seenByAnother } from './seen-by-another.ts';

const judged = memoizePerJournal(() => new Map<Operation, RuleFinding | undefined>());

/** Judges a write that was given up, if others have seen that it is done, or did its work: R1 and R9 ask. */
export function doneElsewhere(operation: Operation, last: Attempt, evidence: RetryEvidence): RuleFinding | undefined {
  const known = judged(evidence);
  if (!known.has(operation))
    known.set(operation, seenByAnother(operation, last, evidence) ?? doneOtherwise(operation, last, evidence));
  return known.get(operation);
}

/**
 * Judges a write that was given up, and all of whose work was done later in another form. Under another key, without a
 * look, or where it is doubled, it is wrong either way: one client lost it, or the other repeated it wrongly.
 */
function doneOtherwise(operation: Operation, last: Attempt, evidence: RetryEvidence): RuleFinding | undefined {
  if (isReadOperation(operation) || operation.key.by === 'test-id') return undefined;
  const done = rowsDoneLater(operation, last, evidence) ?? fieldsSetLater(operation, evidence);
  if (!done) return undefined;
  const ids = shortList([...new Set(done.map(({ id }) => id))]);
  if (!operation.endpoint?.sets && operation.attempts.some(isDescribed)) {
    const doubled = `${requestLine(last)} ${describeOutcome(last)}, but took effect, and all of it was done again by ${ids}`;
    return fail(`${doubled}: it is doubled, or it was never repeated`, last);
  }
  const message = `${requestLine(last)} ${describeOutcome(last)} and was not repeated as it was; all of it was done by ${ids}`;
  return inconclusive(
    `${message}, unless that was work of its own: an x-sim-test-id for each operation would tell`,
    last,
  );
}

type DoneWork = ReadonlyMap<string, readonly Exchange[]>;

/** Finds what was done by the texts that stand for its work. */
function* doneBy(
  { operations }: RetryEvidence,
  textsOf: (exchange: Exchange, endpoint: Endpoint) => readonly string[],
): Steps<DoneWork> {
  const found = new Map<string, Exchange[]>();
  yield* forEachInSteps(operations, ({ endpoint, attempts }) => {
    const done = endpoint?.work && attempts.find((attempt) => isDone(attempt) && isDescribed(attempt));
    if (!endpoint || !done) return;
    for (const text of textsOf(done.exchange, endpoint)) appendTo(found, text, done.exchange);
  });
  for (const done of found.values()) done.sort((a, b) => a.startedAt - b.startedAt);
  return found;
}

/** Finds what was done by its pieces. */
const piecesDone = indexPerJournal((evidence) =>
  doneBy(evidence, (exchange, endpoint) => evidence.history.subjects.piecesOf(exchange, endpoint).flat()),
);

/** Finds what was done without a key by its dated rows. */
const rowsDone = indexPerJournal((evidence) => {
  const { ignoreFields } = evidence.policy;
  return doneBy(evidence, (exchange, endpoint) =>
    endpoint.retry === 'unkeyed' ? datedRows(exchange, { endpoint, ignoreFields }) : [],
  );
});

/** Limits the later requests that did an equal piece of work, of which the first by another client is searched. */
const maxSearched = 50;

/** Returns the later requests that did each piece of a write: by the same client, only if they name the same time. */
function rowsDoneLater(operation: Operation, last: Attempt, evidence: RetryEvidence): readonly Exchange[] | undefined {
  const {
    endpoint,
    attempts: [first],
  } = operation;
  const { history, policy } = evidence;
  if (!first || endpoint?.retry !== 'unkeyed' || hasOwnKey(operation)) return undefined;
  const pieces = history.subjects.piecesOf(first.exchange, endpoint);
  if (pieces.length === 0 || pieces.some((keys) => keys.length === 0)) return undefined;
  const laterThan = (done: readonly Exchange[] = []): readonly Exchange[] => {
    const from = lowerBound(done, ({ startedAt }) => startedAt > (last.end ?? Infinity));
    return done.slice(from, from + maxSearched);
  };
  const isOfAnother = (one: Exchange): boolean => history.callers.compare(last.exchange, one) === 'other';
  const rows = datedRows(first.exchange, { endpoint, ignoreFields: policy.ignoreFields });
  const found =
    rows.length === pieces.length
      ? rows.map((row) => laterThan(rowsDone(evidence).get(row))[0])
      : pieces.map((keys) => keys.flatMap((key) => laterThan(piecesDone(evidence).get(key))).find(isOfAnother));
  const [next] = found.flatMap((one) => one ?? []).toSorted((a, b) => a.number - b.number);
  const hasLooked = next && readAfter(last, { history, endpoint, next: toAttempt(next) });
  return hasLooked && isWhole(found) ? found : undefined;
}

/** Returns the requests of another client that set each field of a write to the value that it has there. */
function fieldsSetLater(operation: Operation, evidence: RetryEvidence): readonly Exchange[] | undefined {
  const writes = [...fieldsSetBy(operation, evidence).values()];
  const found = writes.map((write) => sameWriteByAnother(write, evidence));
  return found.length > 0 && isWhole(found) ? found : undefined;
}

const isWhole = (found: readonly (Exchange | undefined)[]): found is readonly Exchange[] => !found.includes(undefined);
