import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { atEndOfTurn, monotonicNow } from '../../core/time/clock.ts';
import type { ClientConnection, ConnectionLife } from '../../core/exchange/exchange.ts';

interface RegisteredConnection {
  readonly id: number;
  readonly openedAt: number;
  readonly life: ConnectionLife;
  count: number;
}

let eventLoopTurn = 0;
let isCounting = false;

/** Counts the turns of the event loop in which requests come in. */
function currentTurn(): number {
  if (isCounting) return eventLoopTurn;
  isCounting = true;
  atEndOfTurn(() => {
    eventLoopTurn++;
    isCounting = false;
  });
  return eventLoopTurn;
}

const connections = new WeakMap<Socket, RegisteredConnection>();
let opened = 0;

/** Registers a connection that was opened. */
export function registerConnection(socket: Socket): RegisteredConnection {
  const life: ConnectionLife = { closedAt: undefined };
  const registered = { id: ++opened, openedAt: monotonicNow(), life, count: 0 };
  connections.set(socket, registered);
  let endedAt: number | undefined;
  socket.once('end', () => {
    endedAt = monotonicNow();
  });
  socket.once('close', () => {
    // It was over when the client's end came: what the client did next may be read before the socket is closed.
    life.closedAt = endedAt ?? monotonicNow();
    life.isReset = isResetByClient(socket);
  });
  return registered;
}

/** True for a connection that the other side reset; what the simulator resets itself ends without an error. */
const isResetByClient = ({ errored }: Socket): boolean =>
  errored !== null && 'code' in errored && errored.code === 'ECONNRESET';

/** Returns the connection of a request, and counts the request on it. */
export function connectionOf({ socket, httpVersion }: IncomingMessage): ClientConnection {
  const registered = connections.get(socket) ?? registerConnection(socket);
  return {
    id: registered.id,
    port: socket.remotePort ?? 0,
    request: ++registered.count,
    openedAt: registered.openedAt,
    eventLoopTurn: currentTurn(),
    httpVersion,
    life: registered.life,
  };
}
