import type { ConnectionEnd, Distribution, Fault, InjectedFault } from '../core/exchange/fault.ts';
import { compileActivation } from '../core/lib/activation.ts';
import type { Sampler } from '../core/lib/activation.ts';
import { RuleKind } from '../core/lib/rule-set.ts';
import type { ActiveRule, CompiledRule, SelectedFault } from '../core/lib/rule-set.ts';
import { compileRequestMatcher } from '../matching/request-matcher.ts';
import type { RequestMatcher } from '../matching/request-matcher.ts';
import type { RequestView } from '../matching/request-view.ts';
import { getField } from '../core/validation/lenient-parse.ts';
import { faultAliases, faultKindOf } from './fault-kinds.ts';
import { isRandom, requestPlaces, requestSampler, sample } from './sampling.ts';
import type { FaultSpec, RuleSpec } from './rule-schema.ts';

/** Holds a rule about requests ready for use. */
export interface FaultRule extends CompiledRule<RuleSpec, RequestView, Fault> {
  readonly matcher: RequestMatcher;
  /** True when it takes the body to decide whether the rule matches, or what is drawn for it. */
  readonly readsBody: boolean;
  /** True when it takes the operation that the request belongs to. */
  readonly readsOperation: boolean;
}

export type ActiveFaultRule = ActiveRule<FaultRule, RequestView>;

export const faultRuleKind = new RuleKind<RuleSpec, RequestView, Fault, FaultRule>({
  prefix: 'rule',
  addedPrefix: 'fault',
  compile: compileFaultRule,
});

function compileFaultRule(spec: RuleSpec, id: string): FaultRule {
  const faults = [spec.fault].flat().map(compileFault);
  const { match } = spec;
  const activation = compileActivation({ ...spec, nth: spec.nth ?? match?.nth }, faults.length);
  const isByChance = activation.probability < 1 || faults.some(isRandom);
  const isByPlace = activation.operation !== undefined || activation.attempt !== undefined;
  const matcher = compileRequestMatcher(match ?? {});
  return {
    id,
    spec,
    matcher,
    matches: (request) =>
      matcher.matchesTarget?.(request) !== false && matcher.predicates.every(({ matches }) => matches(request)),
    activation,
    faults,
    limit: activation.limit,
    createSampler: isByChance ? () => requestSampler(id) : undefined,
    createPlaceCounter: isByPlace ? requestPlaces : undefined,
    readsBody: match?.body !== undefined || match?.contact !== undefined || isByChance || isByPlace,
    readsOperation: isByChance || isByPlace,
  };
}

/** Returns the fault with the lengths of time that are drawn for this request. */
export const injectedFault = ({ rule, hit, fault, sampler }: SelectedFault<Fault>): InjectedFault => ({
  rule,
  hit,
  fault,
  ...drawLengths(fault, sampler),
});

const drawLengths = (
  { delay, dribble }: Fault,
  sampler: Sampler = () => 0,
): Pick<InjectedFault, 'delay' | 'chunkDelays'> => ({
  delay: delay ? sample(delay.distribution, sampler, 'delay') : 0,
  chunkDelays: dribble
    ? Array.from({ length: dribble.chunks - 1 }, (_, i) => sample(dribble.interval, sampler, `pause/${i}`))
    : noDelays,
});

const noDelays: readonly number[] = [];

type FaultObjectSpec = Exclude<FaultSpec, string | number>;

interface ResponseFields {
  readonly respond?: string | undefined;
  readonly status?: number | undefined;
  readonly end?: ConnectionEnd | undefined;
}

type GivenFault = Omit<FaultObjectSpec, 'respond'> & ResponseFields;

/** Returns the kind of a fault (default: `status` with a status, `none` with an unusual end, otherwise `full`). */
export function defaultRespond({ respond, status, end = 'normal' }: ResponseFields): string {
  if (respond !== undefined) return respond;
  if (status !== undefined) return 'status';
  return end === 'normal' ? 'full' : 'none';
}

/** Returns a fault with everything that it leaves to its defaults: two that bring about the same are equal. */
export function compileFault(spec: FaultSpec): Fault {
  const alias = typeof spec === 'string' ? faultAliases.get(spec) : undefined;
  // A text is a name, or a status.
  const given: GivenFault = alias ?? (typeof spec === 'object' ? spec : { status: Number(spec) });
  const { phase = 'before', status, end = 'normal', body, headers = {}, delay, dribble, job } = given;
  const respond = defaultRespond(given);
  const names = Object.keys(faultKindOf(respond).fields);
  return {
    phase,
    respond,
    status,
    end,
    body,
    headers,
    options: Object.fromEntries(names.map((name) => [name, getField(given, name)])),
    job,
    delay: delay === undefined ? undefined : { distribution: toDistribution(delay), time: timeOf(delay) },
    dribble: dribble && { chunks: dribble.chunks, interval: toDistribution(dribble.interval) },
  };
}

type WrittenDelay = NonNullable<FaultObjectSpec['delay']>;

const timeOf = (delay: WrittenDelay): 'real' | 'virtual' =>
  typeof delay === 'object' ? (delay.time ?? 'real') : 'real';

function toDistribution(delay: WrittenDelay): Distribution {
  if (typeof delay === 'number') return { fixed: delay };
  const { fixed = 0, uniform, lognormal } = delay;
  if (uniform) return { uniform };
  return lognormal ? { lognormal } : { fixed };
}
