/** Keeps the bodies made of rows, with their texts: a row never changes, and clients read the same few over and over. */
import type { ResponseMessage } from './exchange.ts';

interface ReusableBody {
  /** Names the variants of the assumptions that the body was made by: tenants share rows. */
  readonly variant: string;
  readonly body: object;
}

/** Holds a body as JSON. */
export interface BodyText {
  readonly text: string;
  /** Holds the bytes of the text in UTF-8, one character for each, where they are kept: to send them takes no encoding. */
  readonly bytes?: string;
  /** Holds the response that it was last sent in, where it is kept: the journal has one for many requests. */
  response?: ResponseMessage;
}

/** Holds the text of a body once it was asked for. */
interface KeptText {
  written?: BodyText;
}

/** Limits how many bodies are kept: with the next one, all are forgotten. */
const maxKept = 5000;

let bodies = new WeakMap<object, ReusableBody>();
let texts = new WeakMap<object, KeptText>();
let count = 0;

/** Returns the body that `serialize` makes of a row: the one made before, if it was by the same variants. */
export function reusableBody(row: object, variant: string, serialize: () => object): object {
  const known = bodies.get(row);
  if (known?.variant === variant) return known.body;
  const body = serialize();
  if (++count > maxKept) [bodies, texts, count] = [new WeakMap(), new WeakMap(), 1];
  bodies.set(row, { variant, body });
  texts.set(body, {});
  return body;
}

/** Returns the place for the text of a body that is kept. */
const keptText = (body: unknown): KeptText | undefined =>
  typeof body === 'object' && body !== null ? texts.get(body) : undefined;

/** True when the text of a body need not be written. */
export const hasText = (body: unknown): boolean => keptText(body)?.written !== undefined;

/** Returns a body as JSON; the text of one that may come again is kept. */
export function jsonText(body: unknown): BodyText {
  const kept = keptText(body);
  if (kept?.written) return kept.written;
  const text = JSON.stringify(body);
  if (!kept) return { text };
  kept.written = { text, bytes: bytesOf(text) };
  return kept.written;
}

function bytesOf(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length === text.length ? text : bytes.toString('latin1');
}
