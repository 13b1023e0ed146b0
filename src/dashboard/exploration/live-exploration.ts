/** Reads an exploration while it goes on: each response waits until there is something new. */
import { requestSim } from '../api/client.ts';
import type { LiveExplorationJson } from '../api/api-types.ts';

interface Reader {
  /** True while somebody looks. */
  readonly isWanted: () => boolean;
  readonly onState: (exploration: LiveExplorationJson | null) => void;
}

/** Waits so long for a change. */
const wait = '20s';
/** Pauses so many ms after a request that failed. */
const pause = 1000;

/** Returns a function that begins to read, unless it reads already, and one that stops at once. */
export function exploreReader({ isWanted, onState }: Reader) {
  let reading: AbortController | undefined;
  const read = async (): Promise<void> => {
    const leaving = new AbortController();
    reading = leaving;
    let after = -1;
    while (isWanted() && !leaving.signal.aborted) {
      try {
        // What is there already is shown at once.
        const query: Record<string, string> = after < 0 ? {} : { wait, after: String(after) };
        const { change, exploration } = await requestSim<{ change: number; exploration: LiveExplorationJson | null }>(
          'GET',
          '/exploration',
          { query, signal: leaving.signal },
        );
        if (change !== after) onState(exploration);
        after = change;
      } catch {
        // The bar says that there is no connection; what is known stays.
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
    if (reading === leaving) reading = undefined;
  };
  return {
    start: (): void => {
      if (!reading) void read();
    },
    stop: (): void => {
      reading?.abort();
      reading = undefined;
    },
  };
}
