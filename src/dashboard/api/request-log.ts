import { requestTenant } from './client.ts';
import type { ExchangeLineJson } from './api-types.ts';
import type { ReceivedEvent } from './event-stream.ts';

/** Limits the requests that the page keeps; the simulator keeps more. */
const most = 500;

/** Returns the request that an event is about, if any. */
export function exchangeInEvent({ event, data }: ReceivedEvent): ExchangeLineJson | undefined {
  // The data of an event is what the control API declares.
  if (event.startsWith('request.')) return data as ExchangeLineJson;
  return event === 'rule.fired' ? (data as { readonly exchange: ExchangeLineJson }).exchange : undefined;
}

/** Keeps the last requests of a tenant. */
export class RequestLog {
  readonly #byId = new Map<string, ExchangeLineJson>();

  get size(): number {
    return this.#byId.size;
  }

  put(line: ExchangeLineJson): void {
    this.#byId.set(line.id, line);
    if (this.#byId.size <= most) return;
    const [first] = this.#byId.keys();
    if (first !== undefined) this.#byId.delete(first);
  }

  clear(): void {
    this.#byId.clear();
  }

  /** Loads the requests that were completed before the stream was opened. */
  async load(): Promise<void> {
    const { items } = await requestTenant<{ items: ExchangeLineJson[] }>('GET', '/requests', {
      query: { last: '300' },
    });
    for (const line of items) this.put(line);
  }

  newestFirst(): ExchangeLineJson[] {
    return [...this.#byId.values()].toSorted((a, b) => b.number - a.number);
  }
}
