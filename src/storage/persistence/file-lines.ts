/** Reads and writes files line by line: a saved state may be larger than the longest string. */
import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';

export interface FileLine {
  /** Counts from 1. */
  readonly number: number;
  /** Stays undefined when the line isn't UTF-8. To be read before the next line is, as `bytes` are. */
  readonly text: string | undefined;
  readonly bytes: Buffer;
  /** Holds the offset of the next line, in bytes. */
  readonly end: number;
  /** True when a line feed ends it. */
  readonly isWhole: boolean;
}

const chunkSize = 1024 * 1024;
const lineFeed = 10;

/** Reads the lines of a file. Node's readline also splits at U+2028, which JSON does not escape. */
export function* readLines(path: string, onChunk: (chunk: Buffer) => void = () => {}): Generator<FileLine> {
  let [number, end] = [0, 0];
  for (const { bytes, isWhole } of pieces(path, onChunk)) {
    number++;
    end += bytes.length + 1;
    yield new BytesLine(bytes, { number, end, isWhole });
  }
}

/** Makes the text of a line when it is asked for. */
class BytesLine implements FileLine {
  readonly bytes: Buffer;
  readonly number: number;
  readonly end: number;
  readonly isWhole: boolean;

  constructor(bytes: Buffer, { number, end, isWhole }: Omit<FileLine, 'bytes' | 'text'>) {
    this.bytes = bytes;
    this.number = number;
    this.end = end;
    this.isWhole = isWhole;
  }

  get text(): string | undefined {
    return isUtf8(this.bytes) ? this.bytes.toString('utf8') : undefined;
  }
}

type Piece = Pick<FileLine, 'bytes' | 'isWhole'>;

function* pieces(path: string, onChunk: (chunk: Buffer) => void): Generator<Piece> {
  let begun: Buffer[] = [];
  for (const chunk of chunksOf(path)) {
    onChunk(chunk);
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      const rest = chunk.subarray(from, end);
      yield { bytes: begun.length > 0 ? Buffer.concat([...begun, rest]) : rest, isWhole: true };
      begun = [];
      from = end + 1;
    }
    // The chunk is used again.
    if (from < chunk.length) begun.push(Buffer.from(chunk.subarray(from)));
  }
  if (begun.length > 0) yield { bytes: Buffer.concat(begun), isWhole: false };
}

function* chunksOf(path: string): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.allocUnsafeSlow(chunkSize);
    for (;;) {
      const length = readSync(file, chunk, 0, chunkSize, null);
      if (length === 0) return;
      yield chunk.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

/** Writes all bytes at an offset of an open file; returns the offset after them. */
export function writeFully(file: number, bytes: Buffer, at: number): number {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, at + done);
  return at + bytes.length;
}
