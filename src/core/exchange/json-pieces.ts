/** Writes large values as JSON piece by piece: V8 writes a value of some MB in one go, however many others wait. */
import type { Steps } from '../time/steps.ts';

/** A value of about so many characters is written in one go: that takes a millisecond or less. */
const pieceLength = 64 * 1024;

/** Counts for a value besides the characters of its texts. */
const valueLength = 4;

/** Returns what is left of a number of characters when a value is written; less than 0 when it takes more. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length;
  let left = room - valueLength;
  if (typeof value !== 'object' || value === null) return left;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = roomAfter(value[i], left);
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
  else yield* Array.isArray(value) ? listPieces(value, rewrite) : fieldPieces(value as object, rewrite);
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

function* listPieces(items: readonly unknown[], rewrite: Rewrite | undefined): Generator<string, void> {
  let before = '[';
  for (let from = 0; from < items.length;) {
    let to = from;
    for (let room = pieceLength; to < items.length; to++) {
      room = roomAfter(items[to], room);
      if (room < 0) break;
    }
    yield before;
    // One that is large stands alone.
    if (to === from) yield* jsonPieces(items[to++], rewrite);
    else yield writeSmall(items.slice(from, to), rewrite).slice(1, -1);
    [from, before] = [to, ','];
  }
  yield ']';
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
