/** Tells waiting calls of the completed requests that they mean. */
import type { Exchange } from '../../core/exchange/exchange.ts';
import { finishInTurns } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import type { RequestFilter } from './request-filter.ts';

interface RequestWatcher extends Pick<RequestFilter, 'isCandidate' | 'search'> {
  readonly onMeant: (exchange: Exchange) => void;
}

/** Describes a search that is still to be made. It keeps no request that the journal drops before. */
interface PendingSearch {
  readonly watcher: RequestWatcher;
  readonly exchange: WeakRef<Exchange>;
}

/** Limits them: a caller whose search is left out gets its response when its time is up, as all do. */
const mostPending = 100_000;

/**
 * Tells watchers of each completed request of a tenant: at once, but for those that search its texts. These have their
 * turn one after another, so that all of them together hold up nobody.
 */
class RequestWatch {
  readonly #tenant: Tenant;
  readonly #watchers = new Set<RequestWatcher>();
  #pending: PendingSearch[] = [];
  #isSearching = false;
  #unsubscribe: () => void = () => {};

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
  }

  add(watcher: RequestWatcher): () => void {
    if (this.#watchers.size === 0)
      this.#unsubscribe = this.#tenant.journal.onCompleted((exchange) => this.#onCompleted(exchange));
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#unsubscribe();
    };
  }

  #onCompleted(exchange: Exchange): void {
    for (const watcher of this.#watchers) {
      if (!watcher.isCandidate(exchange)) continue;
      if (!watcher.search) watcher.onMeant(exchange);
      else if (this.#pending.length < mostPending) this.#pending.push({ watcher, exchange: new WeakRef(exchange) });
    }
    if (this.#isSearching || this.#pending.length === 0) return;
    this.#isSearching = true;
    void finishInTurns(this.#searchAll());
  }

  /** True as long as somebody waits for it and the journal holds it. */
  #isWatched(watcher: RequestWatcher, exchange: Exchange): boolean {
    return this.#watchers.has(watcher) && this.#tenant.journal.get(exchange.id) === exchange;
  }

  *#searchAll(): Steps {
    try {
      for (let pending = this.#takePending(); pending.length > 0; pending = this.#takePending())
        for (const one of pending) yield* this.#search(one);
    } finally {
      this.#isSearching = false;
    }
  }

  #takePending(): readonly PendingSearch[] {
    const pending = this.#pending;
    this.#pending = [];
    return pending;
  }

  *#search({ watcher, exchange: reference }: PendingSearch): Steps {
    const exchange = reference.deref();
    if (!exchange || !watcher.search || !this.#isWatched(watcher, exchange)) return;
    if (yield* watcher.search(exchange)) watcher.onMeant(exchange);
    yield;
  }
}

const watches = new WeakMap<Tenant, RequestWatch>();

/** Watches the requests of a tenant until the returned function is called. */
export function watchRequests(tenant: Tenant, watcher: RequestWatcher): () => void {
  const watch = watches.get(tenant) ?? new RequestWatch(tenant);
  watches.set(tenant, watch);
  return watch.add(watcher);
}
