import { bytesField } from './bytes-field.ts';
import { defineFaultKind, nothing } from './fault-kind.ts';

const defaultBytes = 128;

export const garbage = defineFaultKind({
  name: 'garbage',
  description: `\`bytes\` (default: ${defaultBytes}) that are not HTTP; the same in every run`,
  aliases: {
    RANDOM_DATA_THEN_CLOSE: {
      respond: 'garbage',
      end: 'close',
      description: 'bytes that are not HTTP, then a closed connection',
    },
  },
  fields: bytesField,
  source: 'none',
  isComplete: false,
  hasBody: true,
  diagnose: ({ options: { bytes } }) =>
    bytes === 0 ? [{ field: 'bytes', message: 'must be at least 1: no garbage at all is respond none' }] : [],
  alter: (_, { options: { bytes = defaultBytes }, garbage: draw }) => ({
    ...nothing(),
    body: notHttp(draw(bytes)),
    complaint: { code: 'HPE_INVALID_CONSTANT', message: 'Expected HTTP/' },
  }),
  example: { respond: 'garbage' },
  choices: [{ value: 'garbage', label: 'garbage, then closed', fault: { respond: 'garbage', end: 'close' } }],
});

/** Sets a bit that no first byte of HTTP has. */
function notHttp(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, i) => (i === 0 ? byte | 0x80 : byte));
}
