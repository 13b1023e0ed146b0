/** What is well formed in a fault, and yet can't be done. */
import { longestRealDelay } from '../../core/lib/duration.ts';
import type { ResponseMode } from '../../core/exchange/fault.ts';
import { lintHeaderNames, lintHeaderValues } from './header-diagnostics.ts';
import { getField, isObject, parseLeniently } from '../../core/validation/lenient-parse.ts';
import type { PartiallyValid } from '../../core/validation/lenient-parse.ts';
import type { Diagnostic } from '../../core/validation/schema-diagnostics.ts';
import { defaultRespond } from '../../faults/fault-rules.ts';
import { faultFields, distributionFields } from '../../faults/rule-schema.ts';

type LintedFault = PartiallyValid<typeof faultFields>;

export function lintFault(sent: unknown): Diagnostic[] {
  if (!isObject(sent)) return [];
  const fault = parseLeniently(faultFields, sent);
  return [
    ...lintNoEffect(fault, sent),
    ...lintRespondFields(fault),
    ...lintOwnResponse(fault),
    ...emptyFindings(fault),
    ...headerFindings(fault),
    ...lintDistribution(['delay'], getField(sent, 'delay')),
    ...realFindings(fault),
    ...lintDistribution(['dribble', 'interval'], getField(getField(sent, 'dribble'), 'interval')),
  ];
}

/** Fields of which one at least makes a fault do something. */
const doing = ['respond', 'status', 'end', 'delay', 'dribble', 'job'];

function lintNoEffect({ end }: LintedFault, sent: object): Diagnostic[] {
  const named = Object.keys(sent).filter((name) => doing.includes(name));
  if (named.length > 1 || (named.length === 1 && end !== 'normal')) return [];
  return [
    { path: [], message: `does nothing: name one of ${doing.join(', ')}, or write "ok" to let the call through` },
  ];
}

/** What a field is about, and the ways to respond that have such a thing. */
const parts: readonly (readonly [name: 'status' | 'bytes' | 'dribble', of: string, ways: readonly ResponseMode[]])[] = [
  ['status', 'is that of an answer of the fault’s own', ['status', 'headers', 'partial', 'bad-chunk']],
  ['bytes', 'says how much goes out of what is cut or made up', ['partial', 'bad-chunk', 'garbage']],
  ['dribble', 'is how a body goes out', ['full', 'status', 'partial', 'bad-chunk', 'garbage']],
];

function lintRespondFields(fault: LintedFault): Diagnostic[] {
  const respond = defaultRespond(fault);
  return parts.flatMap(([name, of, ways]) => {
    if (fault[name] === undefined || ways.includes(respond)) return [];
    return [{ path: [name], message: `${of}, and respond is ${respond}: it goes with ${ways.join(', ')}` }];
  });
}

const bodiless: ReadonlySet<number | undefined> = new Set([204, 205, 304]);

function lintOwnResponse({ respond, status, body, headers }: LintedFault): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (respond === 'status' && status === undefined) {
    found.push({ path: ['status'], message: 'is required: the status to respond with, as 504' });
  }
  for (const [name, given] of Object.entries({ body, headers })) {
    if (given === undefined || status !== undefined) continue;
    found.push({ path: [name], message: 'is part of an answer of the fault’s own: name its status too' });
  }
  if (body !== undefined && bodiless.has(status)) {
    found.push({ path: ['body'], message: `can't go with status ${status}, which has none` });
  }
  return found;
}

/** What cuts or spoils something that isn't there. */
function emptyFindings({ respond, status, bytes, dribble }: LintedFault): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (bodiless.has(status) && (respond === 'partial' || respond === 'bad-chunk')) {
    found.push({ path: ['respond'], message: `can't be ${respond} of status ${status}, which has no body` });
  }
  if (bodiless.has(status) && dribble !== undefined) {
    found.push({ path: ['dribble'], message: `can't go with status ${status}, which has no body` });
  }
  if (respond === 'garbage' && bytes === 0) {
    found.push({ path: ['bytes'], message: 'must be at least 1: no garbage at all is respond none' });
  }
  return found;
}

/** Headers that say where an answer ends: respond and bytes cut it. */
const framing: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

function headerFindings({ headers = {} }: LintedFault): Diagnostic[] {
  const framed = Object.keys(headers)
    .filter((name) => framing.has(name.toLowerCase()))
    .map((name) => ({
      path: [name],
      message: 'follows from the answer: to spoil it, use respond (partial, bad-chunk) and end',
    }));
  const found = [...lintHeaderNames(headers), ...lintHeaderValues(headers), ...framed];
  return found.map(({ path, message }) => ({ path: ['headers', ...path], message }));
}

/** What passes in real time is to end on the day it began. */
function realFindings({ delay }: LintedFault): Diagnostic[] {
  if (typeof delay !== 'object' || delay.time === 'virtual') return [];
  const { fixed = 0, uniform = [], lognormal } = delay;
  const lengths = { fixed, uniform: Math.max(0, ...uniform), lognormal: lognormal?.p99 ?? 0 };
  return Object.entries(lengths).flatMap(([way, longest]) => {
    if (longest <= longestRealDelay) return [];
    return [{ path: ['delay', way], message: 'must be at most 24h in real time; "time": "virtual" may take longer' }];
  });
}

const ways = ['fixed', 'uniform', 'lognormal'] as const;

function lintDistribution(path: readonly string[], sent: unknown): Diagnostic[] {
  if (!isObject(sent)) return [];
  const found: Diagnostic[] = [];
  const named = ways.filter((name) => name in sent);
  if (named.length !== 1) {
    const got = named.length === 0 ? 'none is there' : `${named.join(' and ')} are there`;
    found.push({ path, message: `must name exactly one of ${ways.join(', ')}: ${got}` });
  }
  const { uniform, lognormal } = parseLeniently(distributionFields, sent);
  if (uniform && uniform[0] > uniform[1]) {
    found.push({ path: [...path, 'uniform'], message: 'must name the least first, then the most' });
  }
  if (lognormal && !(lognormal.median > 0 && lognormal.median <= lognormal.p99)) {
    found.push({ path: [...path, 'lognormal'], message: 'must have a median above 0, and a p99 no less than it' });
  }
  return found;
}
