import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { monotonicNow } from '../../core/time/clock.ts';
import type { ClientConnection } from '../../core/exchange/exchange.ts';

interface Counted {
  readonly id: number;
  readonly openedAt: number;
  count: number;
}

let turn = 0;
let isCounting = false;

/** Counts the turns of the event loop in which requests come in. */
function presentTurn(): number {
  if (isCounting) return turn;
  isCounting = true;
  setImmediate(() => {
    turn++;
    isCounting = false;
  });
  return turn;
}

const connections = new WeakMap<Socket, Counted>();
let opened = 0;

/** Registers a connection that was opened. */
export function registerConnection(socket: Socket): Counted {
  const counted = { id: ++opened, openedAt: monotonicNow(), count: 0 };
  connections.set(socket, counted);
  return counted;
}

/** Returns the connection of a request, and counts the request on it. */
export function connectionOf({ socket }: IncomingMessage): ClientConnection {
  const counted = connections.get(socket) ?? registerConnection(socket);
  return {
    id: counted.id,
    port: socket.remotePort ?? 0,
    request: ++counted.count,
    openedAt: counted.openedAt,
    eventLoopTurn: presentTurn(),
  };
}
