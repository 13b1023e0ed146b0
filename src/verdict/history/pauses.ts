/** Learns how long a client waits between attempts: what it has not sent yet may still come after such a pause. */
import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Policy } from '../policy.ts';
import { isRetryable, pauseBetween, requestedPause } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import type { History } from './history.ts';
import { consecutivePairs } from './operation.ts';
import type { Operation } from './operation.ts';

/** Says how long a client may wait before it tries again, and why that is known. */
export interface LongestPause {
  /** Is given in ms. */
  readonly length: number;
  readonly source: string;
}

/** Pauses of a backoff grow by this factor at the most; a longer one is that of a fallback. */
const maxGrowth = 3;

/** Keeps the longest pause of each caller. Callers that look alike share one. */
export class Pauses {
  readonly #history: History;
  readonly #policy: Policy;
  readonly #longest = new Map<string, LongestPause>();

  private constructor(history: History, policy: Policy) {
    this.#history = history;
    this.#policy = policy;
  }

  static *of(operations: readonly Operation[], history: History, policy: Policy): Steps<Pauses> {
    const pauses = new Pauses(history, policy);
    yield* forEachInSteps(operations, ({ clientAttempts }) => {
      for (const pair of consecutivePairs(clientAttempts)) if (isRetryable(pair[0])) pauses.#note(...pair);
    });
    return pauses;
  }

  /** Returns the longest pause after which the client may still try an operation again; undefined when none is known. */
  longestFor({ clientAttempts: own }: Operation): LongestPause | undefined {
    const last = own.at(-1);
    if (!last) return undefined;
    const requested = { length: requestedPause(last), source: 'requested by Retry-After' };
    const found = [requested, this.#declared(), this.#longest.get(this.#callerOf(last)), grown(own)];
    return found.reduce<LongestPause | undefined>(
      (longest, one) => (one && one.length > (longest?.length ?? 0) ? one : longest),
      undefined,
    );
  }

  #declared(): LongestPause | undefined {
    const length = Math.max(0, ...this.#policy.minBackoff);
    return length === 0 ? undefined : { length, source: 'declared' };
  }

  #note(before: Attempt, next: Attempt): void {
    const [caller, length] = [this.#callerOf(next), pauseBetween(before, next)];
    if (length <= (this.#longest.get(caller)?.length ?? 0)) return;
    this.#longest.set(caller, { length, source: `seen before ${next.exchange.id}` });
  }

  #callerOf = ({ exchange }: Attempt): string => this.#history.callers.keyOf(exchange);
}

/** Guesses the next pause of a backoff that grows, from its last two pauses. */
function grown(own: readonly Attempt[]): LongestPause | undefined {
  const [before = 0, last = 0] = consecutivePairs(own.slice(-3)).map((pair) => pauseBetween(...pair));
  const growth = before <= 0 ? 0 : last / before;
  return growth <= 1 || growth > maxGrowth ? undefined : { length: last * growth, source: 'as its pauses grow' };
}
