/** Checks what came in: how often, in which order, and nothing else. */
import { plural } from '../../core/lib/plural.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { RequestView } from '../../matching/request-view.ts';
import type { Expectation } from '../../scenario/expectations/expectation-schema.ts';
import type { ExpectedRequest } from '../../scenario/expectations/expected-request-schema.ts';
import { requestPattern, isFromScript } from './request-pattern.ts';
import { describeExpectedRequest, findRequests, describeNearestRequests } from './matched-requests.ts';
import { requestId, listIds } from './journal-evidence.ts';
import type { JournalEvidence, MatchedRequests } from './journal-evidence.ts';
import type { Check } from '../verdict.ts';

/** Holds the result of a check, without a description of what was expected. */
export type CheckResult = Omit<Check, 'description'>;

interface Bounds {
  readonly least: number;
  readonly most: number;
}

export function countBounds({ exactly, atLeast, atMost, never }: Expectation): Bounds {
  if (never) return { least: 0, most: 0 };
  if (exactly !== undefined) return { least: exactly, most: exactly };
  return { least: atLeast ?? (atMost === undefined ? 1 : 0), most: atMost ?? Number.POSITIVE_INFINITY };
}

const times = (count: number): string => plural(count, 'time');

export function describeBounds({ least, most }: Bounds): string {
  if (most === 0) return 'never';
  if (least === most) return `exactly ${times(least)}`;
  if (most === Number.POSITIVE_INFINITY) return `at least ${times(least)}`;
  return least === 0 ? `at most ${times(most)}` : `${least} to ${times(most)}`;
}

/** Checks a count; dropped requests and those in flight may add to it. */
export function checkCount(evidence: JournalEvidence, wanted: ExpectedRequest, bounds: Bounds): CheckResult {
  const kind = requestPattern(wanted);
  const { found, ids: requests, open, undecided } = findRequests(evidence, kind);
  const expected = `expected ${describeExpectedRequest(wanted)} ${describeBounds(bounds)}, got ${found.length}`;
  const got = found.length > 0 ? `${expected} (${listIds(found)})` : expected;
  const possible = found.length + open.length + undecided.length + evidence.evicted;
  if (found.length > bounds.most) return { verdict: 'FAIL', reason: got, requests };
  if (possible < bounds.least) {
    return { verdict: 'FAIL', reason: [got, ...describeNearestRequests(evidence, kind)].join('; '), requests };
  }
  if (found.length >= bounds.least && possible <= bounds.most)
    return { verdict: 'PASS', reason: got.replace('expected ', ''), requests };
  return { verdict: 'INCONCLUSIVE', reason: `${got}; ${describeUncertainty({ open, undecided }, evidence)}`, requests };
}

function describeUncertainty(
  { open = [], undecided = [] }: Partial<Pick<MatchedRequests, 'open' | 'undecided'>>,
  evidence: JournalEvidence,
): string {
  const inFlight = open.length > 0 ? [`${listIds(open)} ${open.length === 1 ? 'is' : 'are'} still in flight`] : [];
  const unread =
    undecided.length > 0
      ? [`${listIds(undecided)} ${undecided.length === 1 ? 'holds' : 'hold'} a text that is too long for its pattern`]
      : [];
  return [...inFlight, ...unread, ...evictedWords(evidence)].join('; ');
}

/** Explains why the journal is incomplete. */
const evictedWords = ({ evicted }: JournalEvidence): string[] =>
  evicted === 0
    ? []
    : [
        `the journal dropped ${evicted} older ${evicted === 1 ? 'request' : 'requests'} that may have been among them; give it more room with --journal-bytes`,
      ];

/** Checks an order: each request is searched after the one before it, and others may come in between. */
export function checkOrder(evidence: JournalEvidence, order: readonly ExpectedRequest[]): CheckResult {
  const met: RequestView[] = [];
  for (const wanted of order) {
    const call = findRequests(evidence, requestPattern(wanted)).found.find(
      (one) => numberOf(one) > numberOf(met.at(-1)),
    );
    if (!call) return outOfOrder(evidence, wanted, met);
    met.push(call);
  }
  return { verdict: 'PASS', reason: listIds(met), requests: met.map(requestId) };
}

const numberOf = (view: RequestView | undefined): number => view?.call.exchange.number ?? 0;

function outOfOrder(evidence: JournalEvidence, wanted: ExpectedRequest, met: readonly RequestView[]): CheckResult {
  const kind = requestPattern(wanted);
  const { found, open, undecided } = findRequests(evidence, kind);
  const last = met.at(-1);
  const after = last ? ` after ${describeExpectedRequest(toExpectedRequest(last))} (${requestId(last)})` : '';
  const earlier =
    found.length > 0 ? [`it was only received before: ${listIds(found)}`] : describeNearestRequests(evidence, kind);
  const isUnknown = open.length + undecided.length + evidence.evicted > 0;
  const why = isUnknown ? [describeUncertainty({ open, undecided }, evidence)] : earlier;
  return {
    verdict: isUnknown ? 'INCONCLUSIVE' : 'FAIL',
    reason: [`expected ${describeExpectedRequest(wanted)}${after}, which was not received`, ...why].join('; '),
    requests: met.map(requestId),
  };
}

const toExpectedRequest = ({
  call: {
    exchange: { method, path },
  },
}: RequestView): ExpectedRequest => ({ method, path });

/** Returns the requests that expectations name as allowed. */
export const namedRequests = (expectations: readonly Expectation[]): ExpectedRequest[] =>
  expectations.flatMap((expectation) => {
    const { request, order = [], allow = [] } = expectation;
    return [...(request && countBounds(expectation).most > 0 ? [request] : []), ...order, ...allow];
  });

export function checkUnexpected(evidence: JournalEvidence, named: readonly ExpectedRequest[]): CheckResult {
  const unserved = evidence.calls.filter(({ call }) => call.endpoint === undefined);
  const served = evidence.calls.filter((view) => view.call.endpoint !== undefined && !isFromScript(view));
  const sought = named.map((wanted) => findRequests(evidence, requestPattern(wanted)));
  const expected = new Set(sought.flatMap(({ found }) => found));
  const unread = new Set(sought.flatMap(({ undecided }) => undecided).filter((call) => !expected.has(call)));
  const unnamed = served.filter((call) => !expected.has(call) && !unread.has(call));
  const reasons = [
    ...(unserved.length > 0 ? [`no endpoint serves ${describeRequests(unserved)}`] : []),
    ...(unnamed.length > 0 ? [`no expectation names ${describeRequests(unnamed)}`] : []),
  ];
  const requests = [...unserved, ...unnamed].map(requestId);
  if (reasons.length > 0) return { verdict: 'FAIL', reason: reasons.join('; '), requests };
  if (evidence.evicted + unread.size > 0)
    return { verdict: 'INCONCLUSIVE', reason: describeUncertainty({ undecided: [...unread] }, evidence), requests };
  return { verdict: 'PASS', reason: `none among ${plural(evidence.calls.length, 'request')}`, requests };
}

const maxListed = 5;

function describeRequests(calls: readonly RequestView[]): string {
  const words = calls
    .slice(0, maxListed)
    .map(({ call: { exchange } }) => `${exchange.method} ${exchange.path} (${nearTo(exchange)})`);
  return [...words, ...(calls.length > maxListed ? [`${calls.length - maxListed} more`] : [])].join(', ');
}

const nearTo = ({ id, nearest: near }: Exchange): string => (near === undefined ? id : `${id}; the nearest is ${near}`);
