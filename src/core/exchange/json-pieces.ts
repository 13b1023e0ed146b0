/** Writes large values as JSON piece by piece: V8 writes a value of some MB in one go, however many others wait. */
import type { Steps } from '../time/steps.ts';

/** A value of about so many characters is written in one go: that takes a millisecond or less. */
const pieceLength = 64 * 1024;

/** Counts for a value besides the characters of its texts. */
const valueLength = 4;

/**
 * Holds a list whose items are made when they are measured and written, and not kept: all of them would take far more memory
 * than their text. Making one twice must give the same.
 */
export class LazyList<T> {
  readonly #sources: readonly T[];
  readonly #make: (source: T) => unknown;

  constructor(sources: readonly T[], make: (source: T) => unknown) {
    this.#sources = sources;
    this.#make = make;
  }

  get length(): number {
    return this.#sources.length;
  }

  at(place: number): unknown {
    // It is there: whoever asks goes by the length.
    return this.#make(this.#sources[place] as T);
  }

  toJSON(): unknown[] {
    return this.#sources.map((source) => this.#make(source));
  }
}

type List = readonly unknown[] | LazyList<never>;

const isList = (value: object): value is List => Array.isArray(value) || value instanceof LazyList;

/** Returns what is left of a number of characters when a value is written; less than 0 when it takes more. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length;
  let left = room - valueLength;
  if (typeof value !== 'object' || value === null) return left;
  if (isList(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = roomAfter(value.at(i), left);
    return left;
  }
  for (const name in value) {
    if (left < 0) return left;
    left = roomAfter((value as Readonly<Record<string, unknown>>)[name], left - name.length);
  }
  return left;
}

/** True for a value that takes long to be written in one go. */
export const isLarge = (value: unknown, length = pieceLength): boolean => roomAfter(value, length) < 0;

/** Changes a text before it is written. */
type Rewrite = (text: string) => string;

/** Returns the pieces of what `JSON.stringify` returns for a value that JSON can hold. */
export function* jsonPieces(value: unknown, rewrite?: Rewrite): Generator<string, void> {
  if (!isLarge(value)) yield writeSmall(value, rewrite);
  else if (typeof value === 'string') yield* textPieces(rewrite ? rewrite(value) : value);
  else yield* isList(value as object) ? listPieces(value as List, rewrite) : fieldPieces(value as object, rewrite);
}

const writeSmall = (value: unknown, rewrite: Rewrite | undefined): string =>
  JSON.stringify(value, rewrite && ((_name, inner: unknown) => (typeof inner === 'string' ? rewrite(inner) : inner)));

function* textPieces(text: string): Generator<string, void> {
  yield '"';
  for (const piece of piecesOfText(text, pieceLength)) yield JSON.stringify(piece).slice(1, -1);
  yield '"';
}

/** Yields the parts of a text one by one, each of about so many characters: both halves of a surrogate pair stay together. */
export function* piecesOfText(text: string, length: number): Generator<string, void> {
  for (let from = 0; from < text.length;) {
    const to = from + length;
    const end = /[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(to - 1, to + 1)) ? to + 1 : to;
    yield text.slice(from, end);
    from = end;
  }
}

function* listPieces(items: List, rewrite: Rewrite | undefined): Generator<string, void> {
  let before = '[';
  for (let from = 0; from < items.length;) {
    const together = itemsTogether(items, from);
    yield before;
    // One that is large stands alone.
    if (together.length === 0) yield* jsonPieces(items.at(from++), rewrite);
    else yield writeSmall(together, rewrite).slice(1, -1);
    from += together.length;
    before = ',';
  }
  yield ']';
}

/** Returns the items from a place on that are written in one go; none where the first is large. */
function itemsTogether(items: List, from: number): unknown[] {
  const together: unknown[] = [];
  let room = pieceLength;
  for (let i = from; i < items.length; i++) {
    const item = items.at(i);
    room = roomAfter(item, room);
    if (room < 0) break;
    together.push(item);
  }
  return together;
}

function* fieldPieces(value: object, rewrite: Rewrite | undefined): Generator<string, void> {
  let before = '{';
  for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
    if (inner === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* jsonPieces(inner, rewrite);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** Returns the next pieces together, up to about the length of one; undefined when there are no more. */
export function takePieces(pieces: Iterator<string, void>): string | undefined {
  let text = '';
  while (text.length < pieceLength) {
    const next = pieces.next();
    if (next.done) return text === '' ? undefined : text;
    text += next.value;
  }
  return text;
}

/** Encodes the pieces of a text in steps. */
export function* encodeInSteps(pieces: Iterator<string, void>): Steps<Buffer> {
  const encoded: Uint8Array[] = [];
  for (let text = takePieces(pieces); text !== undefined; text = takePieces(pieces)) {
    encoded.push(Buffer.from(text));
    yield;
  }
  return Buffer.concat(encoded);
}

/** Writes a value as JSON in steps. */
export function* jsonInSteps(value: unknown, rewrite?: Rewrite): Steps<string> {
  const [pieces, texts]: [Iterator<string, void>, string[]] = [jsonPieces(value, rewrite), []];
  for (let text = takePieces(pieces); text !== undefined; text = takePieces(pieces)) {
    texts.push(text);
    yield;
  }
  return texts.join('');
}
