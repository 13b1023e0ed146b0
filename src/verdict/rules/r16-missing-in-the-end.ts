import { formatThing } from '../../service/resource/business-thing.ts';
import {
  changesBy,
  detectionLag,
  isAbortedByClient,
  isSetBackBetween,
  overlaps,
  toAttempt,
} from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import type { CallerComparison } from '../history/callers.ts';
import { beginOf } from '../history/operation.ts';
import type { Operation } from '../history/operation.ts';
import { thingsOf } from '../state/things.ts';
import {
  describeSetting,
  doneWritesTo,
  fieldsSetBy,
  isNewer,
  isSameValue,
  lateWrites,
  mayRepeatOneBegunBefore,
  replacementOf,
} from '../evidence/field-writes.ts';
import type { DoneWrite } from '../evidence/field-writes.ts';
import { fail, inconclusive, requestLine, shortList } from './retry-rule.ts';
import type { RetryEvidence, RetryRule, RuleFinding } from './retry-rule.ts';

export const thereInTheEnd: RetryRule = {
  id: 'R16',
  title: 'what was to be done is there in the end',
  basis: {
    source: 'guidance',
    text: 'After the last request the service holds what it would hold if nothing had failed: each thing once, in its latest version, and on the right contact.',
  },
  advice:
    'Deliver the writes of one contact in the order in which they began; when a newer one has replaced what still waits, drop the older one.',
  certainty: 'timing',
  judgesPlain: true,
  judge: (operation, evidence) => overwritten(operation, evidence),
};

/** Describes a value that an older write, delivered late, has overwritten for good. */
interface Loss {
  readonly late: DoneWrite;
  readonly newer: DoneWrite;
  /** True when one client sent both. */
  readonly isCertain: boolean;
}

/** Finds newer values that an older write, delivered late, has overwritten for good. */
function overwritten(operation: Operation, evidence: RetryEvidence): RuleFinding[] {
  if (!operation.endpoint?.sets) return [];
  const pending = operation.attempts.findLast(evidence.isPending);
  if (operation.attempts.length < 2 && !pending && !lateWrites(evidence).has(operation)) return [];
  if (pending) return mayOverwrite(operation, pending, evidence);
  const losses = [...fieldsSetBy(operation, evidence).values()].flatMap((write) =>
    lossOf(doneWritesTo(write, evidence), evidence),
  );
  const [first] = losses.toSorted((a, b) => Number(b.isCertain) - Number(a.isCertain));
  if (!first) return [];
  const alike = losses.filter(({ newer }) => newer.operation === first.newer.operation);
  return [describeLosses(first, alike, evidence)];
}

/** Leaves open what queued work of an older write does to newer values. */
function mayOverwrite(operation: Operation, late: Attempt, evidence: RetryEvidence): RuleFinding[] {
  const { history } = evidence;
  for (const write of fieldsSetBy(operation, evidence).values()) {
    const newer = replacementOf(write, evidence);
    if (!newer || history.isSetBackBetween(newer, late.exchange)) continue;
    // What has been queued later is done later.
    if (newer.number > late.exchange.number && evidence.isPending(toAttempt(newer))) continue;
    const message = `work of ${requestLine(late)} (${late.exchange.id}) is still queued: it is not known yet whether it overwrites what ${newer.id} has set`;
    return [inconclusive(message, late)];
  }
  return [];
}

/** Returns the newest value of a field that the last of its writes should have left. */
function lossOf(all: readonly DoneWrite[], evidence: RetryEvidence): Loss[] {
  const late = all.at(-1);
  const done = all.filter(
    (one) => late && !isSetBackBetween(one.attempt.exchange, late.attempt.exchange, evidence.tenant),
  );
  const before = done.at(-2);
  if (!before || !late) return [];
  if (isSameValue(before, late) || thingsOf(changesBy(late.attempt), evidence.tenant).length === 0) return [];
  const begin = beginOf(late.operation);
  const newer = done.filter(
    (one) =>
      isNewer(one, late) && !mayRepeatOneBegunBefore(one, begin, evidence) && isPerhapsByOneClient(late, one, evidence),
  );
  const newest = newestOf(newer);
  if (!newest || isSameValue(newest, late)) return [];
  const certain = newestOf(newer.filter((one) => isByOneClient(late, one, evidence)));
  const isCertain = certain !== undefined && !isSameValue(certain, late);
  return [{ late, newer: isCertain ? certain : newest, isCertain }];
}

const newestOf = (writes: readonly DoneWrite[]): DoneWrite | undefined =>
  writes.reduce<DoneWrite | undefined>((newest, one) => (newest && !isNewer(one, newest) ? newest : one), undefined);

/** True when one client may have sent both, or may have begun both: another can have delivered what it gave up. */
const isPerhapsByOneClient = (late: DoneWrite, newer: DoneWrite, { history: { callers } }: RetryEvidence): boolean =>
  callers.compare(late.attempt.exchange, newer.attempt.exchange) !== 'other' ||
  callers.compare(firstOf(late).exchange, firstOf(newer).exchange) !== 'other';

const firstOf = ({ operation, attempt }: DoneWrite): Attempt => operation.attempts[0] ?? attempt;

function isByOneClient({ attempt: a }: DoneWrite, { attempt: b }: DoneWrite, { history }: RetryEvidence): boolean {
  const [left, right] = [a.exchange, b.exchange];
  // A slow write, and one that was sent without waiting for it: perhaps two users of one program sent them.
  if (left.number < right.number && (isAtOnce(a, b) || !history.isSingleClient([left], [right]))) return false;
  return history.callers.compare(left, right) === 'same' || history.isSingleClient([left], [right]);
}

/** True when a write was sent while an older one was in flight, and before its client could have given that up. */
const isAtOnce = (older: Attempt, newer: Attempt): boolean =>
  overlaps(older, newer) && !(isAbortedByClient(older) && newer.start >= (older.end ?? Infinity) - detectionLag);

function describeLosses(
  { late, newer, isCertain }: Loss,
  losses: readonly Loss[],
  evidence: RetryEvidence,
): RuleFinding {
  const missing = losses.map(({ newer: { setting } }) =>
    formatThing({
      contact: evidence.history.subjects.contactNameOf(setting.contact),
      text: `the ${describeSetting(setting)}`,
    }),
  );
  const [left, right] = [late.attempt.exchange, newer.attempt.exchange];
  const message =
    `${shortList(missing)} ${missing.length === 1 ? 'is' : 'are'} missing: ${requestLine(late.attempt)} (${left.id}) ` +
    `began before ${right.id}, and overwrote it`;
  if (isCertain) return fail(message, newer.attempt, late.attempt);
  const doubts: Readonly<Record<CallerComparison, string>> = {
    other: `${left.id} was work of its own client, and not handed over`,
    same: 'two users of its client sent them at once',
    unknown: 'another client did so: let each declare itself by x-sim-client',
  };
  const doubt = doubts[evidence.history.callers.compare(left, right)];
  return inconclusive(`${message}; unless ${doubt}`, newer.attempt, late.attempt);
}
