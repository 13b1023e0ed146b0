import { normalizedContent } from '../../core/exchange/operation-key.ts';
import { targetOf } from '../../core/exchange/request-target.ts';
import { isSecretName } from '../../core/exchange/redaction.ts';
import { flatMapInSteps } from '../../core/time/steps.ts';
import type { Attempt } from '../history/attempt.ts';
import { consecutivePairs, isReadOperation } from '../history/operation.ts';
import type { AttemptPair, Operation } from '../history/operation.ts';
import { describeOutcome, fail, indexPerOperation, note, requestLine } from './retry-rule.ts';
import type { RetryEvidence, RetryRule, RuleFinding } from './retry-rule.ts';

export const correctsFirst: RetryRule = {
  id: 'R3',
  title: 'not repeated unchanged after a validation error',
  basis: {
    source: 'specification',
    text: 'Errors rule 3: “A validation error means the sent data was wrong. Fix the data before retrying.”',
  },
  advice: 'Stop at a 400: show or log its validationErrors, fix the data, and only then send it again.',
  certainty: 'response',
  judge: indexPerOperation((operation, evidence) =>
    flatMapInSteps(consecutivePairs(operation.clientAttempts), (pair) =>
      pair[0].outcome === 'invalid' && isSentUnchanged(...pair) ? [judgeUnchanged(operation, pair, evidence)] : [],
    ),
  ),
};

function judgeUnchanged(operation: Operation, [before, next]: AttemptPair, { history }: RetryEvidence): RuleFinding {
  const message = `${requestLine(next)} ${describeOutcome(before)} and was sent again unchanged`;
  const span = { from: before.start, to: next.start };
  const isNewRead = isReadOperation(operation) && history.hasWritesOfSubjectBetween(before, operation.endpoint, span);
  if (isNewRead) return note(`${message}; the client had written it in between`, before, next);
  return fail(message, before, next);
}

type RequestHeaders = Attempt['exchange']['request']['headers'];

/** True for headers that a 400 may be about. */
const isMeaningful = (name: string): boolean =>
  name === 'content-type' || name === 'content-encoding' || name === 'user-agent' || isSecretName(name);

const areSame = (a: RequestHeaders, b: RequestHeaders): boolean =>
  Object.keys({ ...a, ...b }).every((name) => !isMeaningful(name) || a[name] === b[name]);

/** True when a request repeats another byte for byte, apart from headers that no 400 is about. */
export const isSentUnchanged = ({ exchange: a }: Attempt, { exchange: b }: Attempt): boolean =>
  targetOf(a) === targetOf(b) &&
  normalizedContent(a.request.body) === normalizedContent(b.request.body) &&
  areSame(a.request.headers, b.request.headers);
