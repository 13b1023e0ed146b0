/** Creates the errors of the running Node's fetch for a broken connection, for clients in process. */
import type { ParserComplaint } from '../../faults/kinds/fault-kind.ts';

interface Cause {
  readonly name: string;
  readonly message: string;
  readonly code: string | undefined;
  readonly errno?: number;
  readonly syscall?: string;
}

const errorOf = ({ name, message, ...parts }: Cause): Error => {
  const error = new Error(message);
  error.name = name;
  return Object.assign(error, parts);
};

const notHttp = 'Response does not match the HTTP/1.1 protocol';

/** Holds the version of undici in the running Node: 6 in Node 20 and 22, 7 in Node 24. */
const [major = 0, minor = 0] = (process.versions['undici'] ?? '').split('.').map(Number);
// Since undici 7 its parser's errors have no code, and since 7.15 the parser knows more protocols than HTTP.
const parserCode = (code: string): string | undefined => (major < 7 ? code : undefined);
const protocols = major < 7 || (major === 7 && minor < 15) ? 'HTTP/' : 'HTTP/, RTSP/ or ICE/';

const causes = {
  closed: { name: 'SocketError', message: 'other side closed', code: 'UND_ERR_SOCKET' },
  reset: { name: 'Error', message: 'read ECONNRESET', code: 'ECONNRESET', errno: -104, syscall: 'read' },
} as const satisfies Readonly<Record<string, Cause>>;

/** Names how a connection ends, or holds what the parser says of its bytes. */
export type NetworkError = keyof typeof causes | ParserComplaint;

const causeOf = (kind: NetworkError): Cause =>
  typeof kind === 'string'
    ? causes[kind]
    : {
        name: 'HTTPParserError',
        message: `${notHttp} (${kind.message.replace('HTTP/', protocols)})`,
        code: parserCode(kind.code),
      };

/** Returns the error before a response has begun. */
export const fetchFailedError = (kind: NetworkError): TypeError =>
  new TypeError('fetch failed', { cause: errorOf(causeOf(kind)) });

/** Returns the error in the middle of a response's body. */
export const terminatedError = (kind: NetworkError): TypeError =>
  new TypeError('terminated', { cause: errorOf(causeOf(kind)) });
