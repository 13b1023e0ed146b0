import * as z from '../../core/validation/deferred-zod.ts';
import { startTimer } from '../../core/time/clock.ts';
import { apiResponse } from '../../core/exchange/endpoint.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { Journal } from '../../core/exchange/journal.ts';
import { integerParameter } from '../../core/exchange/pagination.ts';
import { invalidFieldError, apiError } from '../../service/errors/catalog.ts';
import { combineEvents } from './combined-events.ts';
import { EventStream } from './event-stream.ts';
import { adminEndpoint, tenantParameter } from '../input/admin-context.ts';
import type { AdminContext } from '../input/admin-context.ts';
import { eventSchema } from './event-schemas.ts';
import type { EmitEvent } from './event-schemas.ts';
import { serializeExchangeSummary } from '../serialize/exchanges.ts';
import { waitField } from '../input/field-formats.ts';
import { subscribeToTenant } from './tenant-events.ts';

const maxStreams = 32;
/** Limits the requests that are repeated after a break; `GET /__admin/requests?after=` has the rest. */
const mostRepeated = 500;

const eventQuery = z.object({
  ...tenantParameter,
  after: integerParameter(0)
    .optional()
    .describe('The id of an event: starts with the requests that were completed since, as Last-Event-ID does'),
  combine: waitField
    .optional()
    .describe('Counts the events of requests, rules, webhooks and the queue within this much real time in one event'),
  for: waitField.optional().describe('Ends after this much real time: 30s, at most 60s (default: never)'),
});

const lastEventId = 'last-event-id';

/** Returns where a reader left off; the header that browsers send after a break wins over the address. */
function cursorOf(sent: string | undefined, after_: number | undefined): number | undefined {
  if (sent === undefined) return after_;
  if (/^\d{1,15}$/.test(sent)) return Number(sent);
  throw invalidFieldError('Last-Event-ID', `is "${sent}"; send the id of an event of this stream, a whole number`);
}

function openStream(
  { tenant, tenants, streams }: AdminContext,
  combine: number | undefined,
): { stream: EventStream; emit: EmitEvent } {
  if (streams.size >= maxStreams) {
    const message = `${maxStreams} readers of events are there already, the most that there can be; end one of them.`;
    throw apiError('TooManyRequests', { message });
  }
  const { name } = tenant;
  const stream = new EventStream(() => {
    streams.delete(stream);
    stop();
    combined?.stop();
  });
  const cursor = (): number => tenants.get(name)?.journal.completedCount ?? 0;
  const send: EmitEvent = (event, data, id = cursor()) => stream.send({ event, id, data });
  const combined = combine === undefined ? undefined : combineEvents(send, combine);
  const emit = combined?.emit ?? send;
  const stop = subscribeToTenant(tenants, name, emit);
  streams.add(stream);
  return { stream, emit };
}

/** Returns 0 for a cursor beyond the journal: it is from before a restart, so its reader has missed everything. */
function resumeCursor({ completedCount }: Journal, cursor = completedCount): number {
  return cursor > completedCount ? 0 : cursor;
}

function missedSince(journal: Journal, from: number): Exchange[] {
  if (from === journal.completedCount) return [];
  return [...journal.exchanges()]
    .filter(({ completionNumber = 0 }) => completionNumber > from)
    .toSorted((a, b) => (a.completionNumber ?? 0) - (b.completionNumber ?? 0));
}

function readEvents(context: AdminContext, cursor: number | undefined, combine: number | undefined): EventStream {
  const { journal, name } = context.tenant;
  const { stream, emit } = openStream(context, combine);
  const from = resumeCursor(journal, cursor);
  emit('stream.opened', () => ({ tenant: name, cursor: journal.completedCount }), from);
  const repeated = missedSince(journal, from).slice(-mostRepeated);
  // Those that the journal has given up as well.
  const dropped = journal.completedCount - from - repeated.length;
  if (dropped > 0) emit('events.dropped', () => ({ dropped }), from);
  for (const exchange of repeated)
    emit('request.completed', () => serializeExchangeSummary(exchange), exchange.completionNumber);
  for (const exchange of journal.exchanges()) {
    if (exchange.finishedAt === undefined) emit('request.received', () => serializeExchangeSummary(exchange));
  }
  return stream;
}

export const eventEndpoints = [
  adminEndpoint({
    id: 'readEvents',
    method: 'GET',
    path: '/__admin/events',
    tag: 'Control: requests',
    summary: 'Streams events while they happen (server-sent events), with the data that the other endpoints return',
    query: eventQuery,
    headers: { [lastEventId]: 'The id of the last event that was read, as browsers send it after a break' },
    responses: { 200: eventSchema },
    mediaType: 'text/event-stream',
    retry: 'safe',
    examples: [{ query: { for: '0s' }, status: 200 }],
    handle: (context, { query, headers }) => {
      const stream = readEvents(context, cursorOf(headers[lastEventId], query.after), query.combine);
      if (query.for !== undefined) startTimer(query.for, () => stream.end());
      return apiResponse(200, stream.body);
    },
  }),
];
