import { startTimer } from '../core/time/clock.ts';

/** Done after so many ms of real time, or as soon as the signal says that nobody waits any more. */
export const waitOrAbort = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      callOff();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const callOff = startTimer(milliseconds, end);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
