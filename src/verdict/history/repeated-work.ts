/**
 * Recognizes work that is done again in another form after an attempt that was not delivered: under a new key or with
 * another text, in parts, or by another endpoint.
 */
import { appendTo } from '../../core/lib/collections.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import { withIndexes } from '../../core/time/index-in-steps.ts';
import { forEachInSteps, Portion } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { isRetryable, pauseBetween, requiresRetry, realPause } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import { comparableContent, differingFields, isContainedIn, isDated, namesOtherTime } from './request-content.ts';
import { hasOwnKey, insertAttempts, isReadOperation, isSameTest, mergeChains } from './operation.ts';
import type { GroupingContext, OperationDraft } from './operation.ts';
import { isConfirmedByRead } from './read-back.ts';
import { promptPauseAfter } from './read-retries.ts';
import { foldTransparentRetries } from './transparent-retry.ts';

/** Limits the time after which similar work counts as the repeat, in ms. */
export const soon = 60_000;

/** Limits the lost writes of equal content that are compared. */
const maxCompared = 5;

/** Merges writes under another key or with another text, and notes those that did the work in another form. */
export function* mergeRepeatedWork(
  drafts: readonly OperationDraft[],
  seen: GroupingContext,
): Steps<readonly OperationDraft[]> {
  const begun = yield* mergeInterludes(drafts, seen);
  const next = new Map<OperationDraft, OperationDraft>();
  const lost = new LostWrites(seen);
  const portion = new Portion();
  for (const one of begun) {
    if (portion.isFullWith(0)) yield;
    if (!isNameable(one)) continue;
    const related = yield* withIndexes(() => lost.withPiecesOf(one));
    const before = lost.takeWhole(one, related);
    if (before) next.set(before.draft, one);
    else lost.takeParts(one, related);
    if (!isLost(one)) continue;
    yield* withIndexes(() => lost.piecesOf(one));
    lost.add(one);
  }
  return next.size === 0 ? begun : mergeChains(begun, next);
}

const isNameable = (one: OperationDraft): boolean => one.endpoint !== undefined && !isReadOperation(one);

/** Lists the pieces of work that a request asks for, each with its keys. */
type Pieces = readonly (readonly string[])[];

interface LostWrite {
  readonly draft: OperationDraft;
  readonly last: Attempt;
  /** Holds what it asked for, but for its key and time stamps. */
  readonly content: string;
  /** True when it was tried several times: another write is its repeat only if it carries the same time too. */
  readonly isTriedAgain: boolean;
  /** Holds the keys of each piece of work that was not done again yet. */
  readonly pieces: Set<readonly string[]>;
  readonly size: number;
}

/** Holds the writes that were lost, until they are done again. */
class LostWrites {
  readonly #seen: GroupingContext;
  readonly #byContent = new Map<string, LostWrite[]>();
  /** Holds the endpoints of these writes: a write to another one repeats none of them with equal content. */
  readonly #endpoints = new Set<Endpoint | undefined>();
  readonly #byPiece = new Map<string, LostWrite[]>();
  #latest = -Infinity;

  constructor(seen: GroupingContext) {
    this.#seen = seen;
  }

