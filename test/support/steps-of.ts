import { Session } from 'node:inspector/promises';

/**
 * Counts how often functions and blocks of `src` run while some work is done: the same on every machine, whatever else
 * it does. What a built-in function does inside counts for nothing.
 */
export interface StepCounter {
  stepsOf(work: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

const ours = /\/src\/[^?]*\.ts/u;

/** Opens a counter; blocks are counted in functions that run for the first time after this, calls in all. */
export async function countSteps(): Promise<StepCounter> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const take = async (): Promise<number> => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }) => ours.test(url))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  };
  return {
    async stepsOf(work) {
      await take();
      await work();
      return take();
    },
    async close() {
      await session.post('Profiler.stopPreciseCoverage');
      session.disconnect();
    },
  };
}
