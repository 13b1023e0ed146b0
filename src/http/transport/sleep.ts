/** Is the longest delay of Node's timers, in ms: a longer one fires at once. */
const longest = 2 ** 31 - 1;

/**
 * Limits the time that a hanging request in process keeps the process alive, in ms: as long as Node's own fetch does.
 * The client's own time limit may not keep it alive (AbortSignal.timeout).
 */
const patience = 300_000;

/** Resolves after so many ms of real time, or when `over` is aborted; keeps the process alive until then. */
export function sleep(milliseconds: number, over: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || over.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      over.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(milliseconds, longest));
    over.addEventListener('abort', end);
  });
}

/** Keeps hanging requests from garbage collection, after which their signals would no longer fire. */
const hanging = new Set<Request>();

/** Resolves when `over` is aborted. */
export async function waitForever(over: AbortSignal, request: Request): Promise<void> {
  hanging.add(request);
  await sleep(patience, over);
  if (!over.aborted) await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }));
  hanging.delete(request);
}
