import { crc32 } from 'node:zlib';

/** Holds the length of what stands before the kept code, in bytes: V8 copies code that begins at no multiple of eight. */
export const keptHeadLength = 8;

/** Returns the checksum of a text, as it stands before the code that was kept of it. A digest would cost 2 ms of each start. */
function keptChecksum(text: Buffer): Buffer {
  const checksum = Buffer.alloc(keptHeadLength);
  checksum.writeUInt32LE(crc32(text));
  return checksum;
}

/**
 * Returns the code that V8 compiled of a text; undefined when it was kept for another text. V8 itself would take the code
 * of any text of the same length.
 */
export const keptCodeOf = (text: Buffer, kept: Buffer): Buffer | undefined =>
  keptChecksum(text).equals(kept.subarray(0, keptHeadLength)) ? kept.subarray(keptHeadLength) : undefined;
