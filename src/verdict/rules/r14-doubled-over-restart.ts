import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { isIndeterminate } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { isReadOperation } from '../history/operation.ts';
import type { Operation } from '../history/operation.ts';
import { isConfirmedByRead, readAfter } from '../history/read-back.ts';
import { comparableContent, differingFields, isDated } from '../history/request-content.ts';
import type { Restart } from '../history/restarts.ts';
import { describeSecondEffect, isDescribed } from '../evidence/duplicate-effects.ts';
import { fail, inconclusive, indexPerJournal, requestLine } from './retry-rule.ts';
import type { RetryEvidence, RetryRule, RuleFinding } from './retry-rule.ts';

export const onceOverRestarts: RetryRule = {
  id: 'R14',
  title: 'nothing is doubled over a restart',
  basis: {
    source: 'guidance',
    text: 'A program that is started again knows only what it has stored. What it had sent before, and sends again under another key or without one, takes effect again.',
  },
  advice:
    'Store the key with the operation before the first attempt, and send the operation under that key after a restart; read back a write without a key before you send it again.',
  // What took effect twice is doubled, whether the client saw the first response or not.
  certainty: 'timing',
  judgesPlain: true,
  judge: (operation, evidence) =>
    evidence.history.restarts.isEmpty
      ? []
      : [...doubledWithin(operation, evidence), ...(doubledAcross(evidence).get(operation) ?? [])],
};

/** Describes a write that took effect before a restart of its client, and again after it. */
interface Doubled {
  readonly operation: Operation;
  readonly before: Attempt;
  readonly after: Attempt;
  readonly restart: Restart;
}

/** Finds attempts of one operation that took effect on both sides of a restart. */
function doubledWithin(operation: Operation, evidence: RetryEvidence): RuleFinding[] {
  const { callers, restarts } = evidence.history;
  if (isReadOperation(operation) || operation.attempts.length < 2) return [];
  const [before, ...later] = operation.attempts.filter(isDescribed);
  if (!before || callers.declaredBy(before.exchange) === undefined) return [];
  const after = later.find(({ exchange }) => restarts.between(before.exchange, exchange));
  const restart = after && restarts.between(before.exchange, after.exchange);
  // R10 tells what took effect twice by new connections.
  return after && restart?.isPlain ? describe({ operation, before, after, restart }, evidence, fail) : [];
}

/** Finds operations that repeat what their client had sent before a restart, as another operation. */
const doubledAcross = indexPerJournal(function* (evidence): Steps<ReadonlyMap<Operation, RuleFinding[]>> {
  const found = new Map<Operation, RuleFinding[]>();
  if (evidence.history.restarts.isEmpty) return found;
  const writes = new Map<string, ClientWrite[]>();
  const latest = new Map<string, ClientWrite>();
  const counts = new Map<string, number>();
  const pairs: WritePair[] = [];
  yield* forEachInSteps(evidence.operations, (operation) => {
    const attempt = isReadOperation(operation) ? undefined : operation.attempts.find(isDescribed);
    if (!attempt || !operation.endpoint) return;
    const client = evidence.history.callers.keyOf(attempt.exchange);
    const own = writes.get(client) ?? [];
    if (own.length === 0) writes.set(client, own);
    const text = `${client} ${operation.endpoint.id} ${contentOf(operation, evidence)}`;
    const write = { operation, attempt, text, place: own.length };
    own.push(write);
    const before = latest.get(text);
    latest.set(text, write);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    if (before) pairs.push({ before, after: write, own });
  });
  yield* forEachInSteps(pairs, (pair) => {
    // A client that sends the same again and again has equal work to do.
    const isUsual = (counts.get(pair.after.text) ?? 0) > 2;
    const findings = judgePair(pair, { evidence, isUsual });
    if (findings.length > 0) found.set(pair.after.operation, findings);
  });
  return found;
});

/** Describes a write of a client that took effect, at its place among them. */
interface ClientWrite {
  readonly operation: Operation;
  readonly attempt: Attempt;
  /** Is equal for writes of one client with the same content. */
  readonly text: string;
  readonly place: number;
}

