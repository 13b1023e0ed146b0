import { startTimer } from '../core/time/clock.ts';

/** Resolves after so many ms of real time, or as soon as the signal aborts. */
export const waitOrAbort = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      cancelTimer();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancelTimer = startTimer(milliseconds, end);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
