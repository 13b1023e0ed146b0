import { someInSteps } from '../../core/time/steps.ts';
import type { Operation } from '../history/operation.ts';
import { isConfirmedByRead } from '../history/read-back.ts';
import { isDated } from '../history/request-content.ts';
import { wasSeenDone } from '../evidence/bursts.ts';
import {
  describeDuplicateEffects,
  describeSecondEffect,
  isDescribed,
  mayBecomeDuplicate,
} from '../evidence/duplicate-effects.ts';
import { describeOutcome, fail, inconclusive, indexPerOperation, requestLine } from './retry-rule.ts';
import type { RetryEvidence, RetryRule, RuleFinding } from './retry-rule.ts';
import { sentAgain } from '../evidence/sent-again.ts';
import { workDoneAgain } from '../evidence/work-done-again.ts';

export const takesEffectOnce: RetryRule = {
  id: 'R10',
  title: 'nothing took effect twice',
  basis: {
    source: 'guidance',
    text: 'What a client does once may take effect once. A non-idempotent write without a key takes effect again with each repeat.',
  },
  advice:
    'Give the request a key of its own and keep it over all attempts, or read back whether it took effect before you repeat it.',
  certainty: 'response',
  judgesPlain: true,
  judge(operation, evidence) {
    const { isPending } = evidence;
    const { attempts, repeatedAs } = operation;
    const [first] = attempts;
    const again = workDoneAgain(evidence).get(operation) ?? sentAgain(evidence).get(operation) ?? none;
    // Most operations are one attempt, which can't have done the same twice.
    if (attempts.length === 1 && !repeatedAs) return again;
    if (first && mayBecomeDuplicate(operation, isPending)) {
      const message = `work of ${requestLine(first)} is still queued: it is not known yet whether it takes effect twice`;
      return [inconclusive(message, attempts)];
    }
    const duplicates = describeDuplicateEffects(operation, evidence);
    const isMeantAgain = duplicates.length > 0 && isRepeatedKnowingly(operation, evidence);
    return [
      ...duplicates.map(({ message, attempts: concerned }) =>
        isMeantAgain ? inconclusive(`${message}; ${newWork}`, concerned) : fail(message, concerned),
      ),
      ...repeatedInOtherForm(operation, evidence),
      ...again,
    ];
  },
};

const none: readonly RuleFinding[] = [];

/** True when an attempt was sent although its client had read back that the work was done. */
const isRepeatedKnowingly = indexPerOperation((operation, { history }) =>
  someInSteps(operation.attempts, (next) => wasSeenDone(operation, next, history)),
);

const newWork = 'unless it was meant as a new operation: the client had read back that it was done';

/** Finds what took effect twice because it was done again in parts, or by another endpoint. */
function repeatedInOtherForm(operation: Operation, { tenant, history }: RetryEvidence): RuleFinding[] {
  const { attempts, endpoint, repeatedAs = [] } = operation;
  const before = repeatedAs.length === 0 ? undefined : attempts.findLast(isDescribed);
  if (!before) return [];
  return repeatedAs.flatMap((next) =>
    describeSecondEffect(operation, [before, next], tenant).map((sentence) => {
      const message = `${sentence}: ${requestLine(before)} took effect (${before.exchange.id} ${describeOutcome(before)}), and again as ${requestLine(next)} (${next.exchange.id})`;
      // The client has seen a part of it, and may know from that that all was done.
      const mayBeNew = !isDated(next.exchange) && isConfirmedByRead(attempts, { history, endpoint, next });
      return mayBeNew ? inconclusive(`${message}; ${newWork}`, before, next) : fail(message, before, next);
    }),
  );
}
