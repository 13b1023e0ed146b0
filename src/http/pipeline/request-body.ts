import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { apiError } from '../../service/errors/catalog.ts';
import { headerOf } from '../context.ts';
import type { AppContext } from '../context.ts';

/** No body may be larger, in bytes: the largest lists the service takes are far smaller. */
const maxBodyBytes = 16 * 1024 * 1024;

const tooLarge = () =>
  apiError('PayloadTooLarge', {
    message: `The body is larger than ${maxBodyBytes / 1024 / 1024} MB, the most this service takes.`,
  });

const hungUp = () =>
  apiError('InvalidJson', { message: 'The client closed the connection before its request was complete.' });

/** Whether the request came with a body; one that is read as a stream says nothing of its length. */
export function hasBody(c: AppContext): boolean {
  if (!c.env?.incoming) return c.req.raw.body !== null;
  return Number(headerOf(c, 'content-length') ?? 0) > 0 || headerOf(c, 'transfer-encoding') !== undefined;
}

/** The request's body as text, read once. Throws as `readText` does. */
export function readBody(c: AppContext, unreadable: 'NoData' | 'InvalidJson'): Promise<string> {
  return c.get('sentBody') ?? readText(c, unreadable);
}

/**
 * Reads the request's body as text, without the byte order mark that some clients begin it with. Throws when it is
 * too large, is compressed, or can't be read: then with the given refusal.
 */
async function readText(c: AppContext, unreadable: 'NoData' | 'InvalidJson'): Promise<string> {
  refuseCompressed(headerOf(c, 'content-encoding'));
  if (Number(headerOf(c, 'content-length') ?? 0) > maxBodyBytes) throw tooLarge();
  const incoming = c.env?.incoming;
  const bytes = incoming ? await readIncoming(incoming) : Buffer.from(await c.req.arrayBuffer());
  if (bytes.length > maxBodyBytes) throw tooLarge();
  if (!isUtf8(bytes)) throw apiError(unreadable, { message: 'The body is not UTF-8; send JSON in UTF-8.' });
  const text = bytes.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function refuseCompressed(encoding = ''): void {
  if (encoding === '' || encoding.toLowerCase() === 'identity') return;
  const message = `The body comes with Content-Encoding: ${encoding}; send plain JSON, without that header.`;
  throw apiError('InvalidContentType', { message });
}

/** Collects the body straight from the socket, which costs half of what a web stream does. */
function readIncoming(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBodyBytes) chunks.push(chunk);
      else reject(tooLarge());
    });
    incoming.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    incoming.on('error', () => reject(hungUp()));
    incoming.on('close', () => {
      if (!incoming.complete) reject(hungUp());
    });
  });
}
