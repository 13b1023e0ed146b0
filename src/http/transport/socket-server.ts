/**
 * Connects Node's HTTP server to the app. Hono gets and returns objects that look like the web's Request and Response
 * as far as it reads them: the real classes cost every start 16 ms and every request half its time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { atEndOfTurn } from '../../core/time/clock.ts';
import { piecesOfText } from '../../core/exchange/json-pieces.ts';
import { nextTurn } from '../../core/time/steps.ts';
import type { DeliveredResponse } from '../../core/exchange/fault.ts';
import type { PendingFault } from '../context.ts';
import { nothingDelivered } from './wire-plan.ts';
import { deliverOverSocket } from './socket-delivery.ts';
import { drainRequest } from './drain-request.ts';
import { injectedEndOf, FaultableConnection } from './faultable-connection.ts';
import type { QueuePlace } from './request-queue.ts';
import { createSocketResponse, SocketResponse } from './socket-response.ts';

const ignore = (): void => {};

/** Connects a request from a socket to the pipeline. */
class SocketBindings {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly createResponse = createSocketResponse;
  /** Holds the connection when a fault hits the request. */
  connection: FaultableConnection | undefined;
  onDelivered: (delivered: DeliveredResponse) => void = ignore;
  onWrite: () => void = ignore;

  /** Holds the request's place in the queue of its connection, if it came before earlier responses were out. */
  readonly place: QueuePlace | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, place: QueuePlace | undefined) {
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.place = place;
  }

  onFaultDecided(pendingFault: PendingFault): void {
    this.place?.endMaking();
    this.connection = new FaultableConnection(pendingFault, this);
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
  const end = (error: unknown, { incoming, onDelivered, place }: SocketBindings): void => {
    onInternalError(error);
    onDelivered(nothingDelivered('close'));
    incoming.socket.destroy();
    place?.endMaking();
  };
  // By itself: if whoever hears of it throws, the other responses of the turn go out all the same.
  const fail = (error: unknown, bindings: SocketBindings): void => {
    void Promise.resolve().then(() => end(error, bindings));
  };
  const atEnd = atEndOfTurns(fail);
  // Most responses are made at once: a promise for each would be garbage, and a turn of the microtasks.
  return function serve(incoming: IncomingMessage, outgoing: ServerResponse, place?: QueuePlace): void {
    // A client that disconnects is no internal error.
    outgoing.on('error', ignore);
    const bindings = new SocketBindings(incoming, outgoing, place);
    try {
      const response = fetch(new SocketRequest(incoming) as unknown as Request, bindings);
      const sending =
        response instanceof Promise
          ? response.then((late) => respond(bindings, late, atEnd))
          : respond(bindings, response, atEnd);
      sending?.catch((error: unknown) => fail(error, bindings));
    } catch (error) {
      fail(error, bindings);
    }
  };
}

type RespondAtEnd = (bindings: SocketBindings, response: Response) => void;

function respond(bindings: SocketBindings, response: Response, atEnd: RespondAtEnd): Promise<void> | undefined {
  const { connection, place } = bindings;
  if (place && response instanceof SocketResponse) place.keep(response.body.length);
  place?.endMaking();
  if (connection) return deliverOverSocket(response, connection).then((delivered) => bindings.onDelivered(delivered));
  atEnd(bindings, response);
  return undefined;
}

/**
 * Responds at the end of this turn of the event loop, so that all its responses are written together: each write wakes a
 * client, and clients that wake one by one take the processor from the requests that still wait.
 */
function atEndOfTurns(fail: (error: unknown, bindings: SocketBindings) => void): RespondAtEnd {
  let waiting: { readonly bindings: SocketBindings; readonly response: Response }[] = [];
  const writeAll = (): void => {
    const all = waiting;
    waiting = [];
    for (const { bindings, response } of all) {
      try {
        writeUnlessGone(response, bindings)?.catch((error: unknown) => fail(error, bindings));
      } catch (error) {
        fail(error, bindings);
      }
    }
  };
  return (bindings, response) => {
    if (waiting.push({ bindings, response }) === 1) atEndOfTurn(writeAll);
  };
}

