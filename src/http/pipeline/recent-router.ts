import type { Result } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';
import { RecentMap } from '../../core/lib/recent-map.ts';

/** Limits the routes that are kept of late, and as many of before. */
const maxRoutes = 500;

/** Limits the length of a path that is kept, in characters. */
const maxLength = 200;

/**
 * Finds the route of a path, and keeps those that it found of late: clients call the same few paths over and over. All
 * routes are to be added before the first is looked for.
 */
export class RecentRouter<T> extends TrieRouter<T> {
  /** Holds what was found by path, and there by method. */
  readonly #recent = new RecentMap<Map<string, Result<T>>>(maxRoutes);

  override match(method: string, path: string): Result<T> {
    const found = this.#recent.get(path);
    const known = found?.get(method);
    if (known) return known;
    const result = super.match(method, path);
    // What nobody serves is made up by clients, as any path of the control API may be.
    const isKept = result[0].length > 0 && path.length <= maxLength && !path.startsWith('/__admin');
    if (!isKept) return result;
    if (found) found.set(method, result);
    else this.#recent.set(path, new Map([[method, result]]));
    return result;
  }
}
