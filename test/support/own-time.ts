/** Counts time as the program itself does: its timers stand still, however late the machine is. */
import { onTestFinished, vi } from 'vitest';

/** Stops the timers of the program in this process: from now on, none goes off by itself. */
export function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Lets timers that are due within so many ms go off, and sockets have their turns in between. */
export async function passTime(milliseconds: number): Promise<void> {
  const step = 50;
  for (let passed = 0; passed < milliseconds; passed += step) {
    await vi.advanceTimersByTimeAsync(step);
    await new Promise(setImmediate);
  }
}
