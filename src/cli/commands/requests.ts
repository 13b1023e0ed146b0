import type { Command } from 'commander';
import * as z from '../../core/validation/deferred-zod.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { adminClient, flagForField } from '../remote/admin-client.ts';
import { formatListedRequest, requestListSchema, filterQuery } from '../format/requests.ts';
import type { ListedRequest, RequestFilterFlags } from '../format/requests.ts';
import { isStdoutOpen, printResponse } from '../process/terminal.ts';
import { stopSignal } from '../process/signals.ts';
import { withDataFlags, withFilterFlags } from '../flags/remote-flags.ts';
import { withExamples, flagWithDefault } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareRequests: DeclareCommand = (command, done) => {
  withFilterFlags(withDataFlags(command))
    .option('--follow', 'go on showing requests as they come in, until stopped')
    .addOption(flagWithDefault('--limit <n>', 'largest number of requests, at most 1000', '50'))
    .option('--har', 'print all these requests as an HTTP archive (HAR 1.2)')
    .action(async (flags: RequestsFlags, given: Command) => {
      if (flags.har && given.getOptionValueSource('limit') !== 'default')
        throw new InputError('--har: prints all requests that match, and does not go with --limit');
      done(await (flags.har ? exportHar(flags) : showRequests(flags)));
    });
  withExamples(
    command,
    'loyalty-sim requests --status 4xx',
    'loyalty-sim requests --path /api/v3/receipts --follow',
    'loyalty-sim requests --fault any --json',
    'loyalty-sim requests --har > till.har',
  );
};

interface RequestsFlags extends RequestFilterFlags {
  readonly follow?: boolean;
  readonly limit: string;
  readonly har?: boolean;
}

const maxShown = 1000;

/** Limits how long one call waits for the next request, so that a reader who left is noticed. */
const patience = '2s';

async function showRequests(flags: RequestsFlags): Promise<number> {
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

const harSchema = z.looseObject({ log: z.looseObject({ entries: z.array(z.unknown()) }) });

/** Prints an archive of all requests, which it gets page by page. */
async function exportHar(flags: RequestsFlags): Promise<number> {
  if (flags.follow) throw new InputError('--har: prints an archive of what has been, and does not go with --follow');
  const call = adminClient(flags);
  const entries: unknown[] = [];
  for (;;) {
    const query = { ...filterQuery(flags), offset: String(entries.length), limit: String(maxShown) };
    const { log } = await call('/requests/har', { query, responseSchema: harSchema, fieldLabel: flagForField });
    entries.push(...log.entries);
    if (log.entries.length === maxShown) continue;
    printResponse({ ...flags, json: true }, { log: { ...log, entries } }, []);
    return 0;
  }
}

/** Shows the latest requests, and returns the cursor behind them. */
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

function limitFrom(sent: string): number {
  const limit = /^\d+$/.test(sent) ? Number(sent) : 0;
  if (limit >= 1 && limit <= maxShown) return limit;
  throw new InputError(`--limit: must be a whole number from 1 to ${maxShown}, not "${sent}"`);
}

/** Shows requests in the order in which they complete, until stopped. */
async function follow(flags: RequestsFlags, shown: number, signal: AbortSignal): Promise<void> {
  const call = adminClient(flags);
  let after = shown;
  while (!signal.aborted && isStdoutOpen()) {
    const query = { ...filterQuery(flags), after: String(after), wait: patience, limit: String(maxShown) };
    const { items, cursor } = await call('/requests', { query, responseSchema: requestListSchema, signal });
    for (const exchange of items) show(flags, exchange);
    // A simulator or tenant that was restarted counts from 1 again.
    after = cursor < after ? 0 : cursor;
  }
}

const show = (flags: RequestsFlags, exchange: ListedRequest): void =>
  printResponse(flags, exchange, formatListedRequest(exchange));
