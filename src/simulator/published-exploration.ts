/** Lets the control API show the exploration that a simulator is used for: the last one that was begun. */
import { Signal } from '../core/lib/signal.ts';
import type { ExplorationSource } from '../admin/input/admin-context.ts';
import type { LiveExploration } from '../explore/live/live-exploration.ts';

export class PublishedExploration implements ExplorationSource {
  readonly changed = new Signal();
  #change = 0;
  #live: LiveExploration | undefined;
  #leave = (): void => {};

  get change(): number {
    return this.#change;
  }

  get isEnded(): boolean {
    return this.#live?.isEnded ?? false;
  }

  /** Shows an exploration in the place of the one before. */
  show(live: LiveExploration): void {
    this.#leave();
    this.#live = live;
    this.#leave = live.changed.subscribe(this.#onChange);
    this.#onChange();
  }

  state(): ReturnType<LiveExploration['state']> | null {
    return this.#live?.state() ?? null;
  }

  #onChange = (): void => {
    this.#change++;
    this.changed.emit();
  };
}
