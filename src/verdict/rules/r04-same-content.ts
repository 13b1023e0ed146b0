import { maxOf } from '../../core/lib/collections.ts';
import { canonicalJson } from '../../core/exchange/operation-key.ts';
import { parseTimestamp } from '../../core/time/clock.ts';
import { flatMapInSteps } from '../../core/time/steps.ts';
import { isCutOff, isRetryable } from '../history/attempt.ts';
import type { History } from '../history/history.ts';
import { consecutivePairs, hasOwnKey } from '../history/operation.ts';
import type { AttemptPair, Operation } from '../history/operation.ts';
import { readAfter } from '../history/read-back.ts';
import { differingFields } from '../history/request-content.ts';
import { judgeReusedKey } from '../evidence/reused-key.ts';
import {
  describeOtherForm,
  describeOutcome,
  fail,
  indexPerOperation,
  note,
  requestLine,
  shortList,
} from './retry-rule.ts';
import type { RetryEvidence, RetryRule, RuleFinding } from './retry-rule.ts';

export const keepsContent: RetryRule = {
  id: 'R4',
  title: 'every attempt carries the same content',
  basis: {
    source: 'guidance',
    text: 'A retry is the same request again. If its content differs, nobody knows which of the two the service has kept.',
  },
  advice: 'Build the body once, keep it with the operation, and send that same text again.',
  certainty: 'response',
  judge: (operation, evidence) => [
    ...judgeContents(operation, evidence),
    ...judgeReusedKey(operation, evidence),
    ...judgeOtherForm(operation, evidence),
  ],
};

const judgeContents = indexPerOperation((operation, evidence) =>
  flatMapInSteps(consecutivePairs(operation.clientAttempts), ([before, next]) =>
    isRetryable(before) && !isCutOff(before) && !isCutOff(next)
      ? judgeContent(operation, [before, next], evidence)
      : [],
  ),
);

function judgeContent(
  { endpoint, key }: Operation,
  [before, next]: AttemptPair,
  { policy, history }: RetryEvidence,
): RuleFinding[] {
  const fields = differingFields(before.exchange, next.exchange, { endpoint, ignoreFields: policy.ignoreFields });
  if (fields.length === 0) return [];
  const message = `${requestLine(next)} was repeated with another ${shortList(fields)}`;
  const hasLooked = key.by === 'content' && readAfter(before, { history, endpoint, next }) !== undefined;
  // After a read-back that found nothing, the client may build it again.
  if (hasLooked) return [note(`${message}, after a read-back`, before, next)];
  if (isNewerReading([before, next], endpoint, history))
    return [note(`${message}: the same total as of a later moment, which replaces the older one`, before, next)];
  return [fail(message, before, next)];
}

/**
 * True when a repeat sets the same values as before, each as of a moment that is no earlier: a total that was read
 * again.
 */
function isNewerReading([before, next]: AttemptPair, endpoint: Operation['endpoint'], history: History): boolean {
  const [older = [], newer = []] = [before, next].map(({ exchange }) =>
    endpoint ? history.subjects.fieldsOf(exchange, endpoint).map(({ setting }) => setting) : [],
  );
  const moments = newer.map(({ timeStamp }) => toMoment(timeStamp));
  const latest = maxOf(older, ({ timeStamp }) => toMoment(timeStamp));
  const isDated = moments.length > 0 && moments.every((moment) => moment >= latest);
  const withoutMoments = [older, newer].map((settings) =>
    settings
      .map((setting) => canonicalJson({ ...setting, timeStamp: undefined }))
      .toSorted()
      .join('\n'),
  );
  return isDated && withoutMoments[0] === withoutMoments[1];
}

const toMoment = (timeStamp: unknown): number =>
  (typeof timeStamp === 'string' ? parseTimestamp(timeStamp) : undefined) ?? NaN;

/** Judges work that was done again in parts, or by another endpoint; without a key, R11 does. */
function judgeOtherForm(operation: Operation, { history }: RetryEvidence): RuleFinding[] {
  const { endpoint, clientAttempts, repeatedAs = [] } = operation;
  const [before, next] = [clientAttempts.at(-1), repeatedAs[0]];
  if (!before || !next || (endpoint?.retry === 'unkeyed' && !hasOwnKey(operation))) return [];
  const message = `${requestLine(before)} ${describeOutcome(before)} and was repeated ${describeOtherForm(repeatedAs)}`;
  const hasLooked = readAfter(before, { history, endpoint, next }) !== undefined;
  return [hasLooked ? note(`${message}, after a read-back`, before, repeatedAs) : fail(message, before, repeatedAs)];
}
