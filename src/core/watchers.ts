/** Those who are told when something happens, until they have heard enough. */
export class Watchers<Told = void> {
  readonly #watchers = new Set<(told: Told) => void>();

  /** Answers how to end it. */
  add(watcher: (told: Told) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  tell(told: Told): void {
    for (const watcher of this.#watchers) watcher(told);
  }
}
