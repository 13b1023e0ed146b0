import { monotonicNow } from '../../core/time/clock.ts';
import { durationForms, parseDuration } from '../../core/lib/duration.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { adminClient, flagForField } from '../remote/admin-client.ts';
import { requestListSchema, filterQuery } from '../format/requests.ts';
import type { RequestFilterFlags } from '../format/requests.ts';
import { printResponse } from '../process/terminal.ts';
import { withFilterFlags, withRemoteFlags } from '../flags/remote-flags.ts';
import { withExamples, flagWithDefault } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareWait: DeclareCommand = (command, done) => {
  withFilterFlags(withRemoteFlags(command))
    .addOption(flagWithDefault('--count <n>', 'number of requests to wait for', '1'))
    .addOption(flagWithDefault('--timeout <duration>', 'longest time to wait', '30s'))
    .action(async (flags: WaitFlags) => done(await waitForRequests(flags)));
  withExamples(
    command,
    'loyalty-sim wait --path /api/v3/receipts',
    'loyalty-sim wait --count 2 --endpoint createContact --timeout 10s',
  );
};

interface WaitFlags extends RequestFilterFlags {
  readonly count: string;
  readonly timeout: string;
}

/** Limits how long one call waits, in ms. */
const longestCall = 30_000;

/** Lets a response come so much later than it was to, in ms: the simulator may be busy. */
const patience = 10_000;

/** Returns 0 as soon as there are enough requests, and 1 when time is up. */
async function waitForRequests(flags: WaitFlags): Promise<number> {
  const wanted = countFrom(flags.count);
  const timeout = timeoutFrom(flags.timeout);
  const call = adminClient(flags);
  const started = monotonicNow();
  for (;;) {
    const remaining = Math.max(0, Math.ceil(timeout - (monotonicNow() - started)));
    const wait = Math.min(remaining, longestCall);
    const query = {
      ...filterQuery(flags),
      wait: `${wait}ms`,
      atLeast: String(wanted),
      limit: '1',
    };
    const { count, complete } = await call('/requests', {
      query,
      timeout: wait + patience,
      responseSchema: requestListSchema,
      fieldLabel: flagForField,
    });
    if (!complete && remaining > longestCall) continue;
    const line = complete ? `${count} of ${wanted} requests` : `only ${count} of ${wanted} requests; time is up`;
    printResponse(flags, { count, wanted, complete }, [line]);
    return complete ? 0 : 1;
  }
}

function countFrom(sent: string): number {
  if (/^\d+$/.test(sent)) return Number(sent);
  throw new InputError(`--count: must be a whole number, not "${sent}"`);
}

function timeoutFrom(sent: string): number {
  const duration = parseDuration(sent);
  if (duration && duration.months === 0 && duration.milliseconds >= 0) return duration.milliseconds;
  throw new InputError(`--timeout: must be ${durationForms}, not "${sent}"`);
}
