/** Carries out on a socket what a fault says of an answer: loses it, cuts it, or leaves the caller hanging. */
import type { ServerResponse } from 'node:http';
import type { Delivery } from './context.ts';

interface SocketDelivery extends Delivery {
  readonly outgoing: ServerResponse;
}

export async function deliver(answer: Response, { fired, outgoing, done }: SocketDelivery): Promise<void> {
  const { respond, end } = fired.fault;
  const { status } = answer;
  // What comes through a socket has a text as its body (http/socket.ts).
  const { body, headers } = answer as unknown as { body: string; headers: Record<string, string> };
  if (respond === 'full' || respond === 'status') {
    outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
    done({ status, headers, body, bytes: Buffer.byteLength(body), end: 'normal' });
    return;
  }
  if (end === 'rst') outgoing.socket?.resetAndDestroy();
  else outgoing.socket?.destroy();
  done({ status: undefined, headers: {}, body: undefined, bytes: 0, end });
}
