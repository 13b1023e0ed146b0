/** Defines expectations: of the requests that were received, and of the state that they led to. */
import * as z from '../../core/validation/deferred-zod.ts';
import { errorAt, under } from '../../core/validation/diagnostic.ts';
import type { Diagnostic } from '../../core/validation/diagnostic.ts';
import { compilePathTemplate } from '../../core/exchange/path-template.ts';
import { endpoints } from '../../service/endpoints.ts';
import { integer, arrayOf, objectOf, requiredText, text, upTo } from '../../core/validation/field-types.ts';
import { expectedRequestSchema, expectedStatusSchema } from './expected-request-schema.ts';
import { stateSchema } from './expected-state-schema.ts';
import { lintExpectedFields } from '../lint/expected-fields.ts';
import { lintPatternCount, lintValueMatcher } from '../lint/match-diagnostics.ts';

const times = integer.min(0, { error: 'must be at least 0' }).optional();
const yes = z.literal(true, { error: 'must be true' }).optional();

const maxRequests = upTo(1000, 'requests', 'name');

const fields = {
  request: expectedRequestSchema.optional().describe('Requests of this kind were received (default: at least one)'),
  exactly: times.describe('Exact number of such requests'),
  atLeast: times.describe('Smallest number of such requests'),
  atMost: times.describe('Largest number of such requests'),
  never: yes.describe('No such request was received'),
  order: arrayOf(expectedRequestSchema)
    .min(1, { error: 'must name at least one request' })
    .max(...maxRequests)
    .optional()
    .describe('These requests were received in this order; others may stand between them'),
  noUnexpectedRequests: yes.describe(
    'No request was received but those that request, order or allow name, and none that no endpoint serves',
  ),
  allow: arrayOf(expectedRequestSchema)
    .max(...maxRequests)
    .optional()
    .describe('Requests that noUnexpectedRequests accepts'),
  state: stateSchema.optional().describe('State of the service'),
  get: requiredText.optional().describe('Path of a GET request whose response is checked: /api/v3/contacts/count'),
  status: expectedStatusSchema.optional().describe('Expected status of the response to get (default: 200)'),
  body: z.unknown().optional().describe('Expected body of the response to get: the value, or fields by JSON path'),
};

/** Lists the kinds of expectations, with the fields that go with each. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  request: ['exactly', 'atLeast', 'atMost', 'never'],
  order: [],
  noUnexpectedRequests: ['allow'],
  state: [],
  get: ['status', 'body'],
};

type ExpectationFields = Readonly<{ [Name in keyof typeof fields]?: z.output<(typeof fields)[Name]> }>;

function lintKinds(sent: ExpectationFields): Diagnostic[] {
  const given = Object.keys(kinds).filter((kind) => kind in sent);
  const [kind, ...others] = given;
  const names = Object.keys(kinds).join(', ');
  if (kind === undefined) return [errorAt([], `must have one of ${names}`)];
  if (others.length > 0)
    return [errorAt([], `must have only one of ${names}; ${given.join(' and ')} are two expectations`)];
  return Object.entries(kinds).flatMap(([owner, companions]) =>
    owner === kind
      ? []
      : companions
          .filter((name) => name in sent)
          .map((name) => errorAt([name], `goes with ${owner}, not with ${kind}`)),
  );
}

function lintCounts({ exactly, atLeast, atMost, never }: ExpectationFields): Diagnostic[] {
  const given = Object.entries({ exactly, atLeast, atMost, never }).filter(([, value]) => value !== undefined);
  const isAlone = given.length > 1 && (exactly !== undefined || never !== undefined);
  if (isAlone) return [errorAt([given[1]?.[0] ?? ''], `contradicts ${given[0]?.[0]}: keep one of them`)];
  if ((atLeast ?? 0) <= (atMost ?? Number.POSITIVE_INFINITY)) return [];
  return [errorAt(['atMost'], `must not be less than atLeast, ${atLeast}`)];
}

function lintState({ state }: ExpectationFields): Diagnostic[] {
  if (state === undefined) return [];
  const { contact, count, ...others } = state;
  const about = Object.keys(others).filter((name) => name !== 'contactType');
  if (contact === undefined) {
    if (about.length > 0) return [errorAt(['state'], `must name a contact, since ${about.join(', ')} are about one`)];
    return count === undefined ? [errorAt(['state'], 'must have a contact or count')] : [];
  }
  return about.length > 0 ? [] : [errorAt(['state'], 'must say what is expected of the contact, as {"exists": true}')];
}

const servedGets = endpoints
  .filter(({ method }) => method === 'GET')
  .flatMap(({ path, aliases = [] }) => [path].concat(aliases))
  .map(compilePathTemplate);

/** Reports what is wrong with the tests of values that a state holds. */
function lintMatchersOfState({ state = {} }: ExpectationFields): Diagnostic[] {
  const { contact: _contact, contactType: _type, exists: _exists, fields: expected, ...others } = state;
  const tooMany = lintPatternCount(state);
  if (tooMany.length > 0) return tooMany;
  return [...lintExpectedFields(expected).map(under('fields')), ...lintValueMatcher(others, false)];
}

function lintGet({ get }: ExpectationFields): Diagnostic[] {
  // A placeholder is only filled in when the script is played.
  if (get === undefined || get.startsWith('${')) return [];
  const [path = ''] = get.split('?');
  if (servedGets.some((fits) => fits(path))) return [];
  return [errorAt(['get'], 'must be a path that the service serves GET requests on, as /api/v3/contacts/count')];
}

/** Reports what no schema finds wrong with an expectation. */
export function lintExpectation(sent: ExpectationFields): Diagnostic[] {
  return [
    ...lintKinds(sent),
    ...lintCounts(sent),
    ...lintState(sent),
    ...lintGet(sent),
    ...lintExpectedFields(sent.body).map(under('body')),
    ...lintMatchersOfState(sent).map(under('state')),
  ];
}

export const expectationFields = { description: text.optional().describe('Text for the report'), ...fields };

export const expectationSchema = objectOf(expectationFields)
  .superRefine((sent, context) => {
    for (const { path, message } of lintExpectation(sent))
      context.addIssue({ code: 'custom', path: [...path], message });
  })
  .meta({ id: 'Expectation' });

/** Holds an expectation as it was written. */
export type Expectation = z.output<typeof expectationSchema>;

/** Holds an expectation as test code writes it. */
export type ExpectationInput = z.input<typeof expectationSchema>;

export const expectationListSchema = arrayOf(expectationSchema);

/** Limits what a file or a call expects: thousands of expectations keep all others waiting. */
export const limitedExpectationListSchema = expectationListSchema.max(...upTo(1000, 'expectations'));
