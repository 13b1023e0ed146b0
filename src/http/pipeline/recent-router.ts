import type { Result } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';

/** Limits the paths that are kept for a method: with the next one, all are forgotten. */
const maxPaths = 500;

/** Limits the length of a path that is kept, in characters. */
const maxLength = 200;

/** Finds the route of a path, and keeps what it found: clients call the same few paths over and over. */
export class RecentRouter<T> extends TrieRouter<T> {
  readonly #found = new Map<string, Map<string, Result<T>>>();

  override match(method: string, path: string): Result<T> {
    const found = this.#found.get(method);
    const known = found?.get(path);
    if (known) return known;
    const result = super.match(method, path);
    // Any client can make up methods and paths: only what is served is kept.
    if (result[0].length > 0 && path.length <= maxLength) this.#keep(method, path, result);
    return result;
  }

  #keep(method: string, path: string, result: Result<T>): void {
    const found = this.#found.get(method) ?? new Map<string, Result<T>>();
    if (found.size >= maxPaths) found.clear();
    found.set(path, result);
    this.#found.set(method, found);
  }
}
