import type { IncomingMessage } from 'node:http';

/** How long a client may pause in the middle of a body that was answered before it was complete, in ms. */
const maxClientPause = 10_000;

/** Takes in, unread, what a client still sends of its request. */
export function drainRequest(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    incoming.setTimeout(maxClientPause, () => incoming.destroy());
    incoming.once('close', resolve);
    incoming.resume();
  });
}
