/** Tells what a tenant was at earlier moments: what has changed since then is undone. */
import type { SideEffects } from '../exchange/exchange.ts';
import type { State } from '../state/state.ts';
import type { SequenceDraw, UnitOfWork } from '../state/unit-of-work.ts';
import type { ClockSetting } from '../time/clock.ts';
import { mapResult } from '../time/steps.ts';
import type { Steps } from '../time/steps.ts';

/** Holds what one piece of work replaced; what it left alone is absent. */
export interface ReplacedParts {
  /** Holds what a transaction did; its changes are those that the journal shows. */
  readonly by?: SideEffects;
  /** Holds the first number that it drew of each sequence. */
  readonly draws?: SequenceDraw | undefined;
  /** True when the journal keeps these changes, and counts them. */
  readonly isInJournal?: boolean;
  /** Holds the whole state that a reset or a restored snapshot replaced. */
  readonly state?: State;
  readonly clock?: ClockSetting;
  readonly isHeld?: boolean;
}

/** Describes a tenant at one moment: all that a snapshot keeps of it. */
export interface Moment {
  readonly state: State;
  readonly clock: ClockSetting;
  readonly isHeld: boolean;
}

/**
 * Keeps a state as a value after so many writes, besides those of the transaction that completes them: no more have to be
 * undone, which takes a tenth of a second. After each that is kept, all lists and maps that change are copied once.
 */
const writesBetweenValues = 32_000;

/** Holds a state of the past that is kept as a value. */
interface KeptState {
  readonly version: number;
  readonly state: State;
  /** Counts the rows that were replaced since, until the next one was kept: so much of it no later state shares. */
  replaced: number;
}

/** A replaced state may keep many rows alive, so it counts like so many writes. */
const writesOfState = 1000;

/** Estimates the bytes that a replaced row keeps alive, with its part of the indexes. */
export const bytesOfRow = 500;
const bytesOfChange = 150;
const bytesOfDraws = 100;

/** Estimates what a change takes beyond what the journal counts. */
const byteSizeOf = ({ by, draws, state, isInJournal }: ReplacedParts): number =>
  bytesOfChange +
  (by && !isInJournal ? by.changes.length * bytesOfRow : 0) +
  (draws ? bytesOfDraws : 0) +
  (state ? writesOfState * bytesOfRow : 0);

const weightOf = ({ by, state }: ReplacedParts): number => (by ? by.changes.length : 0) + (state ? writesOfState : 1);

/**
 * Keeps what was replaced, as far back as the journal goes, and numbers the states in between: 0 is the first one.
 * Holds so many rows at the most; then the oldest are forgotten, and the states before them can't be shown any more.
 */
export class StateHistory {
  readonly #limit: number;
  /** The change that led to version n stands at place n - 1 - #cut; the places before #start are given up. */
  #changes: (ReplacedParts | undefined)[] = [];
  #cut = 0;
  #start = 0;
  #weight = 0;
  /** Holds some of the states in between, the oldest first. */
  #kept: KeptState[] = [];
  #rowsSinceKept = 0;
  #bytes = 0;
  readonly #unitOfWork: Pick<UnitOfWork, 'value' | 'undo'>;
  readonly #onResize: (added: number) => void;
  readonly #writesBetweenValues: number;

  /** Creates one of at most so many rows, which tells by how many bytes it has grown or shrunk. */
  constructor(
    limit: number,
    unitOfWork: Pick<UnitOfWork, 'value' | 'undo'>,
    onResize: (added: number) => void = () => {},
    between = writesBetweenValues,
  ) {
    this.#limit = limit;
    this.#unitOfWork = unitOfWork;
    this.#onResize = onResize;
    this.#writesBetweenValues = between;
  }

  /** Returns about how many bytes it takes beyond what the journal counts. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the number of the present state. */
  get version(): number {
    return this.#cut + this.#changes.length;
  }

  /** Returns the number of the oldest state that can be shown. */
  get oldest(): number {
    return this.#cut + this.#start;
  }

