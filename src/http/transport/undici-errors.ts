/** What Node's fetch is rejected with when a connection breaks; callers in process meet the same. */

interface Cause {
  readonly name: string;
  readonly message: string;
  readonly code: string;
  readonly errno?: number;
  readonly syscall?: string;
}

const errorOf = ({ name, message, ...parts }: Cause): Error => {
  const error = new Error(message);
  error.name = name;
  return Object.assign(error, parts);
};

const notHttp = 'Response does not match the HTTP/1.1 protocol';

const causes = {
  closed: { name: 'SocketError', message: 'other side closed', code: 'UND_ERR_SOCKET' },
  reset: { name: 'Error', message: 'read ECONNRESET', code: 'ECONNRESET', errno: -104, syscall: 'read' },
  garbage: {
    name: 'HTTPParserError',
    message: `${notHttp} (Expected HTTP/)`,
    code: 'HPE_INVALID_CONSTANT',
  },
  chunk: {
    name: 'HTTPParserError',
    message: `${notHttp} (Invalid character in chunk size)`,
    code: 'HPE_INVALID_CHUNK_SIZE',
  },
} as const satisfies Readonly<Record<string, Cause>>;

export type NetworkErrorKind = keyof typeof causes;

/** Before an answer had begun. */
export const fetchFailedError = (how: NetworkErrorKind): TypeError =>
  new TypeError('fetch failed', { cause: errorOf(causes[how]) });

/** In the middle of its body. */
export const terminatedError = (how: NetworkErrorKind): TypeError =>
  new TypeError('terminated', { cause: errorOf(causes[how]) });
