import type { ResponseHead } from '../context.ts';

/** Holds a response whose text is written to a socket as it is. */
export class SocketResponse {
  readonly body: string;
  /** Holds the bytes of the body, one character for each, where they are known. */
  readonly bytes: string | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: string, { status, headers }: ResponseHead, bytes: string | undefined) {
    this.body = body;
    this.bytes = bytes;
    this.status = status;
    this.headers = headers;
  }
}

/** Creates the response to a request that came through a socket. */
export const createSocketResponse = (body: string, init: ResponseHead, bytes?: string): Response =>
  // Nothing between here and the socket reads it as a web Response.
  new SocketResponse(body, init, bytes) as unknown as Response;
