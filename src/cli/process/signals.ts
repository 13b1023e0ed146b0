import { isRunByNpm } from '../../config/config.ts';
import { stopSignals } from '../../platform/stop-signals.ts';

const signals = stopSignals();

/** Equals the exit code of a command that SIGINT ended. */
export const stoppedCode = 130;

/** Sets the interval in which we check for our parent process, in ms. */
const parentCheckInterval = 100;

const parent = process.ppid;

interface StopOptions {
  /** Stops at the end of standard input as well (default: false). */
  readonly withStdin?: boolean;
}

/** Resolves at the first signal to stop; a second one finds no listener and ends the process at once. */
export function stopSignal({ withStdin = false }: StopOptions = {}): Promise<void> {
  return new Promise((resolve) => {
    const cancel = onParentExit(stop);
    for (const signal of signals) process.on(signal, stop);
    if (withStdin) process.stdin.once('end', stop).once('error', stop).resume();
    function stop(): void {
      cancel();
      for (const signal of signals) process.off(signal, stop);
      if (withStdin) process.stdin.pause();
      resolve();
    }
  });
}

/**
 * Calls back when our parent has ended: npx runs us in a shell, and a signal to npx ends that shell without reaching us.
 * Returns a function that stops the watch.
 */
export function onParentExit(callback: () => void): () => void {
  if (!isRunByNpm()) return () => {};
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, parentCheckInterval);
  timer.unref();
  return () => clearInterval(timer);
}
