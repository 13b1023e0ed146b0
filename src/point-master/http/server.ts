/** Runs the point master's HTTP server, on @hono/node-server: reads bodies within limits, and resets connections for faults. */
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { startTimer } from '../../core/time/clock.ts';
import { PointMasterError, pointMasterError } from '../errors.ts';

export interface PointMasterHttpRequest {
  readonly method: string;
  /** Holds the path without the tenant that it may begin with. */
  readonly path: string;
  /** Names the tenant of a path such as `/t/oslo/fetchPointHistory`. */
  readonly tenant: string | undefined;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface PointMasterResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** True when the connection is reset instead of a response. */
  readonly isLost?: boolean;
}

interface ServerOptions {
  readonly host: string;
  readonly port: number;
  /** Handles a request; throws a `PointMasterError` to reject it. */
  readonly handleRequest: (request: PointMasterHttpRequest) => Promise<PointMasterResponse>;
  /** Receives errors that should never happen. */
  readonly onInternalError: (error: unknown) => void;
}

export interface PointMasterServer {
  readonly url: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

const limits = { maxHeaderSize: 32 * 1024, headersTimeout: 30_000, requestTimeout: 60_000 } as const;

/** Limits a body generously, as a webhook has a few hundred bytes. */
const maxBodyBytes = 1024 * 1024;

/** Sets how long open requests may take to end when the server closes, in ms. */
const graceTime = 100;

/** Serves until it is closed. Rejects with Node's own error when it cannot listen on that port. */
export async function startServer({
  host,
  port,
  handleRequest,
  onInternalError,
}: ServerOptions): Promise<PointMasterServer> {
  const { fetch } = createApp({ handleRequest, onInternalError });
  const errorHandler = (error: unknown): Response => {
    if (error instanceof RequestError) return toWebResponse(badRequest(error.message));
    onInternalError(error);
    return toWebResponse(errorResponse(error));
  };
  const server = createServer(
    limits,
    getRequestListener(fetch, { overrideGlobalObjects: false, hostname: 'localhost', errorHandler }),
  );
  server.on('clientError', rejectUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  // A server on a port has this kind of address.
  const { port: given } = server.address() as AddressInfo;
  return { url: `http://${reachableHost(host)}:${given}`, port: given, close: () => close(server) };
}

/** Returns the host for a URL: the loopback address when all are listened on, an IPv6 address in brackets. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

type PointMasterApp = Hono<{ Bindings: HttpBindings }>;

/** Returns an app that reads a body within limits, hands the request on, and resets the connection of a lost response. */
function createApp({ handleRequest, onInternalError }: Pick<ServerOptions, 'handleRequest' | 'onInternalError'>) {
  const app: PointMasterApp = new Hono();
  app.all('*', async (c) => {
    const { incoming } = c.env;
    // From Node's request, since a web request would be read without a limit.
    const body = await readBody(incoming);
    if (body === undefined) return RESPONSE_ALREADY_SENT;
    const response = await handleRequest(toRequest(incoming, body));
    if (!response.isLost) return toWebResponse(response);
    incoming.socket.resetAndDestroy();
    return RESPONSE_ALREADY_SENT;
  });
  app.onError((error) => {
    if (!(error instanceof PointMasterError)) onInternalError(error);
    return toWebResponse(errorResponse(error));
  });
  return app;
}

function toRequest({ method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer): PointMasterHttpRequest {
  const end = url.indexOf('?');
  const sent = end < 0 ? url : url.slice(0, end);
  const [, tenant, path = sent] = /^\/t\/([\w.-]+)(\/.*)$/.exec(sent) ?? [];
  return { method, path, tenant, query: new URLSearchParams(end < 0 ? '' : url.slice(end)), headers, body };
}

/** Returns the response for a thrown error. */
function errorResponse(error: unknown): PointMasterResponse {
  if (!(error instanceof PointMasterError)) {
    const message = 'The point master failed; its log says how.';
    return { status: 500, body: { errorCode: 'InternalError', message } };
  }
  const { status, code, message, headers } = error;
  return { status, body: { errorCode: code, message }, headers };
}

const badRequest = (message: string): PointMasterResponse => ({
  status: 400,
  body: { errorCode: 'BadRequest', message: `${message}.` },
});

const toWebResponse = ({ status, body, headers }: PointMasterResponse): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });

/**
 * Reads the whole body; undefined when the client disconnected before it was complete. A body that is too large is read
 * to its end and dropped, because closing the connection while data arrives would lose the error response.
 */
function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBodyBytes) chunks.push(chunk);
    });
    incoming.on('end', () => {
      if (size <= maxBodyBytes) resolve(Buffer.concat(chunks));
      else
        reject(pointMasterError('PayloadTooLarge', `The body has ${size} bytes; at most ${maxBodyBytes} are taken.`));
    });
    incoming.on('error', () => resolve(undefined));
    incoming.on('close', () => resolve(undefined));
  });
}

/** Rejects input that Node's parser could not read, which never becomes a request. */
function rejectUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ errorCode: 'BadRequest', message: `This is not HTTP/1.1: ${error.message}.` });
  const head = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${[...head, 'connection: close'].join('\r\n')}\r\n\r\n${body}`);
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
