/** Holds the longest delay of Node's timers, in ms: a longer one fires at once. */
const maxTimerDelay = 2 ** 31 - 1;

/**
 * Limits the time that a hanging request in process keeps the process alive, in ms: as long as Node's own fetch does.
 * The client's own time limit may not keep it alive (AbortSignal.timeout).
 */
const maxHangTime = 300_000;

/** Resolves after so many ms of real time, or when `over` is aborted; keeps the process alive until then. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(milliseconds, maxTimerDelay));
    signal.addEventListener('abort', end);
  });
}

/** Keeps hanging requests from garbage collection, after which their signals would no longer fire. */
const hanging = new Set<Request>();

/** Resolves when `over` is aborted. */
export async function waitForever(signal: AbortSignal, request: Request): Promise<void> {
  hanging.add(request);
  await sleep(maxHangTime, signal);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  hanging.delete(request);
}
