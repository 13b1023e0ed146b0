import type { Result } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';

/** Limits the routes that are kept of late, and as many of before. */
const maxRoutes = 500;

/** Limits the length of a path that is kept, in characters. */
const maxLength = 200;

/**
 * Finds the route of a path, and keeps those that it found of late: clients call the same few paths over and over. All
 * routes are to be added before the first is looked for.
 */
export class RecentRouter<T> extends TrieRouter<T> {
  /** Holds what was found, by path and method. */
  #recent = new Map<string, FoundRoutes<T>>();
  #earlier: ReadonlyMap<string, FoundRoutes<T>> = new Map();

  override match(method: string, path: string): Result<T> {
    const found = this.#recent.get(path) ?? this.#bringForward(path);
    const known = found?.get(method);
    if (known) return known;
    const result = super.match(method, path);
    // What nobody serves is made up by clients, as any path of the control API may be.
    const isKept = result[0].length > 0 && path.length <= maxLength && !path.startsWith('/__admin');
    if (isKept) this.#keep(path, (found ?? new Map<string, Result<T>>()).set(method, result));
    return result;
  }

  #bringForward(path: string): FoundRoutes<T> | undefined {
    const found = this.#earlier.get(path);
    if (found) this.#keep(path, found);
    return found;
  }

  #keep(path: string, found: FoundRoutes<T>): void {
    if (this.#recent.size >= maxRoutes) [this.#earlier, this.#recent] = [this.#recent, new Map()];
    // A copy: a part of a URL keeps all of it.
    this.#recent.set(Buffer.from(path).toString(), found);
  }
}

type FoundRoutes<T> = Map<string, Result<T>>;
