/** Tells waiting calls of the completed requests that they mean. */
import type { Exchange } from '../../core/exchange/exchange.ts';
import { finishInTurns } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';

interface RequestWatcher {
  /** Looks at a request in steps, as its texts may be searched. */
  readonly isMeant: (exchange: Exchange) => Steps<boolean>;
  readonly onMeant: (exchange: Exchange) => void;
}

/** Looks at each completed request of a tenant for one watcher after another: all of them together hold up nobody. */
class RequestWatch {
  readonly #tenant: Tenant;
  readonly #watchers = new Set<RequestWatcher>();
  #completed: Exchange[] = [];
  #isLooking = false;
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
    this.#completed.push(exchange);
    if (this.#isLooking) return;
    this.#isLooking = true;
    void finishInTurns(this.#look());
  }

  *#look(): Steps {
    for (let exchange = this.#completed.shift(); exchange; exchange = this.#completed.shift()) {
      for (const watcher of this.#watchers) {
        if (yield* watcher.isMeant(exchange)) watcher.onMeant(exchange);
        yield;
      }
    }
    this.#isLooking = false;
  }
}

const watches = new WeakMap<Tenant, RequestWatch>();

/** Watches the requests of a tenant until the returned function is called. */
export function watchRequests(tenant: Tenant, watcher: RequestWatcher): () => void {
  const watch = watches.get(tenant) ?? new RequestWatch(tenant);
  watches.set(tenant, watch);
  return watch.add(watcher);
}
