/** Those who are told when something happens, until they have heard enough. */
export class Watchers {
  readonly #watchers = new Set<() => void>();

  /** Answers how to end it. */
  add(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  tell(): void {
    for (const watcher of this.#watchers) watcher();
  }
}
