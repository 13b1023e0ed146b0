/** Says in words what was tried and found. */
import type { Hit, Kill } from '../experiment.ts';
import { incidentOf } from '../probes.ts';

const endings: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
const plurals = new Intl.PluralRules('en', { type: 'ordinal' });

const ordinal = (count: number): string => `${count}${endings[plurals.select(count)] ?? 'th'}`;

/** Returns `attempt 2 of the 1st createReceipt is reset; it was done`. */
export const formatHit = ({ endpoint, operation, attempt, probe }: Hit): string =>
  `${attempt === 1 ? '' : `attempt ${attempt} of `}the ${ordinal(operation)} ${endpoint} ${incidentOf(probe).says}`;

const moments: Readonly<Record<Kill['moment'], string>> = {
  before: 'before the service has done anything',
  work: 'when its work is done, and before its response',
  response: 'right after its response',
};

/** Returns `the client is killed at the 1st createReceipt, right after its response, and started again`. */
export const formatKill = ({ endpoint, operation, attempt, moment }: Kill): string =>
  `the client is killed at ${attempt === 1 ? '' : `attempt ${attempt} of `}the ${ordinal(operation)} ${endpoint}, ${moments[moment]}, and started again`;

interface FaultsOfFinding {
  readonly hits: readonly Hit[];
  readonly kill?: Kill | undefined;
}

/** Returns the faults of a finding in words, or where the client is killed; says so if it takes neither. */
export function formatFaults({ hits, kill }: FaultsOfFinding): string[] {
  const faults = [...hits.map(formatHit), ...(kill ? [formatKill(kill)] : [])];
  return faults.length > 0 ? faults : ['a run without any fault'];
}

/** Returns `R10 addPointTransactions`. */
export const findingTitle = ({
  rule,
  endpoint,
  title,
}: Readonly<Record<'rule' | 'endpoint' | 'title', string>>): string => `${rule} ${endpoint || title}`;

/** Returns `3 findings`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Says in how many repetitions a finding showed again. */
interface Repetitions {
  readonly reproduced: { readonly shown: number; readonly of: number };
}

/** Says how often a finding showed again: one that did not always is flaky, and of one that never did nobody knows the cause. */
export function formatReproduction({ reproduced: { shown, of } }: Repetitions): string {
  if (of === 0) return 'not repeated';
  if (shown === of) return `shown again ${shown} of ${of} times`;
  if (shown === 0) return `shown again 0 of ${of} times: its cause is unknown`;
  return `flaky: shown again ${shown} of ${of} times`;
}

export const isFlaky = ({ reproduced: { shown, of } }: Repetitions): boolean => shown < of;

/** True for what one run showed, and none of its repetitions. */
export const isUnconfirmed = ({ reproduced: { shown, of } }: Repetitions): boolean => shown === 0 && of > 0;
