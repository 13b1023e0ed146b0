import * as z from 'zod';
import { startTimer } from '../../core/time/clock.ts';
import { apiResponse } from '../../core/exchange/endpoint.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { Journal } from '../../core/exchange/journal.ts';
import { integerParameter } from '../../core/exchange/pagination.ts';
import { invalidFieldError, apiError } from '../../service/errors/catalog.ts';
import { EventStream } from './event-stream.ts';
import { adminEndpoint, tenantParameter } from '../input/admin-context.ts';
import type { AdminContext } from '../input/admin-context.ts';
import { eventSchema } from './event-schemas.ts';
import type { EmitEvent } from './event-schemas.ts';
import { serializeExchangeSummary } from '../serialize/exchanges.ts';
import { waitField } from '../input/field-formats.ts';
import { subscribeToTenant } from './tenant-events.ts';

const maxStreams = 32;
/** Who comes back later than that asks `GET /__admin/requests?after=` for the rest. */
const mostRepeated = 500;

const eventQuery = z.object({
  ...tenantParameter,
  after: integerParameter(0)
    .optional()
    .describe('The id of an event: begins with the requests that were over since, as Last-Event-ID does'),
  for: waitField.optional().describe('Ends after this much real time: 30s, at most 60s; goes on unless given'),
});

const lastEventId = 'last-event-id';

/** Where a reader left off: what its browser says of itself, after a break, counts more than the address it started from. */
function cursorOf(sent: string | undefined, after_: number | undefined): number | undefined {
  if (sent === undefined) return after_;
  if (/^\d{1,15}$/.test(sent)) return Number(sent);
  throw invalidFieldError('Last-Event-ID', `is "${sent}"; send the id of an event of this stream, a whole number`);
}

function openStream({ tenant, tenants, streams }: AdminContext): { stream: EventStream; tell: EmitEvent } {
  if (streams.size >= maxStreams) {
    const message = `${maxStreams} readers of events are there already, the most that there can be; end one of them.`;
    throw apiError('TooManyRequests', { message });
  }
  const { name } = tenant;
  const stream = new EventStream(() => {
    streams.delete(stream);
    stop();
  });
  const cursor = (): number => tenants.get(name)?.journal.completedCount ?? 0;
  const tell: EmitEvent = (event, data, id = cursor()) => stream.send({ event, id, data });
  const stop = subscribeToTenant(tenants, name, tell);
  streams.add(stream);
  return { stream, tell };
}

/** A cursor that this journal has not come to is from before a restart: its reader has missed all. */
function resumeCursor({ completedCount: settled }: Journal, cursor = settled): number {
  return cursor > settled ? 0 : cursor;
}

function missedSince(journal: Journal, from: number): Exchange[] {
  if (from === journal.completedCount) return [];
  return [...journal.exchanges()]
    .filter(({ completionNumber: settledAs = 0 }) => settledAs > from)
    .toSorted((a, b) => (a.completionNumber ?? 0) - (b.completionNumber ?? 0));
}

function readEvents(control: AdminContext, cursor: number | undefined): EventStream {
  const { journal, name } = control.tenant;
  const { stream, tell } = openStream(control);
  const from = resumeCursor(journal, cursor);
  tell('stream.opened', () => ({ tenant: name, cursor: journal.completedCount }), from);
  const repeated = missedSince(journal, from).slice(-mostRepeated);
  // Those that the journal has given up as well.
  const dropped = journal.completedCount - from - repeated.length;
  if (dropped > 0) tell('events.dropped', () => ({ dropped }), from);
  for (const exchange of repeated)
    tell('request.completed', () => serializeExchangeSummary(exchange), exchange.completionNumber);
  for (const exchange of journal.exchanges()) {
    if (exchange.finishedAt === undefined) tell('request.received', () => serializeExchangeSummary(exchange));
  }
  return stream;
}

export const eventEndpoints = [
  adminEndpoint({
    id: 'readEvents',
    method: 'GET',
    path: '/__admin/events',
    tag: 'Control: requests',
    summary: 'What happens, as it happens: server-sent events, with the data that the other calls answer',
    query: eventQuery,
    headers: { [lastEventId]: 'The id of the last event that was read, as browsers send it after a break' },
    responses: { 200: eventSchema },
    mediaType: 'text/event-stream',
    retry: 'safe',
    examples: [{ query: { for: '0s' }, status: 200 }],
    handle: (control, { query, headers }) => {
      const stream = readEvents(control, cursorOf(headers[lastEventId], query.after));
      if (query.for !== undefined) startTimer(query.for, () => stream.end());
      return apiResponse(200, stream.body);
    },
  }),
];
