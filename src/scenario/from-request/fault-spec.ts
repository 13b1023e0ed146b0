/** Writes the fault that hit a request as a rule has it. */
import type { Distribution, Fault, InjectedFault } from '../../core/exchange/fault.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields that have a value. */
const defined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Returns a length of time in ms, or how one is drawn. */
const lengthOf = (distribution: Distribution): unknown =>
  'fixed' in distribution ? distribution.fixed : { ...distribution };

/** Returns the delay that was drawn, so that it is the same again. */
function delayOf({ delay }: Fault, drawn: number): unknown {
  if (!delay) return undefined;
  return delay.time === 'virtual' ? { fixed: drawn, time: 'virtual' } : drawn;
}

/** Returns a fault in the fields of a rule, without those that have their default value. */
export function faultSpecOf({ fault, delay }: InjectedFault): Fields {
  const { phase, respond, status, end, body, headers, options, dribble, job } = fault;
  return defined({
    phase,
    respond: respond === 'status' ? undefined : respond,
    status,
    end: end === 'normal' ? undefined : end,
    body,
    headers: Object.keys(headers).length > 0 ? headers : undefined,
    ...options,
    delay: delayOf(fault, delay),
    dribble: dribble && { chunks: dribble.chunks, interval: lengthOf(dribble.interval) },
    job,
  });
}
