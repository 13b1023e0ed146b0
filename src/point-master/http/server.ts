/** The master's HTTP server: bodies read within limits, answers written, connections lost where a fault says so. */
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { startTimer } from '../../core/time/clock.ts';
import { PointMasterError, pointMasterError } from '../errors.ts';

export interface PointMasterRequest {
  readonly method: string;
  /** Without the tenant that it may begin with. */
  readonly path: string;
  /** Whom the path names, as `/t/oslo/fetchPointHistory` does. */
  readonly tenant: string | undefined;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface PointMasterResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection is reset instead. */
  readonly isLost?: boolean;
}

interface ServerOptions {
  readonly host: string;
  readonly port: number;
  /** Answers a call; throws a refusal. */
  readonly answer: (call: PointMasterRequest) => Promise<PointMasterResponse>;
  /** Told of what should never happen. */
  readonly onInternalError: (error: unknown) => void;
}

export interface PointMasterServer {
  readonly url: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

const limits = { maxHeaderSize: 32 * 1024, headersTimeout: 30_000, requestTimeout: 60_000 } as const;

/** A webhook is a few hundred bytes. */
const maxBodyBytes = 1024 * 1024;

/** How long calls under way may take to end when the server closes, in ms. */
const graceTime = 100;

/** Serves until it is closed. Rejects with Node's own error when that port can't be had. */
export async function startServer({ host, port, answer, onInternalError }: ServerOptions): Promise<PointMasterServer> {
  const server = createServer(limits, (incoming, outgoing) => {
    void respond({ incoming, outgoing }, { answer, onInternalError });
  });
  server.on('clientError', refuseUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  // A server on a port has this kind of address.
  const { port: given } = server.address() as AddressInfo;
  return { url: `http://${reachableHost(host)}:${given}`, port: given, close: () => close(server) };
}

/** What to call when all addresses are listened on, and how an IPv6 address is written in a URL. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

interface Exchanged {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

async function respond(
  { incoming, outgoing }: Exchanged,
  { answer, onInternalError }: Pick<ServerOptions, 'answer' | 'onInternalError'>,
): Promise<void> {
  // Whoever hangs up is no fault of ours.
  outgoing.on('error', () => {});
  try {
    const body = await readBody(incoming);
    if (body === undefined) return;
    const reply = await answer(callOf(incoming, body));
    if (reply.isLost) incoming.socket.resetAndDestroy();
    else write(outgoing, reply);
  } catch (error) {
    if (!(error instanceof PointMasterError)) onInternalError(error);
    write(outgoing, replyTo(error));
  }
}

function callOf({ method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer): PointMasterRequest {
  const end = url.indexOf('?');
  const sent = end < 0 ? url : url.slice(0, end);
  const [, tenant, path = sent] = /^\/t\/([\w.-]+)(\/.*)$/.exec(sent) ?? [];
  return { method, path, tenant, query: new URLSearchParams(end < 0 ? '' : url.slice(end)), headers, body };
}

/** What to answer when something was thrown. */
function replyTo(error: unknown): PointMasterResponse {
  if (!(error instanceof PointMasterError)) {
    const message = 'The point master failed; its log says how.';
    return { status: 500, body: { errorCode: 'InternalError', message } };
  }
  const { status, code, message, headers } = error;
  return { status, body: { errorCode: code, message }, headers };
}

function write(outgoing: ServerResponse, { status, body, headers }: PointMasterResponse): void {
  if (outgoing.destroyed) return;
  const text = JSON.stringify(body);
  outgoing.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  outgoing.end(text);
}

/**
 * The whole body; undefined when the caller hung up before it was complete. What is too large is taken in all the same,
 * unkept: closing the connection while data comes in would take the refusal from the caller.
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

/** What Node's parser could not read never becomes a call. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
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
    const callOff = startTimer(graceTime, () => server.closeAllConnections());
    server.close(() => {
      callOff();
      resolve();
    });
    server.closeIdleConnections();
  });
}
