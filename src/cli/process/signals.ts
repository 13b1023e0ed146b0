import { isRunByNpm } from '../../config/config.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** How often it is looked whether the parent is still there, in ms. */
const parentWatch = 100;

const parent = process.ppid;

/** Done at the first signal to stop; a second one finds no listener and ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const callOff = onParentExit(stop);
    for (const signal of signals) process.on(signal, stop);
    function stop(): void {
      callOff();
      for (const signal of signals) process.off(signal, stop);
      resolve();
    }
  });
}

/**
 * npx runs us in a shell. A signal to npx ends that shell, which does not tell us. Watches until the answered function
 * is called.
 */
export function onParentExit(callback: () => void): () => void {
  if (!isRunByNpm()) return () => {};
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, parentWatch);
  timer.unref();
  return () => clearInterval(timer);
}
