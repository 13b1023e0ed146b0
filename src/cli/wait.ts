/** `loyalty-sim wait`: waits until a running simulator was asked often enough. */
import { monotonic } from '../core/clock.ts';
import { durationForms, parseDuration } from '../core/duration.ts';
import { InputError } from '../core/errors.ts';
import { adminClient, flagOf } from './admin-client.ts';
import { exchangesSchema, filterQuery } from './exchange-lines.ts';
import type { FilterFlags } from './exchange-lines.ts';
import { printAnswer } from './print.ts';

interface WaitFlags extends FilterFlags {
  readonly count?: string;
  readonly timeout?: string;
}

/** What one call may wait at the most, in ms. */
const longestCall = 30_000;

/** Answers 0 as soon as there are so many, and 1 when time is up. */
export async function wait(flags: WaitFlags): Promise<number> {
  const wanted = countFrom(flags.count);
  const timeout = timeoutFrom(flags.timeout);
  const call = adminClient(flags);
  const started = monotonic();
  for (;;) {
    const left = Math.max(0, Math.ceil(timeout - (monotonic() - started)));
    const query = {
      ...filterQuery(flags),
      wait: `${Math.min(left, longestCall)}ms`,
      atLeast: String(wanted),
      limit: '1',
    };
    const { count, complete } = await call('/requests', { query, answer: exchangesSchema, spoken: flagOf });
    if (!complete && left > longestCall) continue;
    const line = complete ? `${count} of ${wanted} requests` : `only ${count} of ${wanted} requests; time is up`;
    printAnswer(flags, { count, wanted, complete }, [line]);
    return complete ? 0 : 1;
  }
}

function countFrom(sent = '1'): number {
  if (/^\d+$/.test(sent)) return Number(sent);
  throw new InputError(`--count: expected a whole number, got "${sent}"`);
}

function timeoutFrom(sent = '30s'): number {
  const duration = parseDuration(sent);
  if (duration && duration.months === 0 && duration.milliseconds >= 0) return duration.milliseconds;
  throw new InputError(`--timeout: expected ${durationForms}, got "${sent}"`);
}
