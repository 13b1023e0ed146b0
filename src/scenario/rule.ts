/** A rule as it was written, made ready to be asked about calls. */
import type { Fault, Respond, Spread } from '../core/faults.ts';
import { budgetOf } from './budget.ts';
import type { Budget } from './budget.ts';
import { isDrawn } from './chance.ts';
import { isFaultName, namedFaults } from './fault-names.ts';
import { matchingOf } from './matching.ts';
import type { Matching } from './matching.ts';
import type { WrittenFault, WrittenRule } from './schema.ts';

export interface Rule {
  readonly id: string;
  readonly written: WrittenRule;
  readonly matching: Matching;
  readonly budget: Budget;
  /** One, or a sequence. */
  readonly faults: readonly Fault[];
  /** How often it may fire. */
  readonly limit: number;
  /** Whether something about it is drawn for each call. */
  readonly isByChance: boolean;
  /** Whether the body says if it matches, or what is drawn for it. */
  readonly readsBody: boolean;
}

export function ruleOf(written: WrittenRule, id: string): Rule {
  const faults = [written.fault].flat().map(faultOf);
  const budget = budgetOf(written, faults.length);
  const isByChance = budget.probability < 1 || faults.some(isDrawn);
  const { match } = written;
  const readsBody = match?.body !== undefined || match?.contact !== undefined || isByChance;
  return { id, written, matching: matchingOf(written), budget, faults, limit: budget.limit, isByChance, readsBody };
}

type FaultObject = Exclude<WrittenFault, string | number>;

/** Unless it is said: the status that is named; nothing, when the connection ends otherwise than as usual. */
export function respondOf({
  respond,
  status,
  end = 'normal',
}: Pick<FaultObject, 'respond' | 'status' | 'end'>): Respond {
  if (respond !== undefined) return respond;
  if (status !== undefined) return 'status';
  return end === 'normal' ? 'full' : 'none';
}

function objectOf(written: WrittenFault): FaultObject {
  if (typeof written === 'object') return written;
  // A text is a name, or a status.
  return typeof written === 'string' && isFaultName(written) ? namedFaults[written] : { status: Number(written) };
}

function faultOf(written: WrittenFault): Fault {
  const given = objectOf(written);
  const { phase = 'before', status, end = 'normal', body, headers = {}, bytes, delay, dribble, job } = given;
  return {
    phase,
    respond: respondOf(given),
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

type WrittenDelay = NonNullable<FaultObject['delay']>;

const timeOf = (delay: WrittenDelay): 'real' | 'virtual' =>
  typeof delay === 'object' ? (delay.time ?? 'real') : 'real';

function spreadOf(delay: WrittenDelay): Spread {
  if (typeof delay === 'number') return { fixed: delay };
  const { fixed = 0, uniform, lognormal } = delay;
  if (uniform) return { uniform };
  return lognormal ? { lognormal } : { fixed };
}
