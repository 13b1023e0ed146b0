import { bytesField } from './bytes-field.ts';
import { beginning, defineFaultKind, hasNoBody } from './fault-kind.ts';

/** Begins a chunk with what is no number of bytes. */
const malformedChunk = 'zz\r\n';

export const badChunk = defineFaultKind({
  name: 'bad-chunk',
  description: 'the same part of the body as a chunk, then a malformed chunk',
  aliases: {
    MALFORMED_RESPONSE_CHUNK: { respond: 'bad-chunk', end: 'close', description: 'a status, then a malformed chunk' },
  },
  fields: bytesField,
  source: 'either',
  isComplete: false,
  hasBody: true,
  diagnose: ({ status }) =>
    hasNoBody(status)
      ? [{ field: 'respond', message: `can't be bad-chunk of status ${status}, which has no body` }]
      : [],
  alter: (response, { options: { bytes } }) => {
    const begun = beginning(response, (whole) => Math.min(bytes ?? Math.floor(whole / 2), whole));
    if (begun.isWhole) return begun;
    const { status, headers } = response;
    return {
      ...begun,
      head: { status, headers: { ...headers, 'transfer-encoding': 'chunked' } },
      trailer: malformedChunk,
      complaint: { code: 'HPE_INVALID_CHUNK_SIZE', message: 'Invalid character in chunk size' },
    };
  },
  example: { respond: 'bad-chunk' },
  choices: [{ value: 'bad-chunk', label: 'a malformed chunk', fault: { respond: 'bad-chunk', end: 'close' } }],
});
