import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { nextTurn } from '../../core/time/steps.ts';
import { findExcess } from '../../core/validation/extent.ts';
import type { ExtentLimits } from '../../core/validation/extent.ts';
import { apiError } from '../../service/errors/catalog.ts';
import { headerOf } from '../context.ts';
import type { AppContext } from '../context.ts';
import { contentCodings, decompressBody } from './content-encoding.ts';

/** Limits a body in bytes, also after it was decompressed: the largest lists that the service takes are far smaller. */
const maxBodyBytes = 16 * 1024 * 1024;

const payloadTooLargeError = () =>
  apiError('PayloadTooLarge', {
    message: `The body is larger than ${maxBodyBytes / 1024 / 1024} MB, the most this service takes.`,
  });

const disconnectedError = () =>
  apiError('InvalidJson', { message: 'The client closed the connection before its request was complete.' });

/** True when the request has a body; one that is streamed does not say its length. */
export function hasBody(c: AppContext): boolean {
  if (!c.env?.incoming) return c.req.raw.body !== null;
  return Number(headerOf(c, 'content-length') ?? 0) > 0 || headerOf(c, 'transfer-encoding') !== undefined;
}

/** Returns the request's body as text, read once. Throws as `readText` does. */
export function readBody(c: AppContext, unreadable: 'NoData' | 'InvalidJson'): Promise<string> {
  return c.get('bodyText') ?? readText(c, unreadable);
}

/**
 * Reads the request's body as text, decompressed and without the byte order mark that some clients begin it with.
 * Throws when it is too large or its encoding is not supported, and the given error when it can't be read.
 */
async function readText(c: AppContext, unreadable: 'NoData' | 'InvalidJson'): Promise<string> {
  const codings = contentCodings(headerOf(c, 'content-encoding'));
  if (Number(headerOf(c, 'content-length') ?? 0) > maxBodyBytes) throw payloadTooLargeError();
  const incoming = c.env?.incoming;
  const sent = incoming ? await readIncoming(incoming) : Buffer.from(await c.req.arrayBuffer());
  if (sent.length > maxBodyBytes) throw payloadTooLargeError();
  const limits = { maxBytes: maxBodyBytes, tooLarge: payloadTooLargeError, unreadable };
  const bytes = codings.length === 0 ? sent : await decompressBody(sent, codings, limits);
  if (!isUtf8(bytes)) throw apiError(unreadable, { message: 'The body is not UTF-8; send JSON in UTF-8.' });
  const text = bytes.length < longBytes ? bytes.toString('utf8') : await decodeInTurns(bytes);
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Decodes in one turn, in bytes: it takes 8 ms where no character is ASCII. */
const longBytes = 1024 * 1024;

async function decodeInTurns(bytes: Buffer): Promise<string> {
  const decoder = new StringDecoder('utf8');
  const pieces: string[] = [];
  for (let from = 0; from < bytes.length; from += longBytes) {
    await nextTurn();
    pieces.push(decoder.write(bytes.subarray(from, from + longBytes)));
  }
  return pieces.join('');
}

/** Collects the body straight from the socket, which costs half of what a web stream does. */
function readIncoming(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The client has gone while its request waited for others: what it sent is there, but no event tells of it.
    if (incoming.destroyed) {
      if (incoming.complete) resolve(incoming.read() ?? Buffer.alloc(0));
      else reject(disconnectedError());
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBodyBytes) chunks.push(chunk);
      else reject(payloadTooLargeError());
    });
    incoming.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    incoming.on('error', () => reject(disconnectedError()));
    incoming.on('close', () => {
      if (!incoming.complete) reject(disconnectedError());
    });
  });
}

/** Throws the given error, or `InvalidJson`, for a body that is too deep or too wide to be walked. */
export function checkExtent(json: unknown, limits: ExtentLimits, unreadable: 'NoData' | undefined): void {
  throwExcess(findExcess(json, limits), unreadable);
}

/** Throws the given error, or `InvalidJson`, for a body of which somebody found out that it holds too much. */
export function throwExcess(excess: string | undefined, unreadable: 'NoData' | 'InvalidJson' | undefined): void {
  if (excess !== undefined) throw apiError(unreadable ?? 'InvalidJson', { message: `The body ${excess}.` });
}

/** True when a text may hold half a surrogate pair: valid UTF-8 can do so only as an escape. */
export const mayHoldSurrogates = (text: string): boolean => /\\u[dD][89a-fA-F]/.test(text);

/** Returns the value of a JSON text. Throws the given error, or `InvalidJson`, and says where the text is broken. */
export function parseJson(text: string, unreadable: 'NoData' | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw apiError(unreadable ?? 'InvalidJson', { message: `The body is not valid JSON: ${locate(message, text)}.` });
  }
}

/** Turns V8's position, counted in characters or missing for a short text, into line and column. */
function locate(message: string, text: string): string {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined && !message.startsWith('Unexpected end'))
    return message.replace(/ is not valid JSON$/, '');
  const end = position === undefined ? text.length : Number(position);
  let [line, start] = [1, 0];
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', start))
    [line, start] = [line + 1, at + 1];
  const column = end - start + 1;
  return `${message.replace(/ in JSON at position.*$/, '').replace(/ at position.*$/, '')}, line ${line} column ${column}`;
}
