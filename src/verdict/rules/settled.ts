/** Finds failed attempts that need not be repeated: they are done, or nobody needs them any more. */
import { appendTo, lowerBound } from '../../core/lib/collections.ts';
import { parseJsonBody } from '../../core/exchange/operation-key.ts';
import { fieldsOfSent } from '../../core/exchange/subject.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { receipts } from '../../service/receipts/tables.ts';
import { cameByFile } from './receipt-files.ts';
import { changesBy, hasSuccessStatus, isAbortedByClient } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { isReadOperation } from '../history/operation.ts';
import type { Operation } from '../history/operation.ts';
import { describeOutcome, inconclusive, memoizePerJournal, note, requestLine } from './retry-rule.ts';
import type { RetryEvidence, RuleFinding } from './retry-rule.ts';

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
  if (isImported(operation, evidence)) return note(`${failed}; the receipt came in by file`, last);
  const later = supersedingChange(operation, last, evidence);
  return later && note(`${failed}; ${later.id} has replaced what it would have changed`, last);
}

/** True for a creation whose response holds an id that the client cannot know otherwise. */
function isIdNeeded({ endpoint }: Operation, { exchange: { response } }: Attempt): boolean {
  const body = parseJsonBody(response?.body);
  const isId = typeof body === 'string' || ['id', 'jobId', 'batchId'].some((name) => name in fieldsOfSent(body));
  return endpoint?.retry === 'unkeyed' && isId;
}

/** True for a receipt that a file brought, as a fallback of the request or beside it. */
function isImported({ endpoint, key, attempts }: Operation, { tenant }: RetryEvidence): boolean {
  if (endpoint?.id !== 'createReceipt' || key.by !== 'own-key' || key.value === undefined) return false;
  const isOwnWork = attempts.some((attempt) => changesBy(attempt).some(({ table }) => table === receipts.name));
  return cameByFile(tenant, key.value, isOwnWork);
}

/** The number of later changes of one thing that are searched. */
const maxSearched = 50;

/**
 * Returns the later change by the same caller that sets all that a failed one would have set: to repeat the older one
 * would undo the newer.
 */
function supersedingChange({ endpoint }: Operation, last: Attempt, evidence: RetryEvidence): Exchange | undefined {
  if (endpoint?.retry !== 'idempotent') return undefined;
  const { callers } = evidence.history;
  const changes = changesByTarget(evidence).get(targetOf(last.exchange)) ?? [];
  const set = settingsOf(last.exchange);
  if (set.length === 0) return undefined;
  const from = lowerBound(changes, ({ number }) => number > last.exchange.number);
  return changes.slice(from, from + maxSearched).find((later) => {
    if (callers.compare(last.exchange, later) === 'other') return false;
    const known = new Set(settingsOf(later));
    return set.every((name) => known.has(name));
  });
}

const targetOf = ({ method, path, query }: Exchange): string => `${method} ${path}?${query}`;

/** Holds the requests that may change something again without harm, by what they change. */
const changesByTarget = memoizePerJournal(({ history }: RetryEvidence): ReadonlyMap<string, readonly Exchange[]> => {
  const changes = new Map<string, Exchange[]>();
  for (const { exchange, endpoint } of history.entries) {
    if (endpoint?.retry === 'idempotent') appendTo(changes, targetOf(exchange), exchange);
  }
  return changes;
});

/** Returns what a body sets: its fields, those of objects in it, and the items of lists by their ids. */
const settingsOf = ({ request }: Exchange): string[] => {
  const body = parseJsonBody(request.body);
  return Array.isArray(body)
    ? []
    : Object.entries(fieldsOfSent(body)).flatMap(([name, value]) => innerSettings(name, value));
};

function innerSettings(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.map((item) => `${name}[${String(fieldsOfSent(item)['id'])}]`);
  const inner = Object.keys(fieldsOfSent(value));
  return inner.length === 0 ? [name] : inner.map((field) => `${name}.${field}`);
}
