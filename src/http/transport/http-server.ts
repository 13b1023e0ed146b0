import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Hono } from 'hono';
import { startTimer } from '../../core/time/clock.ts';
import { lagMonitor } from '../../core/time/event-loop-lag.ts';
import { registerConnection } from './connections.ts';
import { isControlPath, pathOf } from '../context.ts';
import type { Env } from '../context.ts';
import { serveControl } from './control-listener.ts';
import { injectedEndOf } from './faultable-connection.ts';
import { queueOf } from './request-queue.ts';
import { serveSockets } from './socket-server.ts';

/** Says why an address can't be listened on: the port is taken or not allowed, or the host is another machine's. */
class ListenError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ListenError';
  }
}

/** Holds a server that listens on a port. */
export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Stops accepting requests, waits a moment for those in flight, then closes every connection. */
  readonly close: () => Promise<void>;
}

/** Holds what a port serves. */
export interface ServedApps {
  readonly app: Hono<Env>;
  /** Returns the control API, loaded when it is first called. */
  readonly adminApp: () => Promise<Hono<Env>>;
}

interface ListenOptions {
  readonly host: string;
  /** Sets the port; 0 takes any free one. */
  readonly port: number;
  /** Names the tenant of all requests that name none (default: `default`). */
  readonly tenant?: string;
  /** Receives errors that should never happen. */
  readonly onInternalError: (error: unknown) => void;
  /** Receives a message for each request that could not be parsed. */
  readonly onWarning: (message: string) => void;
}

const limits = {
  maxHeaderSize: 32 * 1024,
  headersTimeout: 30_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 65_000,
  // Sets how often connections are checked for these timeouts.
  connectionsCheckingInterval: 5_000,
} as const;

/** Limits the time that requests in flight get when the server closes, in ms. */
const graceTime = 100;

/** Serves the apps on a port. Throws `ListenError`, which says what to do about it. */
export async function listen(
  { app, adminApp }: ServedApps,
  { host, port, tenant, onInternalError, onWarning }: ListenOptions,
): Promise<Listening> {
  const [serveService, control] = [
    serveSockets(app.fetch, onInternalError),
    serveControl({ adminApp, onInternalError }),
  ];
  const serve = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { socket } = incoming;
    const isBehind = registerResponse(socket, outgoing);
    const begin = isControlCall(incoming) ? control : serveService;
    // A fault has ended this connection: later requests on it are lost.
    if (injectedEndOf(socket)) incoming.resume();
    else if (isBehind) queueOf(socket).add(outgoing, (place) => void begin(incoming, outgoing, place));
    else void begin(incoming, outgoing);
  };
  const server = createServer(limits, tenant === undefined ? serve : serveAs(tenant, serve));
  server.on('connection', registerConnection);
  server.on('clientError', rejectUnparsable(onWarning));
  server.on('connect', rejectConnect);
  server.on('checkExpectation', rejectExpectation);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  }).catch(async (error: NodeJS.ErrnoException) => {
    throw await explainListenError(error, { host, port });
  });
  const stopWatching = lagMonitor.watch();
  server.once('close', stopWatching);
  // A server on a port has this kind of address.
  const { port: actualPort } = server.address() as AddressInfo;
  return { url: `http://${reachableHost(host)}:${actualPort}`, port: actualPort, close: () => close(server) };
}

/** True for a call to the control API. */
function isControlCall({ url = '/' }: IncomingMessage): boolean {
  if (!url.includes('/__admin')) return false;
  return isControlPath(pathOf(url.startsWith('/') ? url : url.replace(/^\w+:\/\/[^/]*/, '')));
}

/** Adds the header that names a tenant, as a client could. */
const serveAs =
  (tenant: string, serve: RequestListener): RequestListener =>
  (incoming, outgoing) => {
    incoming.headers['x-sim-tenant'] ??= tenant;
    serve(incoming, outgoing);
  };

/** Returns a host for a URL: loopback in place of all addresses, brackets around an IPv6 address. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cancelTimer = startTimer(graceTime, () => server.closeAllConnections());
    server.close(() => {
      cancelTimer();
      resolve();
    });
    server.closeIdleConnections();
  });
}

const parseErrorReplies: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, `The headers are larger than ${limits.maxHeaderSize / 1024} KB.`],
  HPE_INVALID_URL: [
    400,
    'The address must begin with / and hold no characters but those of URLs: å is %C3%A5, a space is %20.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
};

/** Describes Node's error for bytes that it could not parse. */
interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

