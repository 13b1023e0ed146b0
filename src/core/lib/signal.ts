/** Calls its subscribers back when something happens, until they unsubscribe. */
export class Signal<Told = void> {
  readonly #listeners = new Set<(told: Told) => void>();

  /** Answers how to end it. */
  subscribe(watcher: (told: Told) => void): () => void {
    this.#listeners.add(watcher);
    return () => this.#listeners.delete(watcher);
  }

  emit(told: Told): void {
    for (const watcher of this.#listeners) watcher(told);
  }
}
