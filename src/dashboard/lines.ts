import { callTenant } from './service.ts';
import type { ExchangeLine } from './shown.ts';
import type { Told } from './stream.ts';

/** So many calls are kept here; the sim keeps more. */
const most = 500;

/** The call that an event tells of. */
export function lineIn({ event, data }: Told): ExchangeLine | undefined {
  // The sim tells what it declares.
  if (event.startsWith('exchange.')) return data as ExchangeLine;
  return event === 'rule.fired' ? (data as { readonly exchange: ExchangeLine }).exchange : undefined;
}

/** The last calls of a tenant. */
export class Lines {
  readonly #byId = new Map<string, ExchangeLine>();

  get size(): number {
    return this.#byId.size;
  }

  put(line: ExchangeLine): void {
    this.#byId.set(line.id, line);
    if (this.#byId.size <= most) return;
    const [first] = this.#byId.keys();
    if (first !== undefined) this.#byId.delete(first);
  }

  clear(): void {
    this.#byId.clear();
  }

  /** Takes in those that were over before anybody listened. */
  async load(): Promise<void> {
    const { items } = await callTenant<{ items: ExchangeLine[] }>('GET', '/requests', { query: { last: '300' } });
    for (const line of items) this.put(line);
  }

  newestFirst(): ExchangeLine[] {
    return [...this.#byId.values()].toSorted((a, b) => b.number - a.number);
  }
}
