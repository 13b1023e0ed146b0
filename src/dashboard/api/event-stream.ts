/** Reads what happens in the sim. A browser's own EventSource could not send the admin key. */
import { fetchAdmin } from './client.ts';

export interface ReceivedEvent {
  readonly event: string;
  readonly data: unknown;
}

interface Follower {
  readonly onEvent: (told: ReceivedEvent) => void;
  /** Told whether it is heard from. */
  readonly onConnectionChange: (live: boolean) => void;
  /** There is no such tenant. */
  readonly onUnknownTenant: () => void;
}

/** How long to wait before the stream is opened again, in ms. */
const pause = 1000;

/** Follows a tenant, and takes the stream up again when it breaks off, until the answered function is called. */
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
  { onEvent: hear, onConnectionChange: isLive, onUnknownTenant: isUnknown }: Follower,
): Promise<void> {
  const { ok, status, body } = await fetchAdmin('GET', '/events', { query: { tenant }, signal });
  if (status === 404) isUnknown();
  if (!ok || !body) return;
  isLive(true);
  let text = '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    const whole = text.lastIndexOf('\n\n');
    if (whole < 0) continue;
    for (const told of eventsIn(text.slice(0, whole))) hear(told);
    text = text.slice(whole + 2);
  }
}

const eventsIn = (text: string): ReceivedEvent[] =>
  text
    .split('\n\n')
    .map((part) => /^event: (.*)\ndata: (.*)$/m.exec(part))
    .flatMap((found) => (found ? [{ event: found[1] ?? '', data: JSON.parse(found[2] ?? 'null') as unknown }] : []));
