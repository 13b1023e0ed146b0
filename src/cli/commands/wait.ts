/** `loyalty-sim wait`: waits until a running simulator was asked often enough. */
import { monotonicNow } from '../../core/time/clock.ts';
import { durationForms, parseDuration } from '../../core/lib/duration.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { adminClient, flagForField } from '../remote/admin-client.ts';
import { requestListSchema, filterQuery } from '../format/requests.ts';
import type { RequestFilterFlags } from '../format/requests.ts';
import { printResponse } from '../process/terminal.ts';

interface WaitFlags extends RequestFilterFlags {
  readonly count?: string;
  readonly timeout?: string;
}

/** What one call may wait at the most, in ms. */
const longestCall = 30_000;

/** Answers 0 as soon as there are so many, and 1 when time is up. */
export async function waitCommand(flags: WaitFlags): Promise<number> {
  const wanted = countFrom(flags.count);
  const timeout = timeoutFrom(flags.timeout);
  const call = adminClient(flags);
  const started = monotonicNow();
  for (;;) {
    const left = Math.max(0, Math.ceil(timeout - (monotonicNow() - started)));
    const query = {
      ...filterQuery(flags),
      wait: `${Math.min(left, longestCall)}ms`,
      atLeast: String(wanted),
      limit: '1',
    };
    const { count, complete } = await call('/requests', {
      query,
      responseSchema: requestListSchema,
      fieldLabel: flagForField,
    });
    if (!complete && left > longestCall) continue;
    const line = complete ? `${count} of ${wanted} requests` : `only ${count} of ${wanted} requests; time is up`;
    printResponse(flags, { count, wanted, complete }, [line]);
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