  record(change: ReplacedParts): void {
    const weight = weightOf(change);
    let added = byteSizeOf(change);
    this.#changes.push(change);
    this.#weight += weight;
    this.#rowsSinceKept += weight;
    const last = this.#kept.at(-1);
    if (last) {
      last.replaced += weight;
      added += weight * bytesOfRow;
    }
    if (this.#rowsSinceKept > this.#writesBetweenValues) {
      this.#kept.push({ version: this.version, state: this.#unitOfWork.value, replaced: 0 });
      this.#rowsSinceKept = 0;
    }
    this.#resize(added);
    if (this.#weight > this.#limit) this.#forgetUntil(() => this.#weight <= this.#limit);
  }

  /** Returns one that goes on holding what this one forgets from now on. */
  capture(): StateHistory {
    const captured = new StateHistory(this.#limit, this.#unitOfWork);
    captured.#changes = this.#changes.slice(this.#start);
    captured.#cut = this.#cut + this.#start;
    captured.#kept = this.#kept.map((kept) => ({ ...kept }));
    return captured;
  }

  /** Forgets all states before a version. */
  forgetBefore(version: number): void {
    this.#forgetUntil(() => this.oldest >= version);
  }

  /** Forgets the oldest states until so many bytes are free, or none is left but the present one. */
  giveUp(bytes: number): void {
    const wanted = this.#bytes - bytes;
    while (this.#bytes > wanted && this.#start < this.#changes.length) this.forgetBefore(this.oldest + 1);
  }

  #resize(added: number): void {
    this.#bytes += added;
    this.#onResize(added);
  }

  #forgetUntil(isDone: () => boolean): void {
    let freed = 0;
    while (this.#start < this.#changes.length && !isDone()) {
      const change = this.#changes[this.#start];
      this.#weight -= change ? weightOf(change) : 0;
      freed += change ? byteSizeOf(change) : 0;
      this.#changes[this.#start++] = undefined;
    }
    while (this.#kept[0] && this.#kept[0].version < this.oldest)
      freed += (this.#kept.shift()?.replaced ?? 0) * bytesOfRow;
    if (freed > 0) this.#resize(-freed);
    // Given-up places are cut off now and then, so that each costs next to nothing.
    if (this.#start < 1000 || this.#start * 2 < this.#changes.length) return;
    this.#changes = this.#changes.slice(this.#start);
    this.#cut += this.#start;
    this.#start = 0;
  }

  /** Returns the version before a piece of work that left this one: the same if it changed nothing. */
  versionBefore(version: number, work: SideEffects): number {
    return this.#changes[version - 1 - this.#cut]?.by === work ? version - 1 : version;
  }

  /** Yields the work that was done between two versions, as far as it is not forgotten. */
  *workBetween(from: number, to: number): Generator<SideEffects> {
    for (let place = Math.max(from - this.#cut, this.#start); place < to - this.#cut; place++) {
      const work = this.#changes[place]?.by;
      if (work) yield work;
    }
  }

  /** Returns the steps that lead to what the tenant was at a version; undefined if that is forgotten. */
  momentAt(version: number, present: Moment): Steps<Moment> | undefined {
    if (version < this.oldest) return undefined;
    const later = this.#changes.slice(version - this.#cut);
    const clock = later.find((change) => change?.clock)?.clock ?? present.clock;
    const isHeld = later.find((change) => change?.isHeld !== undefined)?.isHeld ?? present.isHeld;
    return mapResult(this.#stateAt(version, later, present.state), (state) => ({ state, clock, isHeld }));
  }

  /** Undoes what was changed from a version on until the next state that is known: kept, replaced later, or the present one. */
  #stateAt(version: number, later: readonly (ReplacedParts | undefined)[], present: State): Steps<State> {
    const kept = this.#kept.find((one) => one.version >= version);
    const near = later.slice(0, kept && kept.version - version);
    const replaced = near.findIndex((change) => change?.state);
    return replaced < 0
      ? this.#undoAll(near, kept?.state ?? present)
      : this.#undoAll(near.slice(0, replaced), near[replaced]?.state ?? present);
  }

  /** Undoes changes, the last first, and leaves the given state as it is. */
  *#undoAll(changes: readonly (ReplacedParts | undefined)[], from: State): Steps<State> {
    const editToken = {};
    let state = from;
    for (const change of changes.toReversed()) {
      if (!change?.by) continue;
      const { by, draws } = change;
      state = yield* this.#unitOfWork.undo(state, { changes: by.changes, draws }, editToken);
    }
    return state;
  }
}
