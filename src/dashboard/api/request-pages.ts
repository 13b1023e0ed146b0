/** Reads the list of requests page by page, as far as it is looked at. */
import { requestTenant } from './client.ts';
import type { ListedExchangeJson } from './api-types.ts';

interface ListResponse {
  readonly count: number;
  readonly evicted: number;
  readonly items: readonly ListedExchangeJson[];
}

interface LoadedPage {
  readonly items: readonly ListedExchangeJson[];
  /** Holds the number of the refresh after which it was read. */
  readonly version: number;
}

export type RequestQuery = Readonly<Record<string, string>>;

const pageSize = 100;

/** Holds the pages of the list that a query selects, the newest request first. */
export class RequestPages {
  readonly #onChange: () => void;
  #query: RequestQuery = {};
  #pages = new Map<number, LoadedPage>();
  #version = 0;
  #inSight: readonly [first: number, last: number] = [0, 0];
  #loading: Promise<void> | undefined;
  #count = 0;
  #evicted = 0;

  /** `onChange` is called whenever a page or the number of requests has changed. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get count(): number {
    return this.#count;
  }

  /** Returns the number of requests that the journal dropped to make room. */
  get evicted(): number {
    return this.#evicted;
  }

  /** Returns a request by its place in the list; undefined until its page is read. */
  at(index: number): ListedExchangeJson | undefined {
    return this.#pages.get(Math.floor(index / pageSize))?.items[index % pageSize];
  }

  /** Reads the pages of these rows, unless they are there. */
  look(first: number, last: number): void {
    this.#inSight = [first, last];
    void this.#load().catch(() => {});
  }

  /** Selects other requests. */
  async select(query: RequestQuery): Promise<void> {
    this.#query = query;
    this.#pages = new Map();
    this.#inSight = [0, 1];
    await this.refresh();
  }

  /** Reads the pages in sight again. */
  async refresh(): Promise<void> {
    this.#version++;
    await this.#loading?.catch(() => {});
    await this.#load();
  }

  #load(): Promise<void> {
    this.#loading ??= this.#loadAll().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #loadAll(): Promise<void> {
    for (let page = this.#nextPage(); page !== undefined; page = this.#nextPage()) await this.#loadPage(page);
  }

  /** Returns a page in sight that was not read since the last refresh. */
  #nextPage(): number | undefined {
    const [first, last] = this.#inSight;
    const end = Math.max(1, Math.ceil(Math.min(last, Math.max(1, this.#count)) / pageSize));
    for (let page = Math.floor(first / pageSize); page < end; page++) {
      if (this.#pages.get(page)?.version !== this.#version) return page;
    }
    return undefined;
  }

  async #loadPage(page: number): Promise<void> {
    const [query, version] = [this.#query, this.#version];
    const { count, evicted, items } = await requestTenant<ListResponse>('GET', '/requests', {
      query: {
        inFlight: 'include',
        ...query,
        order: 'newest',
        offset: String(page * pageSize),
        limit: String(pageSize),
      },
    });
    // Another list may be wanted by now.
    if (query !== this.#query) return;
    this.#pages.set(page, { items, version });
    this.#count = count;
    this.#evicted = evicted;
    this.#onChange();
  }
}
