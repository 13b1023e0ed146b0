/** The longest delay that Node's timers take, in ms; it fires at once for longer ones. */
const longest = 2 ** 31 - 1;

/**
 * How long a caller in process that is left hanging keeps the process alive, in ms: as long as Node's own fetch would.
 * The caller's time limit may be one that doesn't (AbortSignal.timeout).
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

/** Requests of callers that are left hanging: one that is collected as garbage no longer hears of its signal. */
const hanging = new Set<Request>();

/** Resolves when `over` is aborted. */
export async function waitForever(over: AbortSignal, request: Request): Promise<void> {
  hanging.add(request);
  await sleep(patience, over);
  if (!over.aborted) await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }));
  hanging.delete(request);
}
