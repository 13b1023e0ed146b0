import type { ReceivedEvent } from '../api/event-stream.ts';

/** A part of the page that is shown alone, by its name in the address. */
export interface View {
  readonly name: string;
  readonly title: string;
  readonly element: HTMLElement;
  /** Fetches what it shows; `about` is what stands behind its name in the address. */
  readonly refresh: (about: string) => Promise<void> | void;
  /** The events after which it is refreshed while it is shown. */
  readonly refreshOn: RegExp;
  /** Told of every event, shown or not. */
  readonly onEvent?: (told: ReceivedEvent) => void;
}

/** The shortest pause between two refreshes, in ms. */
const shortest = 150;
/** How much longer than the work itself it then rests, so that nobody's own calls suffer. */
const rests = 5;
/** But no longer than that, in ms. */
const longest = 2000;

/** Does some work soon after it is asked for, once for all who ask meanwhile. The work itself never fails. */
export function coalesce(work: () => Promise<void> | void): () => void {
  let isPlanned = false;
  let last = Promise.resolve();
  const carryOut = async (): Promise<void> => {
    isPlanned = false;
    const started = performance.now();
    await work();
    const pause = Math.min(longest, Math.max(shortest, rests * (performance.now() - started)));
    await new Promise((resolve) => setTimeout(resolve, pause));
  };
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    last = last.then(carryOut);
  };
}
