/** `loyalty-sim requests`: shows what a running simulator was asked, and what it is being asked. */
import { InputError } from '../core/errors.ts';
import { adminClient } from './admin-client.ts';
import type { AdminClient } from './admin-client.ts';
import { exchangeLines, exchangesSchema, filterQuery } from './exchange-lines.ts';
import type { ExchangeLine, FilterFlags } from './exchange-lines.ts';
import { isRead, printAnswer, printResult } from './print.ts';
import { signalled } from './signals.ts';

interface RequestsFlags extends FilterFlags {
  readonly follow?: boolean;
  readonly limit?: string;
}

const maxShown = 1000;

/** How long one call waits for the next request; after that it is looked whether the journal began anew. */
const patience = '2s';

export async function requests(flags: RequestsFlags): Promise<number> {
  const shown = await showLatest(flags);
  if (!flags.follow) return 0;
  const stop = new AbortController();
  void signalled().then(() => stop.abort());
  try {
    await follow(flags, shown, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
  return 0;
}

/** Shows the latest requests; answers the number of the last that there is. */
async function showLatest(flags: RequestsFlags): Promise<number> {
  const call = adminClient(flags);
  const limit = limitFrom(flags.limit);
  const query = filterQuery(flags);
  const last = await lastNumber(call);
  const { count } = await call('/requests', { query: { ...query, limit: '1' }, answer: exchangesSchema });
  const offset = String(Math.max(0, count - limit));
  const page = { ...query, offset, limit: String(limit) };
  const found = await call('/requests', { query: page, answer: exchangesSchema });
  if (flags.follow) for (const exchange of found.items) show(flags, exchange);
  else printAnswer(flags, found, found.items.length > 0 ? found.items.flatMap(exchangeLines) : ['no requests']);
  return Math.max(last, ...found.items.map(({ number }) => number));
}

function limitFrom(sent = '50'): number {
  const limit = /^\d+$/.test(sent) ? Number(sent) : 0;
  if (limit >= 1 && limit <= maxShown) return limit;
  throw new InputError(`--limit: expected a whole number from 1 to ${maxShown}, got "${sent}"`);
}

/** The number of the last request that was answered, whatever the filter. */
async function lastNumber(call: AdminClient): Promise<number> {
  const { count, evicted } = await call('/requests', { query: { limit: '1' }, answer: exchangesSchema });
  return count + evicted;
}

async function follow(flags: RequestsFlags, shown: number, signal: AbortSignal): Promise<void> {
  const call = adminClient(flags);
  let since = shown;
  while (!signal.aborted && isRead()) {
    const query = { ...filterQuery(flags), since: String(since), wait: patience, limit: String(maxShown) };
    const { items } = await call('/requests', { query, answer: exchangesSchema, signal });
    for (const exchange of items) show(flags, exchange);
    // A journal that was emptied counts from 1 again.
    const began = items.length === 0 && (await lastNumber(call)) < since;
    since = began ? 0 : (items.at(-1)?.number ?? since);
  }
}

function show({ json }: RequestsFlags, exchange: ExchangeLine): void {
  if (json) printResult(JSON.stringify(exchange));
  else for (const line of exchangeLines(exchange)) printResult(line);
}
