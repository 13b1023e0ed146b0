import type { ReceivedEvent } from '../api/event-stream.ts';

/** Shows one part of the page at a time, by its name in the address. */
export interface View {
  readonly name: string;
  readonly title: string;
  readonly element: HTMLElement;
  /** Fetches what it shows; `about` follows its name in the address. */
  readonly refresh: (about: string) => Promise<void> | void;
  /** Matches the events after which the view is refreshed while it is shown. */
  readonly refreshOn: RegExp;
  /** Receives every event, whether the view is shown or not. */
  readonly onEvent?: (event: ReceivedEvent) => void;
}

/** Holds the shortest pause between two refreshes, in ms. */
const shortest = 150;
/** Pauses so many times longer than a refresh took, up to `longest` ms, so that the service stays fast. */
const rests = 5;
const longest = 2000;

/** Returns a function that runs the work soon, once for all calls meanwhile. The work must never fail. */
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
