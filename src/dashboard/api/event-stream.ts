/** Reads the events of a tenant by fetch, because EventSource can't send the admin key. */
import { fetchAdmin } from './client.ts';

export interface ReceivedEvent {
  readonly event: string;
  readonly data: unknown;
  /** Counts the events that were combined into this one. */
  readonly count: number;
}

type StreamEvent = Pick<ReceivedEvent, 'event' | 'data'>;

interface Follower {
  readonly onEvent: (event: ReceivedEvent) => void;
  /** Hears when the connection is made or lost. */
  readonly onConnectionChange: (live: boolean) => void;
  /** Hears when the tenant does not exist. */
  readonly onUnknownTenant: () => void;
}

/** Combines what comes with every request, so that the simulator serves as fast as without a reader. */
const combine = '250ms';

/** Waits so many ms before the stream is opened again. */
const pause = 1000;

/** Follows a tenant, and reconnects when the stream breaks off. Returns a function that ends it. */
export function followTenantEvents(tenant: string, follower: Follower): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  void (async () => {
    while (!signal.aborted) {
      await readAll(tenant, signal, follower).catch(() => {});
      if (signal.aborted) return;
      follower.onConnectionChange(false);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  })();
  return () => leaving.abort();
}

async function readAll(
  tenant: string,
  signal: AbortSignal,
  { onEvent, onConnectionChange, onUnknownTenant }: Follower,
): Promise<void> {
  const { ok, status, body } = await fetchAdmin('GET', '/events', { query: { tenant, combine }, signal });
  if (status === 404) onUnknownTenant();
  if (!ok || !body) return;
  onConnectionChange(true);
  let text = '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    const whole = text.lastIndexOf('\n\n');
    if (whole < 0) continue;
    for (const event of eventsIn(text.slice(0, whole)).flatMap(separated)) onEvent(event);
    text = text.slice(whole + 2);
  }
}

/** Returns one event for each name that a combined event counts; these have no data. */
const separated = ({ event, data }: StreamEvent): ReceivedEvent[] =>
  event === 'events.combined'
    ? Object.entries(data as Record<string, number>).map(([name, count]) => ({ event: name, data: undefined, count }))
    : [{ event, data, count: 1 }];

const eventsIn = (text: string): StreamEvent[] =>
  text
    .split('\n\n')
    .map((part) => /^event: (.*)\ndata: (.*)$/m.exec(part))
    .flatMap((found) => (found ? [{ event: found[1] ?? '', data: JSON.parse(found[2] ?? 'null') as unknown }] : []));
