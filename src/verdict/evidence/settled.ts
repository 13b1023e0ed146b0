/** Finds failed attempts that need not be repeated: they are done, or nobody needs them any more. */
import { parseJsonBody } from '../../core/exchange/operation-key.ts';
import { fieldsOfSent } from '../../core/exchange/subject.ts';
import { lateWrites, replacementsOf, setBackBy } from './field-writes.ts';
import { changesBy, hasSuccessStatus, isAbortedByClient } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { isReadOperation, ownKeyOf } from '../history/operation.ts';
import type { Operation } from '../history/operation.ts';
import { describeOutcome, inconclusive, note, requestLine, shortList } from '../rules/retry-rule.ts';
import type { RetryEvidence, RuleFinding } from '../rules/retry-rule.ts';

/** Finds why a failed attempt need not be repeated: it is done, or nobody needs it any more. */
export function settledOtherwise(
  operation: Operation,
  last: Attempt,
  evidence: RetryEvidence,
): RuleFinding | undefined {
  const failed = `${requestLine(last)} ${describeOutcome(last)}`;
  if (isReadOperation(operation)) {
    const isImpatient = isAbortedByClient(last) && last.exchange.fault?.fault.respond === 'full';
    return isImpatient ? note(`${failed}: it did not wait for a slow response`, last) : undefined;
  }
  if (hasSuccessStatus(last)) {
    const message = `${failed}; its status ${last.exchange.delivered?.status} says that it was done`;
    if (!isIdNeeded(operation, last)) return note(message, last);
    return inconclusive(`${message}, but only the body has the id of what was created`, last);
  }
  const brought = broughtOtherwise(operation, evidence);
  if (brought !== undefined) return note(`${failed}; ${brought}`, last);
  const later = replacementsOf(operation, evidence).map(({ id }) => id);
  if (later.length === 0) return undefined;
  const back = setBackBy(operation, evidence);
  if (back) {
    const story = `${failed}; ${shortList(later)} replaced what it would have changed, and ${back.id} set it back`;
    return inconclusive(`${story}: late, over what is newer, unless it was meant again`, last);
  }
  if (lateWrites(evidence).has(operation))
    return note(`${failed}; it took effect after ${shortList(later)}, which was to replace it`, last);
  const have = later.length === 1 ? 'has' : 'have';
  return note(`${failed}; ${shortList(later)} ${have} replaced what it would have changed`, last);
}

/** True for a creation whose response holds an id that the client cannot know otherwise. */
function isIdNeeded({ endpoint }: Operation, { exchange: { response } }: Attempt): boolean {
  const body = parseJsonBody(response?.body);
  const isId = typeof body === 'string' || ['id', 'jobId', 'batchId'].some((name) => name in fieldsOfSent(body));
  return endpoint?.retry === 'unkeyed' && isId;
}

/** Says what brought in what a write was to create, as a fallback of its requests or in addition to them. */
function broughtOtherwise(operation: Operation, { tenant }: RetryEvidence): string | undefined {
  const { endpoint, attempts } = operation;
  const key = endpoint?.broughtOtherwise && ownKeyOf(operation);
  if (key === undefined) return undefined;
  const changedTables = new Set(attempts.flatMap((attempt) => changesBy(attempt).map(({ table }) => table)));
  return endpoint?.broughtOtherwise?.(tenant, key, changedTables);
}
