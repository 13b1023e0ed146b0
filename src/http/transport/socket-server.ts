/**
 * Connects Node's HTTP server to the app. Hono gets and returns objects that look like the web's Request and Response
 * as far as it reads them: the real classes cost every start 16 ms and every request half its time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DeliveredResponse } from '../../core/exchange/fault.ts';
import type { PendingFault } from '../context.ts';
import { nothingDelivered } from './wire-plan.ts';
import { deliverOverSocket } from './socket-delivery.ts';
import { drainRequest } from './drain-request.ts';
import { injectedEndOf, FaultableConnection } from './faultable-connection.ts';
import { SocketResponse } from './socket-response.ts';

/** Connects a request from a socket to the pipeline. */
class SocketBindings {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Holds the connection when a fault hits the request. */
  connection: FaultableConnection | undefined;
  onDelivered: (delivered: DeliveredResponse) => void = () => {};

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.incoming = incoming;
    this.outgoing = outgoing;
  }

  onFaultDecided(delivery: PendingFault): void {
    this.connection = new FaultableConnection(delivery, this);
  }
}

type Fetch = (request: Request, env: SocketBindings) => Response | Promise<Response>;

/** Stands for a web Request as far as Hono reads it; the body is read from `incoming`. */
class SocketRequest {
  readonly method: string;
  readonly url: string;
  readonly #incoming: IncomingMessage;
  #headers: Headers | undefined;

  constructor(incoming: IncomingMessage) {
    const { method = 'GET', url = '/', headers } = incoming;
    const host = /^[\w.:[\]-]+$/.test(headers.host ?? '') ? headers.host : 'localhost';
    this.method = method;
    this.url = /^https?:\/\//.test(url) ? url : `http://${host}${url}`;
    this.#incoming = incoming;
  }

  get headers(): Headers {
    this.#headers ??= new Headers(
      Object.entries(this.#incoming.headers).map(([name, value]) => [name, String(value)] as [string, string]),
    );
    return this.#headers;
  }
}

/** Serves an app to Node's HTTP server; `onInternalError` receives errors that should never happen. */
export function serveSockets(fetch: Fetch, onInternalError: (error: unknown) => void) {
  return async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    // A client that disconnects is no internal error.
    outgoing.on('error', () => {});
    const call = new SocketBindings(incoming, outgoing);
    // A fault has ended this connection: later requests on it are lost.
    if (injectedEndOf(incoming.socket)) {
      incoming.resume();
      return;
    }
    try {
      await respond(call, await fetch(new SocketRequest(incoming) as unknown as Request, call));
    } catch (error) {
      onInternalError(error);
      call.onDelivered(nothingDelivered('close'));
      incoming.socket.destroy();
    }
  };
}

async function respond(call: SocketBindings, answered: Response): Promise<void> {
  const { incoming, connection: line } = call;
  if (line) {
    call.onDelivered(await deliverOverSocket(answered, line));
    return;
  }
  if (incoming.socket.destroyed) {
    call.onDelivered(nothingDelivered(injectedEndOf(incoming.socket) ?? 'client-aborted'));
    if (!(answered instanceof SocketResponse)) void answered.body?.cancel();
  } else if (incoming.complete) await write(answered, call);
  else await writeEarly(answered, call);
}

async function write(answered: Response | SocketResponse, call: SocketBindings): Promise<void> {
  const { outgoing } = call;
  if (answered instanceof SocketResponse) {
    writeHead(answered, outgoing).end(answered.body);
    watchForHangUp(answered, call);
    return;
  }
  outgoing.writeHead(answered.status, Object.fromEntries(answered.headers));
  if (!answered.body) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  // The types of Node's and the web's streams differ in name only.
  const body = Readable.fromWeb(answered.body as Parameters<typeof Readable.fromWeb>[0]);
  await pipeline(body, outgoing).catch(() => outgoing.destroy());
}

const writeHead = ({ status, headers, body }: SocketResponse, outgoing: ServerResponse): ServerResponse =>
  outgoing.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers });

/**
 * Responds before the request is complete. The rest of it is discarded before the connection may close: closing while
 * data comes in would lose the response for the client.
 */
async function writeEarly(answered: Response | SocketResponse, call: SocketBindings): Promise<void> {
  const { incoming, outgoing } = call;
  if (answered instanceof SocketResponse) writeHead(answered, outgoing).write(answered.body);
  await drainRequest(incoming);
  if (answered instanceof SocketResponse) outgoing.end();
  else await write(answered, call);
}

/** Records a client that disconnects before the response is out; mostly it is out at once. */
function watchForHangUp(
  { status, headers }: SocketResponse,
  { incoming: { socket }, outgoing, onDelivered: note }: SocketBindings,
): void {
  const isBegun = outgoing.socket !== null;
  if (isBegun && socket.writableLength === 0) return;
  const lose = (): void => {
    const end = injectedEndOf(socket) ?? 'client-aborted';
    note({ ...nothingDelivered(end), ...(isBegun && { status, headers }) });
  };
  // Pipelined requests share the socket.
  socket.setMaxListeners(0).once('close', lose);
  outgoing.once('finish', () => socket.off('close', lose));
}
