/** The longest delay that Node's timers take, in ms; it fires at once for longer ones. */
const longest = 2 ** 31 - 1;

/** Resolves after so many ms of real time, or when `over` is aborted; keeps the process alive until then. */
export function pause(milliseconds: number, over: AbortSignal): Promise<void> {
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
