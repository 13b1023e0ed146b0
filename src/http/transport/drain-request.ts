import type { IncomingMessage } from 'node:http';

/** Limits a client's pause in a body that was responded to before it was complete, in ms. */
const maxClientPause = 10_000;

/** Discards the rest of a request until the client has sent it, pauses for too long, or disconnects. */
export function drainRequest(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    incoming.setTimeout(maxClientPause, () => incoming.destroy());
    incoming.once('close', resolve);
    incoming.resume();
  });
}
