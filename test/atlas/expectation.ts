/** Derives from a library's documentation what a strict but fair reviewer says of each cell. */
import type { Call, FaultColumn } from './cells.ts';
import type { Documented, Setup } from './setup.ts';

/** The time in seconds after which a client that still waits is no longer watched. */
export const longestWait = 15;

type Seen = 'status' | 'lost' | 'timeout' | 'cut' | 'waits';

const statusOf = ({ name }: FaultColumn): number | undefined =>
  /^\d+/.test(name) ? Number.parseInt(name, 10) : undefined;

function seenOf(fault: FaultColumn, { timeout = Infinity }: Documented): Seen {
  if (statusOf(fault) !== undefined) return 'status';
  if (fault.name === 'cut') return 'cut';
  if (fault.name !== 'hang') return 'lost';
  return timeout < longestWait * 1000 ? 'timeout' : 'waits';
}

/** True when the program, or its library, sends the request again. */
function isRepeated({ method }: Call, fault: FaultColumn, documented: Documented): boolean {
  const { methods, statuses, anyMethodStatuses = [], networkErrors, timeouts, lostMethods = methods } = documented;
  const status = statusOf(fault) ?? 0;
  if (anyMethodStatuses.includes(status)) return true;
  if (status > 0) return methods.includes(method) && statuses.includes(status);
  const repeated = { lost: networkErrors, timeout: timeouts, cut: documented.cut === 'repeated', waits: false };
  const seen = seenOf(fault, documented);
  return seen !== 'status' && lostMethods.includes(method) && repeated[seen];
}

const isDone = ({ name }: FaultColumn): boolean => !['500', '503', '504', 'reset', '429', '400', '404'].includes(name);

/** The rules that the repeat of a request breaks. */
function rulesOfRepeat(call: Call, fault: FaultColumn, { statuses, heedsRetryAfter }: Documented): string[] {
  const status = statusOf(fault);
  if (status === 400) return ['R3'];
  if (status === 404) return ['R2'];
  if (status === 429) return heedsRetryAfter ? [] : ['R6'];
  // The repeat of what was done is refused with 409.
  if (isDone(fault) && ['contact', 'redeem'].includes(call.name)) return statuses.includes(409) ? ['R2'] : [];
  // 503 says that nothing was done.
  if (status === 503 || call.name !== 'points') return [];
  return isDone(fault) ? ['R10', 'R11'] : ['R11'];
}

/** The rules that giving up at once breaks. */
function rulesOfGivingUp(call: Call, fault: FaultColumn): string[] {
  const status = statusOf(fault);
  // Nothing must be repeated, but a write that is lost has no fallback.
  if (status === 429 || status === 503) return call.method === 'GET' ? [] : ['R9'];
  if (status === 400 || status === 404) return [];
  // The status of a write says all, unless the client needs the id of what it created: nobody can tell.
  if (fault.name === 'cut' && call.method !== 'GET') return call.name === 'contact' ? ['?'] : [];
  return ['R1'];
}

/** The rules that a cell breaks; `∞` when the client waits for ever. */
export function expectedOf(setup: Setup, call: Call, fault: FaultColumn): string {
  const { documented, expected = {} } = setup;
  const own = expected[`${call.name}/${fault.name}`];
  if (own !== undefined) return own;
  const seen = seenOf(fault, documented);
  if (seen === 'waits') return '∞';
  // The transport repeats before the library, or the program, is told.
  if (seen === 'lost' && documented.transport?.includes(call.method)) {
    return cellOf(call.name === 'points' && isDone(fault) ? ['R10'] : []);
  }
  if (isRepeated(call, fault, documented)) return cellOf(rulesOfRepeat(call, fault, documented));
  return cellOf(rulesOfGivingUp(call, fault));
}

/** The text of a cell. */
export const cellOf = (rules: readonly string[]): string => (rules.length === 0 ? '✓' : rules.join('+'));

/** Says what is documented, in one line. */
export function describeDocumented(documented: Documented): string {
  const { methods, statuses, attempts, pauses, timeout, heedsRetryAfter, networkErrors, timeouts } = documented;
  const limit = timeout === undefined ? 'no timeout' : `a timeout of ${timeout / 1000} s`;
  if (methods.length === 0 || attempts === 1) return `does not repeat anything; ${limit}`;
  const after = [
    ...(networkErrors ? ['a lost connection'] : []),
    ...(timeouts ? ['its timeout'] : []),
    ...(statuses.length > 0 ? [`status ${listed(statuses)}`] : []),
  ];
  const heeds = statuses.includes(429) ? `; ${heedsRetryAfter ? 'waits for' : 'ignores'} Retry-After` : '';
  return `repeats ${methods.join(', ')} after ${after.join(', ')}; ${attempts} attempts; pauses: ${pauses}${heeds}; ${limit}`;
}

const listed = (statuses: readonly number[]): string =>
  statuses.length > 5 ? '4xx and 5xx' : statuses.map(String).join(', ');
