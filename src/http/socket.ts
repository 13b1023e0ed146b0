/**
 * Between Node's HTTP and the app. Hono is handed, and hands back, objects that look like the web's Request and
 * Response as far as it reads them: the real classes cost every start 16 ms and every call half its time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Delivery } from './context.ts';
import { deliver } from './deliver.ts';

interface Exchanged {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  delivery?: Delivery;
}

type Fetch = (request: Request, env: Exchanged) => Response | Promise<Response>;

/** How long a client may pause in the middle of a body that was answered before it was complete, in ms. */
const longestPause = 10_000;

/** A request as Hono reads it; its body is read from `incoming` (http/body.ts). */
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

/** An answer whose body is a text, to be written as it stands. */
export class SocketAnswer {
  readonly body: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: string, { status, headers }: AnswerInit) {
    this.body = body;
    this.status = status;
    this.headers = headers;
  }
}

interface AnswerInit {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer for a call that came through a socket. */
export const socketAnswer = (body: string, init: AnswerInit): Response =>
  // Nothing between here and `write` reads it.
  new SocketAnswer(body, init) as unknown as Response;

/** Serves an app to Node's HTTP server; `onFault` is told of what should never happen. */
export function serveSockets(fetch: Fetch, onFault: (error: unknown) => void) {
  return async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    // A client that hangs up is no fault of ours.
    outgoing.on('error', () => {});
    try {
      const request = new SocketRequest(incoming) as unknown as Request;
      const env: Exchanged = { incoming, outgoing };
      const answer = await fetch(request, env);
      if (env.delivery) await deliver(answer, { ...env.delivery, outgoing });
      else if (incoming.complete) await write(answer, outgoing);
      else await writeEarly(answer, { incoming, outgoing });
    } catch (error) {
      onFault(error);
      outgoing.destroy();
    }
  };
}

async function write(answer: Response | SocketAnswer, outgoing: ServerResponse): Promise<void> {
  if (answer instanceof SocketAnswer) {
    writeHead(answer, outgoing).end(answer.body);
    return;
  }
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  // The types of Node's and the web's streams differ in name only.
  const body = Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]);
  await pipeline(body, outgoing).catch(() => outgoing.destroy());
}

const writeHead = ({ status, headers, body }: SocketAnswer, outgoing: ServerResponse): ServerResponse =>
  outgoing.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers });

/**
 * Answers before the whole request is there. What the client still sends is taken in, unread, before the
 * connection may close: closing it while data comes in would take the answer from the client too.
 */
async function writeEarly(answer: Response | SocketAnswer, { incoming, outgoing }: Exchanged): Promise<void> {
  if (answer instanceof SocketAnswer) writeHead(answer, outgoing).write(answer.body);
  await drained(incoming);
  if (answer instanceof SocketAnswer) outgoing.end();
  else await write(answer, outgoing);
}

function drained(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    incoming.setTimeout(longestPause, () => incoming.destroy());
    incoming.once('close', resolve);
    incoming.resume();
  });
}
