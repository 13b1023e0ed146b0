import * as z from 'zod';
import { after } from '../../core/clock.ts';
import { answer } from '../../core/endpoint.ts';
import type { Exchange, Journal } from '../../core/journal.ts';
import { wholeFrom } from '../../core/page.ts';
import { invalidField, refusal } from '../../resources/refusals.ts';
import { EventStream } from '../event-stream.ts';
import { controlEndpoint, tenantParameter } from './control.ts';
import type { Control } from './control.ts';
import { eventSchema } from './event-schema.ts';
import type { Tell } from './event-schema.ts';
import { showExchangeLine } from './exchanges.ts';
import { wait } from './formats.ts';
import { followTenant } from './tenant-events.ts';

const maxStreams = 32;
/** Who comes back later than that asks `GET /__admin/requests?after=` for the rest. */
const mostRepeated = 500;

const eventQuery = z.object({
  ...tenantParameter,
  after: wholeFrom(0)
    .optional()
    .describe('The id of an event: begins with the requests that were over since, as Last-Event-ID does'),
  for: wait.optional().describe('Ends after this much real time: 30s, at most 60s; goes on unless given'),
});

const lastEventId = 'last-event-id';

/** Where a reader left off: what its browser says of itself, after a break, counts more than the address it started from. */
function cursorOf(sent: string | undefined, after_: number | undefined): number | undefined {
  if (sent === undefined) return after_;
  if (/^\d{1,15}$/.test(sent)) return Number(sent);
  throw invalidField('Last-Event-ID', `is "${sent}"; send the id of an event of this stream, a whole number`);
}

function openStream({ tenant, tenants, streams }: Control): { stream: EventStream; tell: Tell } {
  if (streams.size >= maxStreams) {
    const message = `${maxStreams} readers of events are there already, the most that there can be; end one of them.`;
    throw refusal('TooManyRequests', { message });
  }
  const { name } = tenant;
  const stream = new EventStream(() => {
    streams.delete(stream);
    stop();
  });
  const cursor = (): number => tenants.get(name)?.journal.settled ?? 0;
  const tell: Tell = (event, data, id = cursor()) => stream.send({ event, id, data });
  const stop = followTenant(tenants, name, tell);
  streams.add(stream);
  return { stream, tell };
}

/** A cursor that this journal has not come to is from before a restart: its reader has missed all. */
function startOf({ settled }: Journal, cursor = settled): number {
  return cursor > settled ? 0 : cursor;
}

function missedSince(journal: Journal, from: number): Exchange[] {
  if (from === journal.settled) return [];
  return [...journal.exchanges()]
    .filter(({ settledAs = 0 }) => settledAs > from)
    .toSorted((a, b) => (a.settledAs ?? 0) - (b.settledAs ?? 0));
}

function readEvents(control: Control, cursor: number | undefined): EventStream {
  const { journal, name } = control.tenant;
  const { stream, tell } = openStream(control);
  const from = startOf(journal, cursor);
  tell('stream.opened', () => ({ tenant: name, cursor: journal.settled }), from);
  const repeated = missedSince(journal, from).slice(-mostRepeated);
  // Those that the journal has given up as well.
  const dropped = journal.settled - from - repeated.length;
  if (dropped > 0) tell('events.dropped', () => ({ dropped }), from);
  for (const exchange of repeated) tell('exchange.answered', () => showExchangeLine(exchange), exchange.settledAs);
  for (const exchange of journal.exchanges()) {
    if (exchange.finishedAt === undefined) tell('exchange.begun', () => showExchangeLine(exchange));
  }
  return stream;
}

export const eventEndpoints = [
  controlEndpoint({
    id: 'readEvents',
    method: 'GET',
    path: '/__admin/events',
    tag: 'Control: requests',
    summary: 'What happens, as it happens: server-sent events, with the data that the other calls answer',
    query: eventQuery,
    headers: { [lastEventId]: 'The id of the last event that was read, as browsers send it after a break' },
    answers: { 200: eventSchema },
    mediaType: 'text/event-stream',
    retry: 'read',
    examples: [{ query: { for: '0s' }, status: 200 }],
    handle: (control, { query, headers }) => {
      const stream = readEvents(control, cursorOf(headers[lastEventId], query.after));
      if (query.for !== undefined) after(query.for, () => stream.end());
      return answer(200, stream.body);
    },
  }),
];
