/** Does work that waits for something one after another, where it is about the same: in the order in which it came. */
export class WorkInOrder {
  readonly #last = new Map<string, Promise<void>>();

  /** Begins at once where nothing of the same name is under way. Fails as the work does; what comes next is done anyway. */
  do<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.get(name)?.then(work) ?? work();
    const over = result.then(
      () => {},
      () => {},
    );
    this.#last.set(name, over);
    void over.then(() => {
      if (this.#last.get(name) === over) this.#last.delete(name);
    });
    return result;
  }
}
