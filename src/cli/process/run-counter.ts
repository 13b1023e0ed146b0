import { monotonicNow } from '../../core/time/clock.ts';
import { counted } from '../../explore/report/words.ts';
import { canShowStatus, printNote, showStatus } from './terminal.ts';

/** Sets how often a line tells how far we are where there is no terminal, in ms. */
const plainInterval = 5000;

/** Tells how many runs are done: on a terminal at each of them, elsewhere from time to time. */
export class RunCounter {
  readonly #started = monotonicNow();
  #lastLine = monotonicNow();

  tell(done: number): void {
    const now = monotonicNow();
    const line = `${counted(done, 'run')}, ${((now - this.#started) / 1000).toFixed(0)} s`;
    if (canShowStatus()) return showStatus(line);
    if (now - this.#lastLine < plainInterval) return;
    this.#lastLine = now;
    printNote(line);
  }

  end(): void {
    showStatus('');
  }
}
