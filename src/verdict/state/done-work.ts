/** Finds out what attempts had done by a moment: that takes no longer for each look the more attempts there are. */
import { lowerBound } from '../../core/lib/collections.ts';
import type { SideEffects } from '../../core/exchange/exchange.ts';
import type { RowChange } from '../../core/state/state.ts';
import { jobs } from '../../core/time/jobs.ts';
import type { Attempt } from '../history/attempt.ts';

/** Describes the attempts and the state that count: the first so many, and what they had done up to a version. */
interface DoneBy {
  readonly count: number;
  readonly version: number;
}

/** Answers questions about the changes that attempts had made. What a name stands for must always be the same. */
export interface DoneChanges {
  /** True when one of the changes is meant. */
  readonly some: (name: string, isMeant: (change: RowChange) => boolean) => boolean;
  /** True when one of the changes goes by one of these texts. */
  readonly hasOneOf: (
    name: string,
    textsOf: (change: RowChange) => readonly string[],
    wanted: readonly string[],
  ) => boolean;
}

interface DoneChange {
  readonly change: RowChange;
  /** Holds the place of its attempt. */
  readonly place: number;
  readonly version: number;
}

/** Holds by which attempts something was done, each at an older version than those before it. */
class Beginnings {
  readonly #found: DoneChange[] = [];

  note(done: DoneChange): void {
    if (done.version < (this.#found.at(-1)?.version ?? Infinity)) this.#found.push(done);
  }

  isBy({ count, version }: DoneBy): boolean {
    const last = this.#found[lowerBound(this.#found, ({ place }) => place >= count) - 1];
    return last !== undefined && last.version <= version;
  }
}

/** Holds changes by the texts by which they go. */
interface ChangeIndex {
  readonly byText: Map<string, Beginnings>;
  /** Counts the changes that it holds. */
  size: number;
}

const isMeantText = ['meant'];

/** Holds what the attempts of an operation have done; more of them may follow. */
class DoneWork {
  readonly #attempts: readonly Attempt[];
  readonly #changes: DoneChange[] = [];
  readonly #indexes = new Map<string, ChangeIndex>();
  #size = 0;
  #firstWithChanges = Infinity;

  constructor(attempts: readonly Attempt[]) {
    this.#attempts = attempts;
  }

  /** True when one of the first so many attempts has changed something at once, be it that it only queued its work. */
  isBegunBy(count: number): boolean {
    this.#readOn();
    return this.#firstWithChanges < count;
  }

  by(moment: DoneBy): DoneChanges {
    this.#readOn();
    const hasOneOf: DoneChanges['hasOneOf'] = (name, textsOf, wanted) => {
      const index = this.#index(name, textsOf);
      return wanted.some((text) => index.get(text)?.isBy(moment));
    };
    return {
      some: (name, isMeant) => hasOneOf(name, (change) => (isMeant(change) ? isMeantText : []), isMeantText),
      hasOneOf,
    };
  }

  #readOn(): void {
    for (; this.#size < this.#attempts.length; this.#size++) {
      const { sideEffects, deferredEffects } = (this.#attempts[this.#size] as Attempt).exchange;
      if (sideEffects.changes.length > 0) this.#firstWithChanges = Math.min(this.#firstWithChanges, this.#size);
      // What only queues its work has changed nothing yet.
      const work = isQueued(sideEffects) ? deferredEffects.map((late) => late.sideEffects) : [sideEffects];
      for (const { changes, stateVersion: version } of work)
        for (const change of changes) this.#changes.push({ change, place: this.#size, version });
    }
  }

  #index(name: string, textsOf: (change: RowChange) => readonly string[]): ReadonlyMap<string, Beginnings> {
    const index = this.#indexes.get(name) ?? { byText: new Map<string, Beginnings>(), size: 0 };
    this.#indexes.set(name, index);
    for (; index.size < this.#changes.length; index.size++) {
      const done = this.#changes[index.size] as DoneChange;
      for (const text of textsOf(done.change)) {
        const beginnings = index.byText.get(text) ?? new Beginnings();
        index.byText.set(text, beginnings);
        beginnings.note(done);
      }
    }
    return index.byText;
  }
}

/** Holds the work of each list of attempts that somebody asked about. */
const known = new WeakMap<readonly Attempt[], DoneWork>();

/** Returns what these attempts have done. */
export function doneWorkOf(attempts: readonly Attempt[]): DoneWork {
  const work = known.get(attempts) ?? new DoneWork(attempts);
  known.set(attempts, work);
  return work;
}

/** Forgets what attempts have done, when others come in between. */
export const forgetDoneWork = (attempts: readonly Attempt[]): void => void known.delete(attempts);

/** True when a request has queued its work. */
export const isQueued = ({ changes }: SideEffects): boolean =>
  changes.some(({ table, before }) => table === jobs.name && !before);
