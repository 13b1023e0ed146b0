/** Makes a client that reads no HTTP: it sends bytes, and knows exactly what came back and how the connection ended. */
import { connect } from 'node:net';

export interface Wire {
  readonly write: (text: string) => void;
  /** Returns what has come so far. */
  readonly heard: () => Buffer;
  /** Says how the other side has ended the connection; undefined as long as it hasn't. */
  readonly end: () => 'close' | 'reset' | undefined;
  /** Resolves when this is so; rejects when the connection ends before. */
  readonly until: (isSo: (heard: Buffer) => boolean) => Promise<void>;
  /** Resolves when the other side has ended the connection. */
  readonly ended: Promise<'close' | 'reset'>;
  /** Resolves when the connection is there. */
  readonly opened: Promise<void>;
  /** Hangs up. */
  readonly close: () => void;
}

export function openWire(port: number): Wire {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  const chunks: Buffer[] = [];
  let end: 'close' | 'reset' | undefined;
  const heard = (): Buffer => Buffer.concat(chunks);
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const watcher of watchers) watcher();
  };
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    tell();
  });
  const ended = new Promise<'close' | 'reset'>((resolve) => {
    const finish = (how: 'close' | 'reset'): void => {
      end ??= how;
      resolve(end);
      tell();
    };
    socket.on('end', () => finish('close'));
    socket.on('error', () => finish('reset'));
    socket.on('close', () => finish('close'));
  });
  const opened = new Promise<void>((resolve) => {
    socket.on('connect', () => resolve());
  });
  const until: Wire['until'] = (isSo) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!isSo(heard()) && !end) return;
        watchers.delete(look);
        if (isSo(heard())) resolve();
        else reject(new Error(`ended (${end}) after ${JSON.stringify(heard().toString('latin1'))}`));
      };
      watchers.add(look);
      look();
    });
  return {
    write: (text) => void socket.write(text),
    heard,
    end: () => end,
    until,
    ended,
    opened,
    close: () => void socket.destroy(),
  };
}

/** Holds one response read from bytes, as far as it is there. */
export interface RawAnswer {
  /** Is undefined when what came is not the beginning of a response. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Holds what came after the headers. */
  readonly body: Buffer;
}

export function parseAnswer(heard: Buffer): RawAnswer {
  const end = heard.indexOf('\r\n\r\n');
  const [first = '', ...lines] = heard.subarray(0, Math.max(end, 0)).toString('latin1').split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3})/.exec(first)?.[1];
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 2),
  ]);
  return {
    status: status === undefined ? undefined : Number(status),
    headers: Object.fromEntries(headers),
    body: end < 0 ? heard : heard.subarray(end + 4),
  };
}

/** True when there is all of a response, as its headers have it. */
export function isComplete(heard: Buffer): boolean {
  const { status, headers, body } = parseAnswer(heard);
  return status !== undefined && body.length >= Number(headers['content-length'] ?? 0);
}

/** Returns a request as it goes over the wire. */
export function rawRequest(method: string, path: string, body?: unknown, ...headers: readonly string[]): string {
  const sent = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const agent = headers.some((header) => header.startsWith('user-agent:')) ? [] : ['user-agent: test'];
  const own = ['host: localhost', ...agent, ...headers];
  const about =
    body === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(sent)}`];
  return [`${method} ${path} HTTP/1.1`, ...own, ...about, '', sent].join('\r\n');
}
