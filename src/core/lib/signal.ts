/** Calls its subscribers back when something happens, until they unsubscribe. */
export class Signal<Value = void> {
  readonly #listeners = new Set<(value: Value) => void>();

  /** Answers how to end it. */
  subscribe(watcher: (value: Value) => void): () => void {
    this.#listeners.add(watcher);
    return () => this.#listeners.delete(watcher);
  }

  emit(value: Value): void {
    for (const watcher of this.#listeners) watcher(value);
  }
}
