import type { ResponseHead } from '../context.ts';

/** Holds a response whose text is written to a socket as it is. */
export class SocketResponse {
  readonly body: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: string, { status, headers }: ResponseHead) {
    this.body = body;
    this.status = status;
    this.headers = headers;
  }
}

/** Creates the response to a request that came through a socket. */
export const createSocketResponse = (body: string, init: ResponseHead): Response =>
  // Nothing between here and the socket reads it as a web Response.
  new SocketResponse(body, init) as unknown as Response;
