/** Finds out which fields of which things the writes of a journal set, and which writes of one field are newer. */
import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { appendTo, lowerBound } from '../../core/lib/collections.ts';
import { parseTimestamp } from '../../core/time/clock.ts';
import type { Instant } from '../../core/time/clock.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { canonicalJson } from '../../core/exchange/operation-key.ts';
import { redact } from '../../core/exchange/redact.ts';
import { isSecretName, redactedText } from '../../core/exchange/redaction.ts';
import type { FieldSetting } from '../../core/exchange/subject.ts';
import { changesBy, endedInFailedJob, isRefused, isRetryable, lastVersionOf } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { beginOf } from '../history/operation.ts';
import type { Operation } from '../history/operation.ts';
import { indexPerJournal, memoizePerJournal } from '../rules/retry-rule.ts';
import type { RetryEvidence } from '../rules/retry-rule.ts';

/** Describes a field that an operation sets. */
export interface FieldWrite {
  readonly operation: Operation;
  readonly setting: FieldSetting;
  /** Names the field and its thing. */
  readonly key: string;
  /** Holds the name of the thing whose field it is. */
  readonly thing: string;
}

/** Describes a field as an operation has set it. */
export interface DoneWrite extends FieldWrite {
  readonly attempt: Attempt;
  /** Numbers the state that it left. */
  readonly stateVersion: number;
}

const knownFields = memoizePerJournal(() => new Map<Operation, ReadonlyMap<string, FieldWrite>>());

/** Returns the fields that an operation sets, by their names; a field of a thing with several names is there several times. */
export function fieldsSetBy(operation: Operation, evidence: RetryEvidence): ReadonlyMap<string, FieldWrite> {
  const all = knownFields(evidence);
  const known = all.get(operation);
  if (known) return known;
  const fields = readFields(operation, evidence);
  all.set(operation, fields);
  return fields;
}

function readFields(operation: Operation, { history }: RetryEvidence): ReadonlyMap<string, FieldWrite> {
  const { endpoint, attempts } = operation;
  const [first] = attempts;
  const fields = new Map<string, FieldWrite>();
  if (!first || !endpoint) return fields;
  for (const { setting, things } of history.subjects.fieldsOf(first.exchange, endpoint))
    for (const thing of things) {
      const key = `${setting.field} of ${thing}`;
      // A list may set a field twice: the last one counts.
      fields.set(key, { operation, setting, key, thing });
    }
  return fields;
}

/** Limits the length of a value that is shown in full. */
const maxShown = 60;

/** Returns `street "New 9"`; a personal number or a key is hidden. */
export function describeSetting({ field, value, details = {} }: FieldSetting): string {
  if (isHidden(field)) return `${field} ${redactedText}`;
  const shown = Object.entries(details).flatMap(([name, one]) => (one === null ? [] : [`${name} ${shownValue(one)}`]));
  return `${field} ${shownValue(value)}${shown.length === 0 ? '' : ` (${shown.join(', ')})`}`;
}

const isHidden = (field: string): boolean => field === 'socialSecurityNumber' || isSecretName(field);

function shownValue(value: unknown): string {
  const shown = redact(JSON.stringify(value ?? null));
  return shown.length <= maxShown ? shown : `${shown.slice(0, maxShown)}…`;
}

/** Describes what an operation sets, each field once. */
export const describeSettings = (operation: Operation, evidence: RetryEvidence): string[] =>
  [...new Set([...fieldsSetBy(operation, evidence).values()].map(({ setting }) => setting))].map(describeSetting);

/** Lists the writes that set fields of a thing, by their begin; only for things of writes that failed, waited, were repeated, or took effect late. */
const writesByThing = indexPerJournal(function* (evidence): Steps<ReadonlyMap<string, readonly Operation[]>> {
  const writes = evidence.operations.filter(({ endpoint }) => endpoint?.sets !== undefined);
  const wanted = new Set<string>();
  const late = lateWrites(evidence);
  yield* forEachInSteps(writes, (operation) => {
    if (!isContested(operation, evidence) && !late.has(operation)) return;
    for (const { thing } of fieldsSetBy(operation, evidence).values()) wanted.add(thing);
  });
  const found = new Map<string, Operation[]>();
  yield* forEachInSteps(writes, (operation) => {
    for (const name of namesIn(operation, evidence)) if (wanted.has(name)) appendTo(found, name, operation);
  });
  return found;
});

