import type { Exchange } from '../../core/exchange/exchange.ts';
import { isReadOperation } from '../history/operation.ts';
import { retriesAfterFailure } from './r01-retry-after-failure.ts';
import { neverDelivered } from '../evidence/never-delivered.ts';
import { toAttempt } from '../history/attempt.ts';
import { isDescribed } from '../evidence/duplicate-effects.ts';
import { memoizePerJournal, requestLine } from './retry-rule.ts';
import type { RetryEvidence, RetryRule } from './retry-rule.ts';

/** Returns the number of the last request of each declared client that was done. */
const lastServed = memoizePerJournal(
  ({ history }: RetryEvidence): ReadonlyMap<string, number> =>
    new Map([...history.callers.declared].map(([id, sent]) => [id, lastServedOf(sent)])),
);

const lastServedOf = (sent: readonly Exchange[]): number =>
  sent.findLast((exchange) => toAttempt(exchange).outcome === 'success')?.number ?? 0;

export const outlivesRestart: RetryRule = {
  id: 'R13',
  title: 'what was confirmed as done is not lost over a restart',
  basis: {
    source: 'guidance',
    text: 'The local fallback holds what was confirmed to a person as done. A queue in memory ends with the program, and so does what waits in it.',
  },
  advice:
    'Write each operation to the disk before you send it, remove it when its response has arrived, and deliver what is left when the program starts.',
  certainty: 'response',
  judge(operation, evidence) {
    const { clientAttempts: own } = operation;
    const last = own.at(-1);
    // What took effect is not lost.
    if (!last || isReadOperation(operation) || operation.attempts.some(isDescribed)) return [];
    const { callers, restarts } = evidence.history;
    const declared = callers.declaredBy(last.exchange);
    const restart = restarts.between(last.exchange);
    // A new connection alone is no restart. Without a declared id, another client of the same program may have come instead.
    if (!restart?.isPlain || declared === undefined || last.outcome === 'in-flight') return [];
    if ((lastServed(evidence).get(declared) ?? 0) < restart.first.number) return [];
    const lost = [...retriesAfterFailure.judge(operation, evidence), ...neverDelivered(operation, evidence)].find(
      ({ level }) => level === 'fail',
    );
    const message = `${requestLine(last)} (${last.exchange.id}) failed before ${declared} was started again at ${restart.first.id}, and was never delivered since, though ${declared} did other work`;
    return lost ? [{ ...lost, message }] : [];
  },
};
