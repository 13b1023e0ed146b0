import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Connection } from '../core/journal.ts';

const requests = new WeakMap<Socket, { readonly id: number; count: number }>();
let connections = 0;

/** The connection that a request came by; counts the request. */
export function connectionOf({ socket }: IncomingMessage): Connection {
  let counted = requests.get(socket);
  if (!counted) requests.set(socket, (counted = { id: ++connections, count: 0 }));
  return { id: counted.id, port: socket.remotePort ?? 0, request: ++counted.count };
}
