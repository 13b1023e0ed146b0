/** Reads the requests of the timeline, and afterwards only those that came since. */
import { requestTenant } from '../../api/client.ts';
import { selectedTenant } from '../../api/selected-tenant.ts';
import type { TimelineJson } from '../../api/api-types.ts';
import type { RequestQuery } from '../../api/request-pages.ts';

export type RequestOutcome = TimelineJson['outcomes'][number];
export type DrawnPhase = TimelineJson['phases'][number];
export type WebhookMark = TimelineJson['webhooks'][number];

/** Describes a request as it is drawn. */
export interface TimelineRow {
  readonly id: string;
  readonly number: number;
  /** Counts real time in ms since the simulator's start. */
  readonly startedAt: number;
  /** Is undefined while it is in flight. */
  readonly ms: number | undefined;
  /** Counts on the tenant's clock, in ms since 1970. */
  readonly at: number;
  readonly endpoint: string;
  readonly client: string;
  readonly outcome: RequestOutcome;
  readonly phase: DrawnPhase;
  readonly effects: number;
  readonly warnings: number;
}

/** So few are read again each time, with what jobs did later for them. */
const fewRows = 2000;

/** Holds the requests that a query selects, by their number. */
export class TimelineRows {
  #rows: TimelineRow[] = [];
  #webhooks: readonly WebhookMark[] = [];
  #cursor = 0;
  #source = '';
  #omitted = 0;

  get list(): readonly TimelineRow[] {
    return this.#rows;
  }

  get webhooks(): readonly WebhookMark[] {
    return this.#webhooks;
  }

  /** Returns the number of older requests that are left out. */
  get omitted(): number {
    return this.#omitted;
  }

  /** Makes the next `read` read everything again. */
  forget(): void {
    this.#source = '';
  }

  async read(query: RequestQuery): Promise<void> {
    const source = JSON.stringify([selectedTenant(), query]);
    const isAnew = source !== this.#source || this.#rows.length < fewRows;
    const response = await requestTenant<TimelineJson>('GET', '/timeline', {
      query: { ...query, ...(!isAnew && { after: String(this.#cursor) }) },
    });
    const rows = rowsOf(response);
    this.#rows = isAnew ? rows : merged(this.#rows, rows);
    this.#source = source;
    this.#cursor = response.cursor;
    this.#webhooks = response.webhooks;
    this.#omitted = response.omitted;
  }
}

function rowsOf({ requests, endpoints, clients, outcomes, phases }: TimelineJson): TimelineRow[] {
  const tenant = selectedTenant();
  return requests.number.map((number, i) => {
    const ms = requests.ms[i] ?? -1;
    return {
      id: `${tenant}-${number}`,
      number,
      startedAt: requests.startedAt[i] ?? 0,
      ms: ms < 0 ? undefined : ms,
      at: requests.at[i] ?? 0,
      endpoint: endpoints[requests.endpoint[i] ?? -1] ?? 'no endpoint',
      client: clients[requests.client[i] ?? -1] ?? '',
      outcome: outcomes[requests.outcome[i] ?? 0] ?? 'in-flight',
      phase: phases[requests.phase[i] ?? 0] ?? 'none',
      effects: requests.effects[i] ?? 0,
      warnings: requests.warnings[i] ?? 0,
    };
  });
}

/** Puts rows in the place of those with their number, and the others behind. */
function merged(before: readonly TimelineRow[], news: readonly TimelineRow[]): TimelineRow[] {
  const [first] = news;
  if (!first) return [...before];
  const byNumber = new Map(news.map((row) => [row.number, row]));
  const kept = before.filter(({ number }) => !byNumber.has(number));
  const last = kept.at(-1);
  const all = [...kept, ...news];
  return last && last.number > first.number ? all.toSorted((a, b) => a.number - b.number) : all;
}