interface WritePair {
  readonly before: ClientWrite;
  readonly after: ClientWrite;
  /** Lists all writes of their client, in their order. */
  readonly own: readonly ClientWrite[];
}

const contentOf = ({ attempts, endpoint }: Operation, { policy: { ignoreFields } }: RetryEvidence): string =>
  comparableContent(attempts[0]?.exchange, { endpoint, ignoreFields });

function judgePair(
  pair: WritePair,
  { evidence, isUsual }: { readonly evidence: RetryEvidence; readonly isUsual: boolean },
): RuleFinding[] {
  const { history, policy } = evidence;
  const { operation: earlier } = pair.before;
  const { operation, attempt: after } = pair.after;
  const before = earlier.attempts.findLast(isDescribed);
  const last = earlier.attempts.at(-1);
  const restart = before && history.restarts.between(before.exchange, after.exchange);
  if (!before || !last || !restart || last.start >= after.start) return [];
  const doubled: Doubled = { operation, before, after, restart };
  const isDeclared = history.callers.declaredBy(before.exchange) !== undefined;
  const reading = { endpoint: operation.endpoint, ignoreFields: policy.ignoreFields };
  const isEqual = differingFields(before.exchange, after.exchange, reading).length === 0;
  if (isIndeterminate(last)) {
    const { endpoint } = earlier;
    // A client that has seen its work done may well mean to do it once more.
    if (isConfirmedByRead(earlier.attempts, { history, endpoint, next: after })) return [];
    if (!isDeclared) return describe(doubled, evidence, undeclared);
    const isCertain = restart.isPlain || (isEqual && isDated(after.exchange));
    return describe(doubled, evidence, isCertain ? fail : mayBeMeant);
  }
  if (isUsual || !isEqual || !isTailRepeated(pair, restart)) return [];
  const look = readAfter(before, { history, endpoint: operation.endpoint, next: after });
  const isRepeated = isDated(after.exchange) && !look;
  if (isDeclared) return describe(doubled, evidence, isRepeated && restart.isPlain ? fail : mayBeMeant);
  if (!isRepeated) return [];
  return describe(doubled, evidence, restart.isPlain || restart.isUnsure ? undeclared : asNote);
}

/** A client with a connection for each request shows no restart, and may be another of the same program. */
const asNote: typeof undeclared = (message, attempts) => ({ ...undeclared(message, attempts), level: 'note' });

const undeclared = (message: string, attempts: readonly Attempt[]): RuleFinding =>
  inconclusive(
    `${message}; unless another client of the same program did so: let each declare itself by x-sim-client`,
    attempts,
  );

const mayBeMeant = (message: string, attempts: readonly Attempt[]): RuleFinding =>
  inconclusive(
    `${message}; unless it was meant as a new operation: give each its own time stamp or description`,
    attempts,
  );

/** Limits the length of a queue that is compared. */
const longestQueue = 50;

/** True when the first writes after a restart repeat the last ones before it: the client had not noted that they were done. */
function isTailRepeated({ before, after, own }: WritePair, { first }: Restart): boolean {
  const isBefore = (write: ClientWrite | undefined): boolean =>
    write !== undefined && write.attempt.exchange.number < first.number;
  let start = after.place;
  while (start > 0 && !isBefore(own[start - 1])) {
    start--;
    if (after.place - start > longestQueue) return false;
  }
  const shift = after.place - before.place;
  // Else the first one after the restart is new work.
  if (shift > start) return false;
  return own.slice(start - shift, start).every(({ text, place }) => own[place + shift]?.text === text);
}

function describe(
  { operation, before, after, restart }: Doubled,
  { tenant, history }: RetryEvidence,
  level: (message: string, attempts: readonly Attempt[]) => RuleFinding,
): RuleFinding[] {
  const sentences = describeSecondEffect(operation, [before, after], tenant);
  const name = history.callers.declaredBy(before.exchange) ?? 'its client';
  const circumstance = restart.isPlain ? 'after' : 'perhaps after';
  return sentences.map((sentence) =>
    level(
      `${sentence}: ${requestLine(after)} took effect (${before.exchange.id}), and again (${after.exchange.id}) ${circumstance} ${name} was started again at ${restart.first.id}`,
      [before, after],
    ),
  );
}
