/** Reports faults whose fields are valid one by one and can't be carried out together. */
import { errorAt, under } from '../../core/validation/diagnostic.ts';
import { longestRealDelay } from '../../core/lib/duration.ts';
import { lintHeaderNames, lintHeaderValues } from './header-diagnostics.ts';
import { getField, isObject, parseLeniently } from '../../core/validation/lenient-parse.ts';
import type { PartiallyValid } from '../../core/validation/lenient-parse.ts';
import type { Diagnostic } from '../../core/validation/diagnostic.ts';
import { faultKindOf, faultKinds } from '../../faults/fault-kinds.ts';
import { defaultRespond } from '../../faults/fault-rules.ts';
import type { FaultKind } from '../../faults/kinds/fault-kind.ts';
import { hasNoBody } from '../../faults/kinds/fault-kind.ts';
import { faultFields, distributionFields } from '../../faults/rule-schema.ts';

type LintedFault = PartiallyValid<typeof faultFields>;

export function lintFault(sent: unknown): Diagnostic[] {
  if (!isObject(sent)) return [];
  const fault = parseLeniently(faultFields, sent);
  return [
    ...lintNoEffect(fault, sent),
    ...lintRespondFields(fault),
    ...lintOwnResponse(fault),
    ...lintKind(fault),
    ...lintFaultHeaders(fault),
    ...lintDistribution(['delay'], getField(sent, 'delay')),
    ...lintRealTime(fault),
    ...lintDistribution(['dribble', 'interval'], getField(getField(sent, 'dribble'), 'interval')),
  ];
}

/** Names the fields of which a fault needs at least one to do anything. */
const doing = ['respond', 'status', 'end', 'delay', 'dribble', 'job'];

function lintNoEffect({ end }: LintedFault, sent: object): Diagnostic[] {
  const named = Object.keys(sent).filter((name) => doing.includes(name));
  if (named.length > 1 || (named.length === 1 && end !== 'normal')) return [];
  return [errorAt([], `does nothing: name one of ${doing.join(', ')}, or write "ok" to let the call through`)];
}

/** Holds what a field is about, and which kinds have such a thing. */
interface FieldUse {
  readonly name: string;
  readonly about: string;
  readonly isUsedBy: (kind: FaultKind) => boolean;
}

const ownFields = [...new Set(faultKinds.flatMap(({ fields }) => Object.keys(fields)))];

const fieldUses: readonly FieldUse[] = [
  {
    name: 'status',
    about: 'is the status of a response made by the fault',
    isUsedBy: ({ source }) => source === 'own' || source === 'either',
  },
  { name: 'dribble', about: 'is how a body is sent', isUsedBy: ({ hasBody }) => hasBody },
  ...ownFields.map((name) => ({
    name,
    about:
      name === 'bytes' ? 'limits how much of a cut or made-up response is sent' : 'belongs to other kinds of faults',
    isUsedBy: ({ fields }: FaultKind) => name in fields,
  })),
];

function lintRespondFields(fault: LintedFault): Diagnostic[] {
  const respond = defaultRespond(fault);
  const kind = faultKindOf(respond);
  return fieldUses.flatMap(({ name, about, isUsedBy }) => {
    if (getField(fault, name) === undefined || isUsedBy(kind)) return [];
    const ways = faultKinds.filter(isUsedBy).map((one) => one.name);
    return [errorAt([name], `${about}, and respond is ${respond}: it goes with ${ways.join(', ')}`)];
  });
}

function lintOwnResponse({ status, body, headers }: LintedFault): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const [name, given] of Object.entries({ body, headers })) {
    if (given === undefined || status !== undefined) continue;
    found.push(errorAt([name], 'is part of a response made by the fault: name its status too'));
  }
  if (body !== undefined && hasNoBody(status)) {
    found.push(errorAt(['body'], `can't go with status ${status}, which has none`));
  }
  return found;
}

/** Finds what contradicts the kind of the fault, and a body to dribble where there is none. */
function lintKind(fault: LintedFault): Diagnostic[] {
  const { status, dribble, respond } = fault;
  const found: Diagnostic[] = [];
  if (hasNoBody(status) && dribble !== undefined) {
    found.push(errorAt(['dribble'], `can't go with status ${status}, which has no body`));
  }
  const wrong = respond === undefined ? [] : (faultKindOf(respond).diagnose?.({ status, options: fault }) ?? []);
  return [...wrong.map(({ field, message }) => errorAt([field], message)), ...found];
}

/** Names the headers that say where a response ends: respond and bytes cut it. */
const framing: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

function lintFaultHeaders({ headers = {} }: LintedFault): Diagnostic[] {
  const framed = Object.keys(headers)
    .filter((name) => framing.has(name.toLowerCase()))
    .map((name) =>
      errorAt([name], 'follows from the response: to corrupt it, use respond (partial, bad-chunk) and end'),
    );
  const found = [...lintHeaderNames(headers), ...lintHeaderValues(headers), ...framed];
  return found.map(under('headers'));
}

/** Reports delays in real time of more than a day. */
function lintRealTime({ delay }: LintedFault): Diagnostic[] {
  if (typeof delay !== 'object' || delay.time === 'virtual') return [];
  const { fixed = 0, uniform = [], lognormal } = delay;
  const lengths = { fixed, uniform: Math.max(0, ...uniform), lognormal: lognormal?.p99 ?? 0 };
  return Object.entries(lengths).flatMap(([way, longest]) => {
    if (longest <= longestRealDelay) return [];
    return [errorAt(['delay', way], 'must be at most 24h in real time; "time": "virtual" may take longer')];
  });
}

const ways = ['fixed', 'uniform', 'lognormal'] as const;

function lintDistribution(path: readonly string[], sent: unknown): Diagnostic[] {
  if (!isObject(sent)) return [];
  const found: Diagnostic[] = [];
  const named = ways.filter((name) => name in sent);
  if (named.length !== 1) {
    const got = named.length === 0 ? 'none is there' : `${named.join(' and ')} are there`;
    found.push(errorAt(path, `must name exactly one of ${ways.join(', ')}: ${got}`));
  }
  const { uniform, lognormal } = parseLeniently(distributionFields, sent);
  if (uniform && uniform[0] > uniform[1]) {
    found.push(errorAt([...path, 'uniform'], 'must name the least first, then the most'));
  }
  if (lognormal && !(lognormal.median > 0 && lognormal.median <= lognormal.p99)) {
    found.push(errorAt([...path, 'lognormal'], 'must have a median above 0, and a p99 no less than it'));
  }
  return found;
}
