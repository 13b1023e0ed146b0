import { overlaps } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { isReadOperation } from '../history/operation.ts';
import type { AttemptPair, Operation } from '../history/operation.ts';
import { wasGivenUpBefore } from './bursts.ts';
import { describeOutcome, fail, note, requestLine } from './retry-rule.ts';
import type { RetryEvidence, RetryRule, RuleFinding } from './retry-rule.ts';

export const leavesWellAlone: RetryRule = {
  id: 'R2',
  title: 'not retried after a success or another 4xx',
  basis: {
    source: 'guidance',
    text: 'A 2xx response means that the request is done, and a 4xx response other than 429 is final. The specification names no response, 500 and 504 as the cases for a retry.',
  },
  advice: 'Take a 2xx as done, and any 4xx but 429 as final: only no response, 500 and 504 call for a retry.',
  certainty: 'response',
  judge(operation, evidence) {
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
  const message = `${requestLine(next)} was sent again although it ${describeOutcome(before)} before`;
  const excuseFor = before.outcome === 'rejected' ? excuseAfterRejection : excuseAfterSuccess;
  const excuse = excuseFor(operation, [before, next], evidence);
  return excuse === undefined ? fail(message, before, next) : note(`${message}; ${excuse}`, before, next);
}

/** Statuses that are about the client's API key. */
const keyStatuses: ReadonlySet<number | undefined> = new Set([401, 403]);

function excuseAfterRejection(
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
  const isAwaited = history.showsQueuedWork(before, operation.endpoint);
  return isThere || isAwaited ? 'the client was polling for it' : undefined;
}

function excuseAfterSuccess(
  operation: Operation,
  [before]: AttemptPair,
  { policy }: RetryEvidence,
): string | undefined {
  // R9 judges a late delivery that is sent again.
  if (wasGivenUpBefore(operation, before, policy)) return 'it had been given up before';
  return operation.endpoint?.retry === 'idempotent' ? 'that changes nothing' : undefined;
}
