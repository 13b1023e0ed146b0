/** An answer whose body is a text, to be written to a socket as it stands. */
export class SocketResponse {
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
export const createSocketResponse = (body: string, init: AnswerInit): Response =>
  // Nothing between here and the socket reads it.
  new SocketResponse(body, init) as unknown as Response;
