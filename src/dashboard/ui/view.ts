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
/** Pauses so many times longer than a refresh takes, up to `longest` ms, so that the service stays fast. */
const rests = 50;
const longest = 30_000;
/** Ends the pause when nothing has happened for so many ms: then the service has nothing else to do. */
const quiet = 600;
const tick = 100;

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Returns a function that runs the work soon, once for all calls meanwhile. The work must never fail. `estimate` returns
 * how long it would take now, in ms, from how long it took last (default: as long).
 */
export function coalesce(
  work: () => Promise<void> | void,
  estimate: (took: number) => number = (took) => took,
): () => void {
  let isPlanned = false;
  let calledAt = 0;
  let last = Promise.resolve();
  const carryOut = async (): Promise<void> => {
    isPlanned = false;
    const started = performance.now();
    await work();
    const end = performance.now();
    const pause = (): number => Math.min(longest, rests * estimate(end - started));
    // While a service was busy with the work, nothing was heard of it.
    const isQuiet = (): boolean => performance.now() >= Math.max(calledAt, end) + quiet;
    await sleep(shortest);
    while (performance.now() < end + pause() && !isQuiet()) await sleep(tick);
  };
  return () => {
    calledAt = performance.now();
    if (isPlanned) return;
    isPlanned = true;
    last = last.then(carryOut);
  };
}