/** Marks a TLS handshake, as its first byte. */
const tlsHandshake = 0x16;

function parseErrorReply({ code = '', message, rawPacket }: ParseError): readonly [status: number, message: string] {
  if (rawPacket?.[0] === tlsHandshake)
    return [400, 'This is TLS, and only plain HTTP is spoken here: use http://, or see docs/reach.md#https.'];
  return parseErrorReplies[code] ?? [400, `This is not HTTP/1.1: ${message}.`];
}

/** Responds to bytes that Node can't parse in the service's own form: they never become a request. */
function rejectUnparsable(onWarning: ListenOptions['onWarning']): (error: ParseError, socket: Duplex) => void {
  return function respond(error, socket) {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    // The connection stays as a fault has left it.
    if (injectedEndOf(socket)) return;
    const [status, message] = parseErrorReply(error);
    onWarning(`A request could not be read and got ${status}: ${message}`);
    void sendRawError(socket, status, message);
  };
}

/** Holds the last response of each connection. */
const lastResponses = new WeakMap<Duplex, ServerResponse>();

/** Holds the response before another one, where that was still open when the other one's request came. */
const responsesBefore = new WeakMap<ServerResponse, ServerResponse>();

/** Registers a response; true when the one before it on its connection is still open. */
function registerResponse(socket: Duplex, outgoing: ServerResponse): boolean {
  const before = lastResponses.get(socket);
  const isOpen = before?.writableFinished === false;
  if (isOpen) responsesBefore.set(outgoing, before);
  lastResponses.set(socket, outgoing);
  return isOpen;
}

/** Resolves when a connection has sent the responses to all complete requests, or is gone. */
async function completeRequestsAnswered(socket: Duplex): Promise<void> {
  const last = lastResponses.get(socket);
  // A request that is not complete is the one that is broken: its own response never comes.
  const awaited = last?.req.complete ? last : last && responsesBefore.get(last);
  if (!awaited || awaited.closed || awaited.writableFinished) return;
  await new Promise((resolve) => awaited.once('close', resolve));
}

/** Rejects CONNECT, which only proxies serve. */
function rejectConnect({ url }: IncomingMessage, socket: Duplex): void {
  void sendRawError(socket, 405, `CONNECT ${url} is not served here: this is no proxy.`);
}

/** Rejects an Expect header with anything but 100-continue. */
function rejectExpectation(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { expect } = incoming.headers;
  const { body, headers } = rawError(417, `Expect: ${expect} is not known here: send 100-continue, or no such header.`);
  outgoing.writeHead(417, headers).end(body);
}

/** Returns an error in the service's own form, after which the connection ends. */
function rawError(status: number, message: string) {
  const body = JSON.stringify({ errorCode: STATUS_CODES[status]?.replaceAll(' ', ''), message, requestId: '' });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  return { body, headers };
}

const rejected = new WeakSet<Duplex>();

/** Responds on the connection itself, after the responses to all complete requests, and ends it. */
async function sendRawError(socket: Duplex, status: number, message: string): Promise<void> {
  // What follows broken bytes is broken, too.
  if (rejected.has(socket)) return;
  rejected.add(socket);
  await completeRequestsAnswered(socket);
  // A fault may have ended the connection meanwhile.
  if (!socket.writable || injectedEndOf(socket)) return;
  const { body, headers } = rawError(status, message);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

type Address = Pick<ListenOptions, 'host' | 'port'>;

/** Returns a `ListenError` that says why the address can't be listened on, and the way out. */
export async function explainListenError(error: unknown, address: Address): Promise<Error> {
  return new ListenError(await explain(error instanceof Error ? error : new Error(String(error)), address));
}

async function explain(error: NodeJS.ErrnoException, { host, port }: Address): Promise<string> {
  const wayOut = 'take another with --port, or any free one with --port 0';
  switch (error.code) {
    case 'EADDRINUSE': {
      const { findPortOwner: portOwner } = await import('../../platform/port-owner.ts');
      const owner = portOwner(port);
      const by = owner === undefined ? 'another program' : `process ${owner.pid} (${owner.command})`;
      return `Port ${port} on ${host} is taken by ${by}; stop it, ${wayOut}.`;
    }
    case 'EACCES':
      return `Port ${port} may not be used without special rights; ${wayOut}.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `The host "${host}" is no address of this machine; use --host 127.0.0.1, or 0.0.0.0 for all addresses.`;
    default:
      return `Port ${port} on ${host} can't be listened on: ${error.message}.`;
  }
}
