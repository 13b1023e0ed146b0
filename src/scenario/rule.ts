/** A rule as it was written, made ready to be asked about calls. */
import type { Call, Fault, Spread } from '../core/faults.ts';
import { pathPattern } from '../core/path-pattern.ts';
import { namedFaults } from './fault-names.ts';
import type { WrittenFault, WrittenRule } from './schema.ts';

export interface Rule {
  readonly id: string;
  readonly written: WrittenRule;
  readonly isMeant: (call: Call) => boolean;
  readonly faults: readonly Fault[];
  /** How often it may fire. */
  readonly limit: number;
}

export function ruleOf(written: WrittenRule, id: string): Rule {
  const isSequence = Array.isArray(written.fault);
  const faults = [written.fault].flat().map(faultOf);
  const times = written.times ?? (isSequence ? 1 : Number.POSITIVE_INFINITY);
  return { id, written, isMeant: testOf(written), faults, limit: times * faults.length };
}

function testOf({ match = {} }: WrittenRule): (call: Call) => boolean {
  const fits = match.path === undefined ? undefined : pathPattern(match.path);
  const ids = match.endpoint === undefined ? undefined : [match.endpoint].flat();
  return ({ endpoint, exchange }) =>
    (ids === undefined || (endpoint !== undefined && ids.includes(endpoint))) &&
    (match.method === undefined || match.method.toUpperCase() === exchange.method) &&
    (fits === undefined || fits(exchange.path));
}

function faultOf(written: WrittenFault): Fault {
  const given: Exclude<WrittenFault, string | number> =
    typeof written === 'object' ? written : typeof written === 'number' ? { status: written } : namedFaults[written];
  const { phase = 'before', status, end = 'normal', body, headers = {}, bytes, delay, dribble, job } = given;
  const respond = given.respond ?? (status !== undefined ? 'status' : end === 'normal' ? 'full' : 'none');
  return {
    phase,
    respond,
    status,
    end,
    body,
    headers,
    bytes,
    job,
    delay: delay === undefined ? undefined : { spread: spreadOf(delay), time: timeOf(delay) },
    dribble: dribble && { pieces: dribble.pieces, pause: spreadOf(dribble.pause) },
  };
}

type WrittenDelay = NonNullable<Exclude<WrittenFault, string | number>['delay']>;

const timeOf = (delay: WrittenDelay): 'real' | 'virtual' =>
  typeof delay === 'object' ? (delay.time ?? 'real') : 'real';

function spreadOf(delay: WrittenDelay): Spread {
  if (typeof delay === 'number') return { fixed: delay };
  const { fixed = 0, uniform, lognormal } = delay;
  if (uniform) return { uniform };
  return lognormal ? { lognormal } : { fixed };
}
