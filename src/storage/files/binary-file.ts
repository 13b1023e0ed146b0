/** Writes and reads values that consist mostly of numbers and bytes; a digest at the end reveals damage. */
import type { Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type * as V8 from 'node:v8';
import type { Steps } from '../../core/time/steps.ts';

const digestLength = 32;

// Loaded when a file is there to be written or read: a start without one takes milliseconds less.
const sha256 = (): Hash => process.getBuiltinModule('node:crypto').createHash('sha256');
const v8 = (): typeof V8 => process.getBuiltinModule('node:v8');

type Bytes = Uint8Array | Uint32Array | Float64Array;

/** Holds what such a file is made of. */
export interface BinaryContent {
  /** Holds whatever people may have written. */
  readonly plain: unknown;
  /** Holds numbers and bytes in objects and lists. */
  readonly packed: unknown;
}

/** Stands for bytes that are written behind everything else. */
interface BytesPlace {
  readonly bytes: 'Uint8Array' | 'Uint32Array' | 'Float64Array';
  readonly length: number;
}

const isBytes = (value: unknown): value is Bytes =>
  value instanceof Uint8Array || value instanceof Uint32Array || value instanceof Float64Array;

/** Returns a copy of a value in which something stands for some of its parts. */
function replaceParts(value: unknown, replace: (part: unknown) => unknown): unknown {
  const replaced = replace(value);
  if (replaced !== value || typeof value !== 'object' || value === null || value instanceof Map) return replaced;
  if (Array.isArray(value)) return value.map((part) => replaceParts(part, replace));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaceParts(part, replace)]));
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Bytes): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

/** Writes a new file. Throws when there is such a file already. */
export function* writeBinaryFile(path: string, { plain, packed }: BinaryContent): Steps {
  const all: Bytes[] = [];
  const places = replaceParts(packed, (part) => {
    if (!isBytes(part)) return part;
    all.push(part);
    const bytes =
      part instanceof Uint32Array ? 'Uint32Array' : part instanceof Float64Array ? 'Float64Array' : 'Uint8Array';
    return { bytes, length: part.byteLength } satisfies BytesPlace;
  });
  const head = v8().serialize({ plain, packed: places });
  const file = openSync(path, 'wx', 0o600);
  try {
    const hash = sha256();
    const write = (bytes: Buffer): void => {
      hash.update(bytes);
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
    };
    const length = Buffer.alloc(8);
    length.writeDoubleLE(head.length);
    write(length);
    write(head);
    for (const bytes of all) {
      yield;
      write(asBuffer(bytes));
    }
    const digest = hash.digest();
    for (let done = 0; done < digest.length;) done += writeSync(file, digest, done);
  } finally {
    closeSync(file);
  }
}

const constructors = { Uint32Array, Float64Array };

/** Returns what `writeBinaryFile` wrote. Throws when that is not what the file holds. */
export function* readBinaryFile(path: string): Steps<BinaryContent> {
  const file = openSync(path, 'r');
  try {
    const contentLength = fstatSync(file).size - digestLength;
    yield* assertWhole(file, contentLength);
    let at = 0;
    const read = (length: number): Buffer<ArrayBuffer> => {
      if (!(length >= 0 && at + length <= contentLength)) throw new Error('it is too short');
      const bytes = readExactly(file, length, at);
      at += length;
      return bytes;
    };
    // It is what `writeBinaryFile` wrote, or the digest at its end is another one.
    const { plain, packed: places } = v8().deserialize(read(read(8).readDoubleLE())) as BinaryContent;
    const packed = replaceParts(places, (part) => {
      if (!isPlace(part)) return part;
      const bytes = read(part.length);
      if (part.bytes === 'Uint8Array') return bytes;
      const array = constructors[part.bytes];
      return new array(bytes.buffer, bytes.byteOffset, bytes.byteLength / array.BYTES_PER_ELEMENT);
    });
    return { plain, packed };
  } finally {
    closeSync(file);
  }
}

const chunkLength = 1024 * 1024;

/** Throws unless the digest at the end of a file is that of all before it. */
function* assertWhole(file: number, contentLength: number): Steps {
  const hash = sha256();
  for (let at = 0; at < contentLength; at += chunkLength) {
    hash.update(readExactly(file, Math.min(chunkLength, contentLength - at), at));
    yield;
  }
  if (contentLength < 0 || !hash.digest().equals(readExactly(file, digestLength, contentLength)))
    throw new Error('it is damaged');
}

const isPlace = (value: unknown): value is BytesPlace =>
  typeof value === 'object' && value !== null && 'bytes' in value && typeof value.bytes === 'string';

function readExactly(file: number, length: number, at: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.from(new ArrayBuffer(length));
  for (let done = 0; done < length;) {
    const more = readSync(file, bytes, done, length - done, at + done);
    if (more === 0) throw new Error('it is too short');
    done += more;
  }
  return bytes;
}
