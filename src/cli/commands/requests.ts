/** `loyalty-sim requests`: shows what a running simulator was asked, and what it is being asked. */
import { InputError } from '../../core/lib/input-error.ts';
import { adminClient, flagForField } from '../remote/admin-client.ts';
import { formatListedRequest, requestListSchema, filterQuery } from '../format/requests.ts';
import type { ListedRequest, RequestFilterFlags } from '../format/requests.ts';
import { isStdoutOpen, printResponse } from '../process/terminal.ts';
import { stopSignal } from '../process/signals.ts';

interface RequestsFlags extends RequestFilterFlags {
  readonly follow?: boolean;
  readonly limit?: string;
}

const maxShown = 1000;

/** How long one call waits for the next request; after that it is looked whether anybody still reads. */
const patience = '2s';

export async function requestsCommand(flags: RequestsFlags): Promise<number> {
  const shown = await showLatest(flags);
  if (!flags.follow) return 0;
  const stop = new AbortController();
  void stopSignal().then(() => stop.abort());
  try {
    await follow(flags, shown, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
  return 0;
}

/** Shows the latest requests; answers where those begin that are over later. */
async function showLatest(flags: RequestsFlags): Promise<number> {
  const query = { ...filterQuery(flags), last: String(limitFrom(flags.limit)) };
  const found = await adminClient(flags)('/requests', {
    query,
    responseSchema: requestListSchema,
    fieldLabel: flagForField,
  });
  if (flags.follow) for (const exchange of found.items) show(flags, exchange);
  else printResponse(flags, found, found.items.length > 0 ? found.items.flatMap(formatListedRequest) : ['no requests']);
  return found.cursor;
}

function limitFrom(sent = '50'): number {
  const limit = /^\d+$/.test(sent) ? Number(sent) : 0;
  if (limit >= 1 && limit <= maxShown) return limit;
  throw new InputError(`--limit: expected a whole number from 1 to ${maxShown}, got "${sent}"`);
}

/** Shows requests in the order they are over: one that takes long comes after later ones that don't. */
async function follow(flags: RequestsFlags, shown: number, signal: AbortSignal): Promise<void> {
  const call = adminClient(flags);
  let after = shown;
  while (!signal.aborted && isStdoutOpen()) {
    const query = { ...filterQuery(flags), after: String(after), wait: patience, limit: String(maxShown) };
    const { items, cursor } = await call('/requests', { query, responseSchema: requestListSchema, signal });
    for (const exchange of items) show(flags, exchange);
    // A simulator, or a tenant, that was started anew counts from 1 again.
    after = cursor < after ? 0 : cursor;
  }
}

const show = (flags: RequestsFlags, exchange: ListedRequest): void =>
  printResponse(flags, exchange, formatListedRequest(exchange));
