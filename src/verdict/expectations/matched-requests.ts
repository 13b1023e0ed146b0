/** Finds the requests that an expectation means, and how others differ from them. */
import { faultKindOf } from '../../faults/fault-kinds.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { IndexInSteps } from '../../core/time/index-in-steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { RequestView } from '../../matching/request-view.ts';
import type { ExpectedRequest } from '../../scenario/expectations/expected-request-schema.ts';
import { matchesStatus } from '../../matching/status-matcher.ts';
import { describeValueMatcher } from '../../matching/value-matcher.ts';
import { matchesAllFields, requestDifferences } from './request-pattern.ts';
import type { RequestPattern } from './request-pattern.ts';
import { requestId, isCompleted } from './journal-evidence.ts';
import type { JournalEvidence, MatchedRequests } from './journal-evidence.ts';

/** Describes how the response to a request differs from the expected ones. */
function responseDifferences({ spec: { status, delivered } }: RequestPattern, view: RequestView): string[] {
  const { exchange } = view.call;
  if (!isCompleted(view)) return status === undefined && delivered === undefined ? [] : ['it is still in flight'];
  const hasStatus = status === undefined || [status].flat().some((one) => matchesStatus(one, exchange.status));
  const got = deliveredOf(exchange);
  return [
    ...(hasStatus ? [] : [`its status is ${exchange.status ?? 'none'}`]),
    ...(delivered === undefined || delivered === got ? [] : [`delivered is ${got}`]),
  ];
}

/** Returns how much of a response the client got. */
function deliveredOf({ delivered, fault }: Exchange): NonNullable<ExpectedRequest['delivered']> {
  if (!delivered) return 'complete';
  if (delivered.status === undefined && delivered.bytes === 0) return 'none';
  const isWhole = delivered.end === 'normal' && fault !== undefined && faultKindOf(fault.fault.respond).isComplete;
  return isWhole ? 'complete' : 'partial';
}

/** Finds requests, once per pattern: many expectations differ only in the number that they expect. */
export function findRequests(evidence: JournalEvidence, kind: RequestPattern): MatchedRequests {
  const name = JSON.stringify(kind.spec);
  const known = evidence.matchCache.get(name) ?? new IndexInSteps(() => callsOf(evidence, kind));
  evidence.matchCache.set(name, known);
  return known.value;
}

function* callsOf({ index }: JournalEvidence, kind: RequestPattern): Steps<MatchedRequests> {
  const meant: RequestView[] = [];
  const undecided = new Set<RequestView>();
  for (const [i, call] of index.candidates(kind).entries()) {
    if (i % 250 === 249) yield;
    const match = yield* matchesAllFields(kind, call);
    if (match === false) continue;
    meant.push(call);
    if (match === undefined) undecided.add(call);
  }
  const responded = meant.filter((call) => responseDifferences(kind, call).length === 0);
  const found = responded.filter((call) => !undecided.has(call));
  return {
    found,
    ids: found.map(requestId),
    open: meant.filter((call) => !isCompleted(call) && !found.includes(call)),
    undecided: responded.filter((call) => undecided.has(call) && isCompleted(call)),
  };
}

const maxNear = 3;

/** Limits the requests with one field in common that are searched for near misses. */
const maxLookedAt = 20;

/** Describes the nearest requests and their differences: `default-3 differs: body.storeExternalId is "100"`. */
export function describeNearestRequests({ calls, index }: JournalEvidence, kind: RequestPattern): string[] {
  const near = index
    .nearCandidates(kind, maxLookedAt)
    .map((call) => ({ call, reasons: [...requestDifferences(kind, call), ...responseDifferences(kind, call)] }))
    .filter(({ reasons }) => reasons.length > 0)
    .toSorted((a, b) => a.reasons.length - b.reasons.length)
    .slice(0, maxNear);
  if (near.length > 0) return near.map(({ call, reasons }) => `${requestId(call)} differs: ${reasons.join(', ')}`);
  const last = calls.at(-1)?.call.exchange;
  if (!last) return ['no request arrived'];
  if (index.atTarget(kind).length > 0) return [];
  return [`no request went there; the last of ${calls.length} was ${last.method} ${last.path} (${last.id})`];
}

/** Describes an expected request: `POST /api/v3/receipts with body.storeExternalId "600"`. */
export function describeExpectedRequest(wanted: ExpectedRequest): string {
  const { endpoint = [], method, path, by } = wanted;
  const target = [[endpoint].flat().join(' or '), method?.toUpperCase(), path].filter(Boolean).join(' ');
  const sender = by === undefined ? '' : ` sent by a ${by}`;
  const conditions = conditionWords(wanted);
  return `${target || 'any request'}${sender}${conditions.length > 0 ? ` with ${conditions.join(' and ')}` : ''}`;
}

function conditionWords({ query, headers: header, body, contact, status, delivered }: ExpectedRequest): string[] {
  const values = Object.entries({ query, header, body }).flatMap(([where, wanted]) =>
    Object.entries(wanted ?? {}).map(([name, value]) => `${where}.${name} ${describeValueMatcher(value)}`),
  );
  return [
    ...values,
    ...(contact === undefined ? [] : [`contact ${contact}`]),
    ...(status === undefined ? [] : [`status ${[status].flat().join(' or ')}`]),
    ...(delivered === undefined ? [] : [`delivered ${delivered}`]),
  ];
}
