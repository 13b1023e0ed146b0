import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { monotonic } from '../core/clock.ts';
import type { Connection } from '../core/journal.ts';

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

/** Takes down that a connection was opened. */
export function noteConnection(socket: Socket): Counted {
  const counted = { id: ++opened, openedAt: monotonic(), count: 0 };
  connections.set(socket, counted);
  return counted;
}

/** The connection that a request came by; counts the request. */
export function connectionOf({ socket }: IncomingMessage): Connection {
  const counted = connections.get(socket) ?? noteConnection(socket);
  return {
    id: counted.id,
    port: socket.remotePort ?? 0,
    request: ++counted.count,
    openedAt: counted.openedAt,
    turn: presentTurn(),
  };
}