function writeUnlessGone(response: Response, bindings: SocketBindings): Promise<void> | undefined {
  const { incoming } = bindings;
  if (incoming.socket.destroyed) {
    bindings.onDelivered(nothingDelivered(injectedEndOf(incoming.socket) ?? 'client-aborted'));
    return undefined;
  }
  bindings.onWrite();
  if (!incoming.complete) return writeEarly(response, bindings);
  write(response, bindings);
  return undefined;
}

function write(response: Response | SocketResponse, bindings: SocketBindings): void {
  const { outgoing } = bindings;
  if (response instanceof SocketResponse) {
    const isLong = response.body.length > lengthAtOnce;
    if (isLong) {
      writeHead(response, outgoing);
      void writeInTurns(response.body, bindings);
    } else writeAtOnce(response, outgoing);
    if (isLong || !isOut(bindings)) watchForDisconnect(response, bindings);
  } else {
    // Hono's response to HEAD, which has no body.
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end();
  }
}

/**
 * Writes the bytes as they are where there is one for each character: Node encodes a text more slowly. The head goes out
 * with them, but as a text of its own: joined, both would be copied.
 */
function writeAtOnce(response: SocketResponse, outgoing: ServerResponse): void {
  const length = response.bytes?.length ?? Buffer.byteLength(response.body);
  const bytes = response.bytes ?? (length === response.body.length ? response.body : undefined);
  writeHead(response, outgoing, length);
  outgoing.socket?.cork();
  outgoing.flushHeaders();
  if (bytes === undefined) outgoing.end(response.body);
  else outgoing.end(bytes, 'latin1');
}

/** Limits what is handed to a socket at once, in characters: it is encoded, and the operating system copies it. */
const lengthAtOnce = 1024 * 1024;

/** Hands a long body to the socket piece by piece, as its client reads it. */
async function writeInTurns(body: string, { outgoing, incoming: { socket } }: SocketBindings): Promise<void> {
  for (const piece of piecesOfText(body, lengthAtOnce)) {
    await nextTurn();
    if (socket.destroyed) return;
    if (!outgoing.write(piece)) await new Promise<void>((resolve) => outgoing.once('drain', resolve));
  }
  outgoing.end();
}

/** True when a response that was written at once is out. */
const isOut = ({ incoming: { socket }, outgoing }: SocketBindings): boolean =>
  outgoing.socket !== null && socket.writableLength === 0;

const writeHead = (
  { status, headers, body }: SocketResponse,
  outgoing: ServerResponse,
  length = Buffer.byteLength(body),
): ServerResponse => outgoing.writeHead(status, { 'content-length': length, ...headers });

/**
 * Responds before the request is complete. The rest of it is discarded before the connection may close: closing while
 * data comes in would lose the response for the client.
 */
async function writeEarly(response: Response | SocketResponse, bindings: SocketBindings): Promise<void> {
  const { incoming, outgoing } = bindings;
  if (response instanceof SocketResponse) writeHead(response, outgoing).write(response.body);
  await drainRequest(incoming);
  if (response instanceof SocketResponse) outgoing.end();
  else write(response, bindings);
}

/** Records a client that disconnects before the response is out. */
function watchForDisconnect(
  { status, headers }: SocketResponse,
  { incoming: { socket }, outgoing, onDelivered }: SocketBindings,
): void {
  const isSending = outgoing.socket !== null;
  const recordDisconnect = (): void => {
    const end = injectedEndOf(socket) ?? 'client-aborted';
    onDelivered({ ...nothingDelivered(end), ...(isSending && { status, headers }) });
  };
  // Pipelined requests share the socket.
  socket.setMaxListeners(0).once('close', recordDisconnect);
  outgoing.once('finish', () => socket.off('close', recordDisconnect));
}
