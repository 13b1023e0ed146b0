/** Says how a file or a call names the values and the requests that it means. */
import * as z from '../core/validation/deferred-zod.ts';
import { arrayOf, flag, number, requiredText, text, upTo } from '../core/validation/field-types.ts';

/** Limits a path with wildcards, which becomes a regular expression, and the names of a contact and a tenant. */
export const maxPathLength = 500;

/** Limits a text that is searched for: to search for a long one takes its length times that of the other. */
export const maxContained = 200;

/** Lists the tests of a value; anything else is the value itself, of an object all that it names. */
export const valueMatcherSchema = z
  .strictObject({
    matches: text.optional().describe('A regular expression in RE2 syntax that is found in the value, as a text'),
    contains: text
      .max(...upTo(maxContained, 'characters'))
      .optional()
      .describe('A text that is in the value'),
    oneOf: z
      .array(z.unknown(), { error: 'must be a list of values' })
      .min(1, { error: 'must have at least one value' })
      .max(...upTo(1000, 'values'))
      .optional()
      .describe('Values, one of which it is'),
    exists: flag.optional().describe('true: it is there; false: it is not'),
    atLeast: number.optional().describe('The least number that it is'),
    atMost: number.optional().describe('The most'),
  })
  .meta({ id: 'ValueMatcher' });

const wanted = z.unknown();
const wantedByName = z.record(z.string(), wanted);

/** Limits the endpoints that a list names. */
export const maxEndpoints = 100;

/** Says which requests are meant; what isn't named may be anything. */
export const matchFields = {
  endpoint: z
    .union(
      [
        requiredText,
        arrayOf(requiredText)
          .min(1, { error: 'must name at least one endpoint' })
          .max(...upTo(maxEndpoints, 'endpoints', 'name')),
      ],
      {
        error: 'must be the id of an endpoint, or a list of ids',
      },
    )
    .optional()
    .describe('The id of an endpoint, as createReceipt, or several'),
  method: requiredText.optional().describe('GET, POST, …'),
  path: requiredText
    .max(...upTo(maxPathLength, 'characters'))
    .optional()
    .describe('Without the tenant’s prefix, with {name} for one part of it and * for any text: /api/v3/contacts/{id}'),
  query: wantedByName.optional().describe('Parameters of the query'),
  headers: wantedByName.optional().describe('Headers, by name in any case'),
  body: wantedByName
    .optional()
    .describe('Fields of the body by JSON path, as contact.matchKey or items[0].sku; [*] is any item of a list'),
  contact: requiredText
    .max(...upTo(maxPathLength, 'characters'))
    .optional()
    .describe('The contact that it is about: an id, or a key such as the e-mail address'),
  tenant: requiredText
    .max(...upTo(maxPathLength, 'characters'))
    .optional()
    .describe('Names the tenant whose requests are meant (default: any)'),
};
