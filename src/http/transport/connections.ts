import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { atEndOfTurn, monotonicNow } from '../../core/time/clock.ts';
import type { ClientConnection, ConnectionLife } from '../../core/exchange/exchange.ts';

interface RegisteredConnection extends Pick<ClientConnection, 'id' | 'port' | 'openedAt' | 'life'> {
  count: number;
}

/** Holds what is a request's own; the rest is its connection's: the journal keeps many requests of few connections. */
class ConnectionOfRequest implements ClientConnection {
  readonly request: number;
  readonly eventLoopTurn: number;
  readonly httpVersion: string;
  readonly #shared: RegisteredConnection;

  constructor(shared: RegisteredConnection, httpVersion: string) {
    this.#shared = shared;
    this.request = ++shared.count;
    this.eventLoopTurn = currentTurn();
    // Node makes a text of its own for each request.
    this.httpVersion = httpVersion === '1.1' ? '1.1' : httpVersion;
  }

  get id(): number {
    return this.#shared.id;
  }

  get port(): number {
    return this.#shared.port;
  }

  get openedAt(): number {
    return this.#shared.openedAt;
  }

  get life(): ConnectionLife {
    return this.#shared.life;
  }
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
  const registered = { id: ++opened, port: socket.remotePort ?? 0, openedAt: monotonicNow(), life, count: 0 };
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
export const connectionOf = ({ socket, httpVersion }: IncomingMessage): ClientConnection =>
  new ConnectionOfRequest(connections.get(socket) ?? registerConnection(socket), httpVersion);
