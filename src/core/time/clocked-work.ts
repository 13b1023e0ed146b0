import type { Instant } from './clock.ts';
import type { ExecutedJob } from './scheduler.ts';

/**
 * Describes work that waits for moments of a tenant's clock and takes real time: it sends, or reads files. It watches
 * the tenant by itself, and whoever moves the clock waits for it.
 */
export interface ClockedWork {
  /** Returns when there is something to do next, on the tenant's clock. */
  readonly nextDue: () => Instant | undefined;
  /** Resolves when nothing is under way or due any more. */
  readonly idle: () => Promise<void>;
  /** Calls back with each piece of work that was done, until the returned function is called. */
  readonly onExecuted: (watcher: (done: ExecutedJob) => void) => () => void;
  readonly close: () => void;
}
