/**
 * Serves the control API on sockets by @hono/node-server: its dashboard, its documentation and its streams of events.
 * Loading that costs 20 ms, which no start pays: it is loaded with the first call.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Hono } from 'hono';
import type { Env } from '../context.ts';
import { controlCallLength } from './request-queue.ts';
import type { QueuePlace } from './request-queue.ts';

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse, place?: QueuePlace) => Promise<void>;

interface ControlOptions {
  readonly adminApp: () => Promise<Hono<Env>>;
  /** Receives errors that should never happen. */
  readonly onInternalError: (error: unknown) => void;
}

/** Returns a listener for the calls to the control API. */
export function serveControl({ adminApp, onInternalError }: ControlOptions): Listener {
  const load = async (): Promise<Listener> => {
    const { getRequestListener, RequestError } = await import('@hono/node-server');
    const app = await adminApp();
    return getRequestListener((request, env) => app.fetch(request, env as Env['Bindings']), {
      // The classes of the program that we run in are not ours to replace.
      overrideGlobalObjects: false,
      // Of a request of HTTP/1.0 without one.
      hostname: 'localhost',
      errorHandler: (error) => {
        if (error instanceof RequestError) return errorResponse(400, 'BadRequest', `${error.message}.`);
        onInternalError(error);
        return errorResponse(500, 'InternalError', 'The simulator failed; its log says how.');
      },
    });
  };
  let loading: Promise<Listener> | undefined;
  return async function serve(incoming, outgoing, place) {
    place?.keep(controlCallLength);
    place?.endMaking();
    // Its client has gone while it waited for others.
    if (place && incoming.destroyed) return;
    // A client that disconnects is no internal error.
    outgoing.on('error', () => {});
    dropImpossiblePort(incoming);
    let listen: Listener;
    try {
      listen = await (loading ??= load());
    } catch (error) {
      loading = undefined;
      onInternalError(error);
      incoming.socket.destroy();
      return;
    }
    await listen(incoming, outgoing);
  };
}

/** Leaves a port out of the Host header that no URL can have: requests become web requests, and no check reads ports. */
function dropImpossiblePort({ headers }: IncomingMessage): void {
  const { host } = headers;
  if (host !== undefined && !URL.canParse(`http://${host}`)) headers.host = host.replace(/:\d+$/, '');
}

const errorResponse = (status: number, errorCode: string, message: string): Response =>
  Response.json({ errorCode, message, requestId: '' }, { status });