const isContested = ({ attempts }: Operation, { isPending }: RetryEvidence): boolean =>
  attempts.length > 1 ||
  attempts.some((attempt) => isRetryable(attempt) || endedInFailedJob(attempt) || isPending(attempt));

/** Collects the writes whose first attempt took effect after a write that began later: slow ones, and those that waited for a job. */
export const lateWrites = indexPerJournal(function* ({ operations }): Steps<ReadonlySet<Operation>> {
  const late = new Set<Operation>();
  let earliest = Infinity;
  yield* forEachInSteps(operations.toReversed(), (operation) => {
    const { endpoint, attempts } = operation;
    const [first] = attempts;
    if (!endpoint?.sets || !first || changesBy(first).length === 0) return;
    const version = lastVersionOf(first.exchange);
    if (version > earliest) late.add(operation);
    earliest = Math.min(earliest, version);
  });
  return late;
});

const namesIn = ({ endpoint, attempts: [first] }: Operation, { history }: RetryEvidence): ReadonlySet<string> =>
  new Set(first && endpoint ? history.subjects.sentNames(first.exchange, endpoint) : []);

/** True when a write of a field began after another, unless the client itself says that its value is older. */
export function isNewer(write: FieldWrite, other: FieldWrite): boolean {
  if (beginOf(write.operation) <= beginOf(other.operation)) return false;
  const [at, otherAt] = [momentOf(write), momentOf(other)];
  return at === undefined || otherAt === undefined || at >= otherAt;
}

/**
 * True when a write gives a field the value that an earlier one would have given it, which began before a moment, and whose
 * client got no response to rely on: perhaps it is that one's repeat, although its effect could be seen in between.
 */
export function mayRepeatOneBegunBefore(write: FieldWrite, moment: number, evidence: RetryEvidence): boolean {
  const writes = writesByThing(evidence).get(write.thing) ?? [];
  const to = lowerBound(writes, (one) => beginOf(one) >= moment);
  return writes.slice(Math.max(0, to - maxSearched), to).some((operation) => {
    const [earlier, last] = [fieldsSetBy(operation, evidence).get(write.key), operation.attempts.at(-1)];
    if (!earlier || !last || !isRetryable(last) || !isSameValue(earlier, write)) return false;
    return (
      evidence.history.callers.compare(last.exchange, write.operation.attempts[0]?.exchange ?? last.exchange) !==
      'other'
    );
  });
}

const momentOf = ({ setting: { timeStamp } }: FieldWrite): Instant | undefined =>
  typeof timeStamp === 'string' ? parseTimestamp(timeStamp) : undefined;

/** Limits the later writes of one thing that are searched. */
const maxSearched = 500;

/**
 * Returns the later requests by the same caller that set all fields that a failed write would have set: to repeat the older
 * one would undo the newer. None if one of its fields was not set again.
 */
export function replacementsOf(operation: Operation, evidence: RetryEvidence): readonly Exchange[] {
  const replacements = new Map<FieldSetting, Exchange | undefined>();
  for (const write of fieldsSetBy(operation, evidence).values()) {
    const { setting } = write;
    replacements.set(setting, replacements.get(setting) ?? replacementOf(write, evidence));
  }
  const found = [...replacements.values()].flatMap((later) => later ?? []);
  return found.length === replacements.size ? [...new Set(found)] : [];
}

/** True when two writes give a field the same value, with the same details. */
export const isSameValue = ({ setting: a }: FieldWrite, { setting: b }: FieldWrite): boolean =>
  canonicalJson([a.value, a.details]) === canonicalJson([b.value, b.details]);

/** Returns the first later request by the same caller that sets the same field, and is not refused. */
export const replacementOf = (write: FieldWrite, evidence: RetryEvidence): Exchange | undefined =>
  laterWriteOf(write, evidence, (own, exchange) => evidence.history.callers.compare(own, exchange) !== 'other');

/** Returns the first later request by another caller that sets the same field to the same value, and is not refused. */
export const sameWriteByAnother = (write: FieldWrite, evidence: RetryEvidence): Exchange | undefined =>
  laterWriteOf(
    write,
    evidence,
    (own, exchange, later) => evidence.history.callers.compare(own, exchange) === 'other' && isSameValue(later, write),
  );