  add(draft: OperationDraft): void {
    const own = foldTransparentRetries(draft.attempts);
    const last = own.at(-1);
    if (!last) return;
    const isTriedAgain = own.length > 1;
    const pieces = this.piecesOf(draft);
    const content = contentOf(draft, last, this.#seen);
    const lost = { draft, last, content, isTriedAgain, pieces: new Set(pieces), size: pieces.length };
    this.#latest = Math.max(this.#latest, last.end ?? last.start);
    this.#endpoints.add(draft.endpoint);
    appendTo(this.#byContent, content, lost);
    for (const key of pieces.flat()) appendTo(this.#byPiece, key, lost);
  }

  /** Returns the lost writes that asked for all pieces of this one, and for somebody who is named. */
  withPiecesOf(one: OperationDraft): readonly LostWrite[] {
    if (this.#byPiece.size === 0 || this.#isOver(one)) return [];
    const pieces = this.piecesOf(one);
    if (pieces.length === 0 || pieces.some((keys) => keys.length === 0)) return [];
    const candidates = pieces[0]?.flatMap((key) => this.#byPiece.get(key)?.slice(-maxCompared) ?? []) ?? [];
    return candidates.filter(
      (lost) =>
        isAllIn(pieces, lost.pieces) &&
        !isReplacing(one, lost.draft) &&
        this.#isSoonAfter(lost, one) &&
        isSameTest(lost.draft, one) &&
        (!lost.isTriedAgain || this.#isOfItsTime(lost, one)) &&
        this.#isUnseen(lost, one),
    );
  }

  /** Takes the write that this one repeats as a whole: with equal content but for its key, or with equal pieces. */
  takeWhole(one: OperationDraft, related: readonly LostWrite[]): LostWrite | undefined {
    const equal = this.#equalTo(one);
    if (equal.length + related.length === 0) return undefined;
    const wholes = related.filter(
      ({ draft, pieces, size }) =>
        draft.endpoint === one.endpoint && pieces.size === size && size === this.piecesOf(one).length,
    );
    const candidates = [...wholes, ...equal.slice(-maxCompared).filter((lost) => this.#isFollowed(lost, one))];
    const found = candidates.findLast((lost) => !this.#isNewWork(lost, one));
    if (found) this.#remove(found);
    else for (const { draft } of candidates) draft.resembledBy ??= one.attempts[0];
    return found;
  }

  /** Returns the lost writes of equal content, but for their keys and time stamps. */
  #equalTo(one: OperationDraft): readonly LostWrite[] {
    if (this.#isOver(one) || !this.#endpoints.has(one.endpoint)) return [];
    return this.#byContent.get(contentOf(one, one.attempts[0], this.#seen)) ?? [];
  }

  /** Takes from a write the pieces of work that this one repeats in another form. */
  takeParts(one: OperationDraft, related: readonly LostWrite[]): void {
    const [first] = one.attempts;
    const found = related.findLast((lost) => !this.#isNewWork(lost, one));
    if (!first || !found) return;
    for (const keys of this.piecesOf(one)) found.pieces.delete(matching(found.pieces, keys) ?? keys);
    found.draft.repeatedAs = [...(found.draft.repeatedAs ?? []), first];
    found.draft.isRepeatedWhole = found.pieces.size === 0;
    if (found.draft.isRepeatedWhole) this.#remove(found);
  }

  #isFollowed(lost: LostWrite, one: OperationDraft): boolean {
    const [first] = one.attempts;
    if (!first || lost.draft.endpoint !== one.endpoint || lost.draft.key.by !== one.key.by) return false;
    if (!this.#isSoonAfter(lost, one) || !isSameTest(lost.draft, one) || !this.#isUnseen(lost, one)) return false;
    const isNamed = lost.size > 0 && [...lost.pieces].every((keys) => keys.length > 0);
    const { history } = this.#seen;
    if (lost.isTriedAgain) return isNamed && isSameMoment(lost.last, first, lost.draft, this.#seen);
    // The next customer may buy the same.
    if (isNamed || history.isParallel) return true;
    return !history.hasOtherRequestsBetween(lost.last.start, first.start, one.endpoint?.readBack ?? []);
  }

  /** True when a write comes too late for a prompt repeat, and says that what it is about happened at another time. */
  #isNewWork({ last }: LostWrite, { endpoint, attempts: [first] }: OperationDraft): boolean {
    const { policy } = this.#seen;
    if (!first || pauseBetween(last, first) <= promptPauseAfter(last, policy)) return false;
    return namesOtherTime(first.exchange, last.exchange, { endpoint, ignoreFields: policy.ignoreFields });
  }

  /** True when a write carries what another does, at the same time: new work has a time of its own. */
  #isOfItsTime({ last }: LostWrite, { endpoint, attempts: [first] }: OperationDraft): boolean {
    const { ignoreFields } = this.#seen.policy;
    return first !== undefined && isContainedIn(first.exchange, last.exchange, { endpoint, ignoreFields });
  }

  /** True unless its caller has read back that it was done; a look after the repeat cannot be the reason for that. */
  #isUnseen({ draft, last, size }: LostWrite, one: OperationDraft): boolean {
    const [first] = one.attempts;
    const { history } = this.#seen;
    // A look at the first row of a bulk says nothing of the second.
    const isPart = this.piecesOf(one).length < size;
    const query = isPart
      ? { history, endpoint: one.endpoint, about: first?.exchange }
      : { history, endpoint: draft.endpoint };
    if (!first || !isConfirmedByRead(draft.attempts, query)) return true;
    if (isConfirmedByRead(draft.attempts, { ...query, next: first })) return false;
    // Two tills may sell the same, and each looks at its own.
    if (!history.isSingleClient([last.exchange], [first.exchange])) return false;
    return history.isNextTo(last.exchange, first.exchange) || isSameMoment(last, first, draft, this.#seen);
  }

  #isSoonAfter({ draft, last }: LostWrite, one: OperationDraft): boolean {
    const [first] = one.attempts;
    if (!first || draft === one || first.start < (last.end ?? Infinity) || realPause(last, first) > soon) return false;
    return this.#seen.history.callers.compare(last.exchange, first.exchange) !== 'other';
  }

  #isOver({ attempts: [first] }: OperationDraft): boolean {
    return (first?.start ?? Infinity) - this.#latest > soon;
  }

  #remove({ draft, content }: LostWrite): void {
    const keep = (one: LostWrite): boolean => one.draft !== draft;
    filter(this.#byContent, content, keep);
    for (const key of this.piecesOf(draft).flat()) filter(this.#byPiece, key, keep);
  }

  /** Lists the pieces of work that a write asks for. */
  piecesOf({ endpoint, attempts: [first] }: OperationDraft): Pieces {
    return endpoint && first ? this.#seen.history.subjects.piecesOf(first.exchange, endpoint) : [];
  }
}

/** True for a write that sets fields after another that did: field by field, it repeats that one or replaces it. */
const isReplacing = ({ endpoint: a }: OperationDraft, { endpoint: b }: OperationDraft): boolean =>
  a?.sets !== undefined && b?.sets !== undefined;

function filter(lists: Map<string, LostWrite[]>, key: string, keep: (one: LostWrite) => boolean): void {
  const left = lists.get(key)?.filter(keep) ?? [];
  if (left.length > 0) lists.set(key, left);
  else lists.delete(key);
}

const contentOf = (
  { endpoint }: OperationDraft,
  attempt: Attempt | undefined,
  { policy: { ignoreFields } }: GroupingContext,
): string => `${endpoint?.id} ${comparableContent(attempt?.exchange, { endpoint, ignoreFields })}`;

/** True when two attempts carry the same content but for their keys, and the time of what they are about. */
function isSameMoment(
  { exchange: a }: Attempt,
  { exchange: b }: Attempt,
  { endpoint }: OperationDraft,
  { policy: { ignoreFields } }: GroupingContext,
): boolean {
  return isDated(b) && differingFields(a, b, { endpoint, ignoreFields }).length === 0;
}

/** Returns the piece that shares a key with these. */
const matching = (pieces: ReadonlySet<readonly string[]>, keys: readonly string[]): readonly string[] | undefined =>
  [...pieces].find((piece) => piece.some((key) => keys.includes(key)));

/** True when each piece has a counterpart of its own among others. */
function isAllIn(pieces: Pieces, others: ReadonlySet<readonly string[]>): boolean {
  const counts = new Map<string, number>();
  for (const key of [...others].flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
  return pieces.every((keys) => {
    const shared = keys.filter((key) => (counts.get(key) ?? 0) > 0);
    for (const key of shared) counts.set(key, (counts.get(key) ?? 0) - 1);
    return shared.length > 0;
  });
}

/** True for a write whose attempts all failed. */
function isLost(draft: OperationDraft): boolean {
  const own = foldTransparentRetries(draft.attempts);
  const last = own.at(-1);
  // After 429 and 503 nothing was done: a client may keep it for later, and the next may be new work.
  if (!last || !isRetryable(last) || !requiresRetry(last)) return false;
  const mayBeTriedAgain = hasOwnKey(draft) && own.every(({ outcome }) => outcome !== 'success');
  return own.length === 1 || mayBeTriedAgain;
}

/**
 * Merges what was tried once under another key between two attempts of the same work, which came back to its first key:
 * the client draws a key for each attempt, and stores the first one for later.
 */
function* mergeInterludes(drafts: readonly OperationDraft[], seen: GroupingContext): Steps<readonly OperationDraft[]> {
  const single: OperationDraft[] = [];
  yield* forEachInSteps(drafts, (one) => {
    if (isNameable(one) && hasKey(one) && isLeftAlone(one, seen)) single.push(one);
  });
  if (single.length === 0) return drafts;
  const returned = new Map<string, OperationDraft[]>();
  yield* forEachInSteps(drafts, (one) => {
    if (isNameable(one) && hasKey(one) && one.attempts.length > 1)
      appendTo(returned, contentOf(one, one.attempts.at(-1), seen), one);
  });
  if (returned.size === 0) return drafts;
  const merged = new Set<OperationDraft>();
  yield* forEachInSteps(single, (one) => {
    const candidates = returned.get(contentOf(one, one.attempts[0], seen)) ?? [];
    const around = candidates.slice(-maxCompared).find((other) => isInterludeOf(one, other, seen));
    if (!around) return;
    merged.add(one);
    insertAttempts(around, one);
  });
  return merged.size === 0 ? drafts : drafts.filter((one) => !merged.has(one));
}

const hasKey = ({ key }: OperationDraft): boolean => key.by === 'own-key' && key.value !== undefined;

/** True for a single attempt that failed, and was never repeated under its key. */
function isLeftAlone({ attempts }: OperationDraft, { policy }: GroupingContext): boolean {
  const [only] = attempts;
  // Where a person is notified, it may have been another sale.
  return (
    only !== undefined &&
    attempts.length === 1 &&
    isRetryable(only) &&
    (requiresRetry(only) || policy.giveUp === 'fail')
  );
}

/** True when a write follows a failed attempt of another soon, with the same content and time, and the other is tried again after it. */
function isInterludeOf(one: OperationDraft, other: OperationDraft, seen: GroupingContext): boolean {
  const [first] = one.attempts;
  if (!first || one.endpoint !== other.endpoint) return false;
  const at = other.attempts.findLastIndex(({ start }) => start < first.start);
  const before = other.attempts[at];
  if (!before || at === other.attempts.length - 1 || !isRetryable(before)) return false;
  return (
    first.start >= (before.end ?? Infinity) &&
    realPause(before, first) <= soon &&
    seen.history.callers.compare(before.exchange, first.exchange) !== 'other' &&
    isSameMoment(before, first, one, seen)
  );
}
