/** Reads and writes files line by line: a saved state may be larger than the longest string. */
import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';

export interface FileLine {
  /** Counts from 1. */
  readonly number: number;
  /** Stays undefined when the line isn't UTF-8. */
  readonly text: string | undefined;
  /** Holds the offset of the next line, in bytes. */
  readonly end: number;
  /** True when a line feed ends it. */
  readonly isWhole: boolean;
}

const chunkSize = 1024 * 1024;
const lineFeed = 10;

/** Reads the lines of a file. Node's readline also splits at U+2028, which JSON does not escape. */
export function* readLines(path: string): Generator<FileLine> {
  let [number, end] = [0, 0];
  for (const { bytes, isWhole } of pieces(path)) {
    number++;
    end += bytes.length + 1;
    yield { number, text: isUtf8(bytes) ? bytes.toString('utf8') : undefined, end, isWhole };
  }
}

function* pieces(path: string): Generator<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  let begun: Buffer[] = [];
  for (const chunk of chunksOf(path)) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      yield { bytes: Buffer.concat([...begun, chunk.subarray(from, end)]), isWhole: true };
      begun = [];
      from = end + 1;
    }
    if (from < chunk.length) begun.push(chunk.subarray(from));
  }
  if (begun.length > 0) yield { bytes: Buffer.concat(begun), isWhole: false };
}

function* chunksOf(path: string): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkSize);
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