/** Returns a request, perhaps by the same caller, that set a field of a write back to its value after it had been replaced. */
export function setBackBy(operation: Operation, evidence: RetryEvidence): Exchange | undefined {
  for (const write of fieldsSetBy(operation, evidence).values()) {
    const newer = replacementOf(write, evidence);
    const back =
      newer &&
      laterWriteOf(
        write,
        evidence,
        (own, exchange, later) =>
          exchange.number > newer.number &&
          evidence.history.callers.compare(own, exchange) !== 'other' &&
          momentOf(later) === momentOf(write) &&
          isSameValue(later, write),
      );
    if (back) return back;
  }
  return undefined;
}

function laterWriteOf(
  write: FieldWrite,
  evidence: RetryEvidence,
  isMeant: (own: Exchange, exchange: Exchange, later: FieldWrite) => boolean,
): Exchange | undefined {
  const writes = writesByThing(evidence).get(write.thing) ?? [];
  const [own] = write.operation.attempts;
  const from = lowerBound(writes, (one) => beginOf(one) > beginOf(write.operation));
  for (const operation of writes.slice(from, from + maxSearched)) {
    const exchange = operation.attempts[0]?.exchange;
    const later = fieldsSetBy(operation, evidence).get(write.key);
    const last = operation.attempts.at(-1);
    if (!own || !exchange || !later || !last || isRefused(last) || !isNewer(later, write)) continue;
    if (isMeant(own.exchange, exchange, later)) return exchange;
  }
  return undefined;
}

/**
 * Returns what was written to the field of a write, in the order in which it took effect; nothing unless it is the one that
 * took effect last, and another write of its thing had begun before it was repeated or, if it was slow, took effect.
 */
export function doneWritesTo(write: FieldWrite, evidence: RetryEvidence): readonly DoneWrite[] {
  const writes = writesByThing(evidence).get(write.thing) ?? [];
  const next = writes[lowerBound(writes, (one) => beginOf(one) > beginOf(write.operation))];
  const [own] = whenDone(write, evidence);
  if (!next || !own) return [];
  const isRepeat = own.attempt !== write.operation.attempts[0] && beginOf(next) <= own.attempt.exchange.number;
  if (!isRepeat && !lateWrites(evidence).has(write.operation)) return [];
  const newest = newestDone(write, evidence);
  if (newest && inOrderOfEffect(own, newest) < 0) return [];
  const done = allDone(write, evidence);
  return done.at(-1)?.operation === write.operation ? done : [];
}

const inOrderOfEffect = (a: DoneWrite, b: DoneWrite): number =>
  a.stateVersion - b.stateVersion || a.attempt.exchange.number - b.attempt.exchange.number;

const knownNewest = memoizePerJournal(() => new Map<string, DoneWrite | undefined>());

/** Returns the write of the same field that began last, and was done: mostly no other has to be looked at. */
function newestDone({ key, thing }: FieldWrite, evidence: RetryEvidence): DoneWrite | undefined {
  const known = knownNewest(evidence);
  if (known.has(key)) return known.get(key);
  const writes = writesByThing(evidence).get(thing) ?? [];
  let newest: DoneWrite | undefined;
  for (let i = writes.length - 1; i >= 0 && !newest; i--) [newest] = doneIn(writes[i], key, evidence);
  known.set(key, newest);
  return newest;
}

const knownDone = memoizePerJournal(() => new Map<string, readonly DoneWrite[]>());

function allDone({ key, thing }: FieldWrite, evidence: RetryEvidence): readonly DoneWrite[] {
  const known = knownDone(evidence);
  const writes = writesByThing(evidence).get(thing) ?? [];
  const done = known.get(key) ?? writes.flatMap((one) => doneIn(one, key, evidence)).toSorted(inOrderOfEffect);
  known.set(key, done);
  return done;
}

function doneIn(operation: Operation | undefined, key: string, evidence: RetryEvidence): DoneWrite[] {
  const write = operation && fieldsSetBy(operation, evidence).get(key);
  return write ? whenDone(write, evidence) : [];
}

/** Returns a write as its last attempt has done it, at once or in a job; none if that refused its row of a bulk. */
function whenDone(write: FieldWrite, { history: { subjects } }: RetryEvidence): DoneWrite[] {
  for (const attempt of write.operation.attempts.toReversed()) {
    const stateVersion = subjects.writtenBy(attempt.exchange).get(write.thing);
    if (stateVersion !== undefined) return [{ ...write, attempt, stateVersion }];
  }
  return [];
}
