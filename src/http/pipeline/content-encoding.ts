/** Decompresses request bodies; zlib is loaded with the first one that is compressed. */
import { apiError } from '../../service/errors/catalog.ts';

type Decompress = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

const supported = ['gzip', 'deflate', 'br'] as const;

type ContentCoding = (typeof supported)[number];

/** Limits how often a body may have been compressed: nobody compresses one more than twice. */
const maxCodings = 3;

/**
 * Returns the codings of a Content-Encoding header in the order in which they were applied; none for `identity`.
 * Throws for one that is not supported.
 */
export function contentCodings(header = ''): readonly ContentCoding[] {
  const names = header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
    // RFC 9110: the two are one.
    .map((name) => (name === 'x-gzip' ? 'gzip' : name));
  if (names.length <= maxCodings && names.every(isSupported)) return names;
  throw apiError('UnsupportedContentEncoding', {
    message: `The body comes with Content-Encoding: ${header}; supported are ${supported.join(', ')} and identity.`,
    headers: { 'accept-encoding': supported.join(', ') },
  });
}

const isSupported = (name: string): name is ContentCoding => (supported as readonly string[]).includes(name);

/**
 * Undoes the codings of a body, the last one first. Throws `tooLarge` as soon as it grows beyond so many bytes, and
 * the given error when it is corrupt.
 */
export async function decompressBody(
  bytes: Buffer,
  codings: readonly ContentCoding[],
  { maxBytes, tooLarge, unreadable }: { maxBytes: number; tooLarge: () => Error; unreadable: 'NoData' | 'InvalidJson' },
): Promise<Buffer> {
  if (bytes.length === 0 || codings.length === 0) return bytes;
  const { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } = await import('node:zlib');
  const decompressors: Readonly<Record<ContentCoding, Decompress>> = {
    gzip: gunzipSync,
    br: brotliDecompressSync,
    // Some clients leave the zlib header out, which RFC 9110 mentions.
    deflate: (sent, options) => (hasZlibHeader(sent) ? inflateSync : inflateRawSync)(sent, options),
  };
  let decompressed = bytes;
  for (const coding of codings.toReversed()) {
    try {
      decompressed = decompressors[coding](decompressed, { maxOutputLength: maxBytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
      const reason = error instanceof Error ? error.message : String(error);
      const message = `The body can't be decompressed: it comes with Content-Encoding: ${coding}, but is corrupt (${reason}).`;
      throw apiError(unreadable, { message });
    }
  }
  return decompressed;
}

const hasZlibHeader = (bytes: Buffer): boolean =>
  bytes.length > 1 && (bytes.readUInt8(0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
