/** A rule as it was written, made ready to be asked about calls. */
import type { Fault, ResponseMode, Distribution } from '../core/exchange/fault.ts';
import { compileActivation } from './activation.ts';
import type { Activation } from './activation.ts';
import { isRandom } from './sampling.ts';
import { isFaultName, namedFaults } from './named-faults.ts';
import { compileRequestMatcher } from '../matching/request-matcher.ts';
import type { RequestMatcher } from '../matching/request-matcher.ts';
import type { FaultSpec, RuleSpec } from './rule-schema.ts';

export interface CompiledRule {
  readonly id: string;
  readonly written: RuleSpec;
  readonly matcher: RequestMatcher;
  readonly activation: Activation;
  /** One, or a sequence. */
  readonly faults: readonly Fault[];
  /** How often it may fire. */
  readonly limit: number;
  /** Whether something about it is drawn for each call. */
  readonly needsSampler: boolean;
  /** Whether the body says if it matches, or what is drawn for it. */
  readonly readsBody: boolean;
}

export function compileRule(written: RuleSpec, id: string): CompiledRule {
  const faults = [written.fault].flat().map(compileFault);
  const budget = compileActivation(written, faults.length);
  const isByChance = budget.probability < 1 || faults.some(isRandom);
  const { match } = written;
  const readsBody = match?.body !== undefined || match?.contact !== undefined || isByChance;
  return {
    id,
    written,
    matcher: compileRequestMatcher(written),
    activation: budget,
    faults,
    limit: budget.limit,
    needsSampler: isByChance,
    readsBody,
  };
}

type FaultObjectSpec = Exclude<FaultSpec, string | number>;

/** Unless it is said: the status that is named; nothing, when the connection ends otherwise than as usual. */
export function defaultRespond({
  respond,
  status,
  end = 'normal',
}: Pick<FaultObjectSpec, 'respond' | 'status' | 'end'>): ResponseMode {
  if (respond !== undefined) return respond;
  if (status !== undefined) return 'status';
  return end === 'normal' ? 'full' : 'none';
}

function objectOf(written: FaultSpec): FaultObjectSpec {
  if (typeof written === 'object') return written;
  // A text is a name, or a status.
  return typeof written === 'string' && isFaultName(written) ? namedFaults[written] : { status: Number(written) };
}

function compileFault(written: FaultSpec): Fault {
  const given = objectOf(written);
  const { phase = 'before', status, end = 'normal', body, headers = {}, bytes, delay, dribble, job } = given;
  return {
    phase,
    respond: defaultRespond(given),
    status,
    end,
    body,
    headers,
    bytes,
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
