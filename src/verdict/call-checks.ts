/** Checks of what came in: how often, in which order, and nothing else. */
import type { Exchange } from '../core/journal.ts';
import type { Asked } from '../scenario/asked.ts';
import type { Expectation } from '../scenario/expectation-schema.ts';
import type { ExpectedCall } from '../scenario/expected-call-schema.ts';
import { callKind } from './call-kind.ts';
import { callWords, findCalls, nearest } from './calls.ts';
import { idOf, listed } from './evidence.ts';
import type { Evidence } from './evidence.ts';
import { isFromScript } from './script-step.ts';
import type { Check } from './verdict.ts';

/** What a check found, without saying what was expected. */
export type Found = Omit<Check, 'description'>;

interface Bounds {
  readonly least: number;
  readonly most: number;
}

export function boundsOf({ exactly, atLeast, atMost, never }: Expectation): Bounds {
  if (never) return { least: 0, most: 0 };
  if (exactly !== undefined) return { least: exactly, most: exactly };
  return { least: atLeast ?? (atMost === undefined ? 1 : 0), most: atMost ?? Number.POSITIVE_INFINITY };
}

const times = (count: number): string => `${count} ${count === 1 ? 'time' : 'times'}`;

export function boundsWords({ least, most }: Bounds): string {
  if (most === 0) return 'never';
  if (least === most) return `exactly ${times(least)}`;
  if (most === Number.POSITIVE_INFINITY) return `at least ${times(least)}`;
  return least === 0 ? `at most ${times(most)}` : `${least} to ${times(most)}`;
}

/** A count is known from below: what was evicted, or isn't over yet, may have been more of the same. */
export function checkCount(evidence: Evidence, wanted: ExpectedCall, bounds: Bounds): Found {
  const kind = callKind(wanted);
  const { found, ids: calls, open } = findCalls(evidence, kind);
  const expected = `expected ${callWords(wanted)} ${boundsWords(bounds)}, got ${found.length}`;
  const got = found.length > 0 ? `${expected} (${listed(found)})` : expected;
  const possible = found.length + open.length + evidence.evicted;
  if (found.length > bounds.most) return { verdict: 'FAIL', reason: got, calls };
  if (possible < bounds.least) {
    return { verdict: 'FAIL', reason: [got, ...nearest(evidence, kind)].join('; '), calls };
  }
  if (found.length >= bounds.least && possible <= bounds.most)
    return { verdict: 'PASS', reason: got.replace('expected ', ''), calls };
  return { verdict: 'INCONCLUSIVE', reason: `${got}; ${unknownWords(open, evidence)}`, calls };
}

function unknownWords(open: readonly Asked[], evidence: Evidence): string {
  const under = open.length > 0 ? [`${listed(open)} ${open.length === 1 ? 'is' : 'are'} still under way`] : [];
  return [...under, ...evictedWords(evidence)].join('; ');
}

/** Why what the journal holds isn't all there was. */
const evictedWords = ({ evicted }: Evidence): string[] =>
  evicted === 0
    ? []
    : [
        `the journal dropped ${evicted} older ${evicted === 1 ? 'call' : 'calls'} that may have been among them; give it more room with --journal-bytes`,
      ];

/** Others may stand in between: each is looked for after the one before it. */
export function checkOrder(evidence: Evidence, order: readonly ExpectedCall[]): Found {
  const met: Asked[] = [];
  for (const wanted of order) {
    const call = findCalls(evidence, callKind(wanted)).found.find((one) => numberOf(one) > numberOf(met.at(-1)));
    if (!call) return outOfOrder(evidence, wanted, met);
    met.push(call);
  }
  return { verdict: 'PASS', reason: listed(met), calls: met.map(idOf) };
}

const numberOf = (asked: Asked | undefined): number => asked?.call.exchange.number ?? 0;

function outOfOrder(evidence: Evidence, wanted: ExpectedCall, met: readonly Asked[]): Found {
  const kind = callKind(wanted);
  const { found, open } = findCalls(evidence, kind);
  const last = met.at(-1);
  const after = last ? ` after ${callWords(wantedOf(last))} (${idOf(last)})` : '';
  const earlier = found.length > 0 ? [`it only came before: ${listed(found)}`] : nearest(evidence, kind);
  const isUnknown = open.length > 0 || evidence.evicted > 0;
  const why = isUnknown ? [unknownWords(open, evidence)] : earlier;
  return {
    verdict: isUnknown ? 'INCONCLUSIVE' : 'FAIL',
    reason: [`expected ${callWords(wanted)}${after}, which did not come`, ...why].join('; '),
    calls: met.map(idOf),
  };
}

const wantedOf = ({
  call: {
    exchange: { method, path },
  },
}: Asked): ExpectedCall => ({ method, path });

/** The calls that expectations name as such that may come in. */
export const namedCalls = (expectations: readonly Expectation[]): ExpectedCall[] =>
  expectations.flatMap((expectation) => {
    const { call, order = [], allow = [] } = expectation;
    return [...(call && boundsOf(expectation).most > 0 ? [call] : []), ...order, ...allow];
  });

export function checkUnexpected(evidence: Evidence, named: readonly ExpectedCall[]): Found {
  const unserved = evidence.calls.filter(({ call }) => call.endpoint === undefined);
  const served = evidence.calls.filter((asked) => asked.call.endpoint !== undefined && !isFromScript(asked));
  const expected = new Set(named.flatMap((wanted) => findCalls(evidence, callKind(wanted)).found));
  const unnamed = served.filter((call) => !expected.has(call));
  const reasons = [
    ...(unserved.length > 0 ? [`no endpoint serves ${told(unserved)}`] : []),
    ...(unnamed.length > 0 ? [`no expectation names ${told(unnamed)}`] : []),
  ];
  const calls = [...unserved, ...unnamed].map(idOf);
  if (reasons.length > 0) return { verdict: 'FAIL', reason: reasons.join('; '), calls };
  if (evidence.evicted > 0) return { verdict: 'INCONCLUSIVE', reason: unknownWords([], evidence), calls };
  return { verdict: 'PASS', reason: `none among ${evidence.calls.length} calls`, calls };
}

const maxTold = 5;

function told(calls: readonly Asked[]): string {
  const words = calls
    .slice(0, maxTold)
    .map(({ call: { exchange } }) => `${exchange.method} ${exchange.path} (${nearTo(exchange)})`);
  return [...words, ...(calls.length > maxTold ? [`${calls.length - maxTold} more`] : [])].join(', ');
}

const nearTo = ({ id, nearest: near }: Exchange): string => (near === undefined ? id : `${id}; the nearest is ${near}`);
