import { integer, upTo } from '../../core/validation/field-types.ts';

/** Limits bytes to as many as a request may have: what is made up is made at once, while everything else waits. */
const maxBytes = 16 * 1024 * 1024;

/** Sets how much a response that is cut or made up has, for the kinds that can do with any number. */
export const bytesField = {
  bytes: integer
    .min(0, { error: 'must be at least 0' })
    .max(...upTo(maxBytes))
    .optional()
    .describe('Sends this many bytes of the body, or of garbage'),
};
