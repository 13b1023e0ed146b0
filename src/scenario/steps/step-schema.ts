/** Defines the steps of a script: requests, control of the simulator, and what is expected of them. */
import * as z from '../../core/validation/deferred-zod.ts';
import { errorAt, under } from '../../core/validation/diagnostic.ts';
import type { Diagnostic } from '../../core/validation/diagnostic.ts';
import { parseTimestamp } from '../../core/time/clock.ts';
import { durationForms, parseDuration } from '../../core/lib/duration.ts';
import { resetScopes } from '../../core/tenant/reset-scopes.ts';
import {
  integer,
  arrayOf,
  looseObjectOf,
  objectOf,
  recordOf,
  requiredText,
  text,
  upTo,
} from '../../core/validation/field-types.ts';
import { triggerEvents } from '../../service/trigger-names.ts';
import { lintRule } from '../lint/rule-diagnostics.ts';
import { expectedRequestSchema, expectedStatusSchema } from '../expectations/expected-request-schema.ts';
import { expectationSchema } from '../expectations/expectation-schema.ts';
import { compileJsonPath } from '../../matching/json-path.ts';
import { lintHeaderNames, lintHeaderValues } from '../lint/header-diagnostics.ts';
import { getField, isObject } from '../../core/validation/lenient-parse.ts';
import { lintPatternCount, lintValueMatcher } from '../lint/match-diagnostics.ts';
import { predefinedNames, namePattern, findPlaceholders } from './placeholders.ts';
import { realDurationSchema } from '../../core/validation/duration-schema.ts';
import { ruleSchema } from '../../faults/rule-schema.ts';
import { lintExpectedFields } from '../lint/expected-fields.ts';

const yes = z.literal(true, { error: 'must be true' }).optional();

/** Accepts a text that is valid, or holds a placeholder: its value is only known when it is played. */
const textOrPlaceholder = (isRight: (sent: string) => boolean, error: string) =>
  text.refine((sent) => sent.includes('${') || isRight(sent), { error });

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
const shortForm = new RegExp(`^(?:${methods.join('|')}) (?:/|\\$\\{)\\S*$`);
const pathForm = 'must be a path after the base URL of the tenant, as /api/v3/receipts';

const requestSchema = z.union(
  [
    text.regex(shortForm, { error: 'must be a method and a path, as GET /api/v3/contacts/count' }),
    objectOf({
      method: z
        .enum(methods, { error: `must be one of ${methods.join(', ')}` })
        .default('GET')
        .describe('Method of the request (default: GET)'),
      path: textOrPlaceholder((sent) => sent.startsWith('/'), pathForm).describe(
        'Path after the base URL of the tenant: /api/v3/receipts',
      ),
      query: recordOf(z.union([text, z.number(), z.boolean()]))
        .optional()
        .describe('Query parameters by name'),
      headers: recordOf(text).optional().describe('Headers by name, in addition to those of every request'),
      body: z.unknown().optional().describe('Body: a text is sent unchanged, any other value as JSON'),
    }),
  ],
  { error: 'must be a method and a path, as GET /api/v3/contacts/count, or an object with method, path and body' },
);

/** Lists how a caller of fetch can be left without a complete response. */
const networkErrors = ['any', 'reset', 'closed', 'truncated', 'invalid', 'timeout', 'ECONNRESET'] as const;

const expectedResponseSchema = objectOf({
  status: expectedStatusSchema
    .optional()
    .describe('Expected status: 200, 5xx, or a list of these (default: any below 400)'),
  headers: z.record(z.string(), z.unknown()).optional().describe('Expected headers by name, each a value or a test'),
  body: z.unknown().optional().describe('Expected body: the value, or fields by JSON path'),
  networkError: z
    .enum(networkErrors, { error: `must be one of ${networkErrors.join(', ')}` })
    .optional()
    .describe(
      'No complete response: reset and closed before the status, truncated after it, invalid is not HTTP, timeout is none within `within`',
    ),
  within: realDurationSchema.optional().describe('Longest time until the response is complete: 2s (default: 30s)'),
});

const clockSchema = objectOf({
  advance: textOrPlaceholder((sent) => parseDuration(sent) !== undefined, `must be ${durationForms}`)
    .optional()
    .describe('Advances the clock: 15m, 30d'),
  set: textOrPlaceholder(
    (sent) => parseTimestamp(sent) !== undefined,
    'must be a timestamp, as 2026-03-01T10:00:00+01:00',
  )
    .optional()
    .describe('Sets the clock to this timestamp'),
  freeze: yes.describe('Freezes the clock'),
  resume: yes.describe('Lets the clock run again'),
});

const queueSchema = objectOf({
  hold: yes.describe('Holds all jobs'),
  release: yes.describe('Releases held jobs'),
  step: z
    .union([z.literal(true), integer.min(1, { error: 'must be at least 1' })], {
      error: 'must be true, or a number of jobs',
    })
    .optional()
    .describe('Executes the next job now, or that many'),
  drain: yes.describe('Executes all jobs now'),
  fail: z
    .union([z.literal(true), requiredText], { error: 'must be true, or the id of a job' })
    .optional()
    .describe('Lets the next job fail, or the one with this id'),
});

const captureSchema = z.record(
  z
    .string()
    .regex(namePattern, { error: 'must be a name of letters, digits and _' })
    .refine((name) => !predefinedNames.some((given) => given === name), {
      error: `can't be one of ${predefinedNames.join(', ')}`,
    }),
  requiredText.refine((path) => compileJsonPath(path) !== undefined, {
    error: 'must be a path, as id, items[0].sku, or $ for all of it',
  }),
);

const fields = {
  request: requestSchema.optional().describe('Sends a request: "GET /api/v3/contacts/count", or method, path, body'),
  expect: expectedResponseSchema.optional().describe('Expected response to request'),
  capture: captureSchema
    .optional()
    .describe('Stores values of the response under names, by JSON path: {"contactId": "id"}'),
  clock: clockSchema.optional().describe('Controls the clock: {"advance": "30d"}'),
  trigger: looseObjectOf({ event: z.enum(triggerEvents).describe('Name of the event, as adjustPoints') })
    .optional()
    .describe('Triggers an event inside the service, as POST /__admin/trigger does'),
  file: objectOf({
    name: requiredText.describe('Name of the file, as 20260301120000_1_transactions.xml'),
    content: text.describe('Text of the file'),
  })
    .optional()
    .describe('Puts a file of receipts into the import folder, as POST /__admin/imports does'),
  fault: ruleSchema.optional().describe('Adds a fault rule in front of all others'),
  clearFaults: z
    .union([z.literal(true), requiredText], { error: 'must be true, or the id of a rule' })
    .optional()
    .describe('Removes the rules that steps added, or one of them'),
  queue: queueSchema.optional().describe('Controls the queue: {"hold": true}'),
  waitFor: objectOf({
    request: expectedRequestSchema.describe('Requests to wait for'),
    atLeast: integer
      .min(1, { error: 'must be at least 1' })
      .default(1)
      .describe('Waits for this many requests (default: 1)'),
    within: realDurationSchema.default(30_000).describe('Longest wait (default: 30s)'),
  })
    .optional()
    .describe('Waits for requests of the system under test'),
  check: expectationSchema.optional().describe('Checks an expectation now'),
  note: requiredText.optional().describe('Prints a text'),
  reset: z
    .union(
      [
        z.literal(true),
        arrayOf(z.enum(resetScopes))
          .min(1, { error: 'must not be empty' })
          .max(...upTo(100, 'scopes')),
      ],
      {
        error: `must be true, or a list of ${resetScopes.join(', ')}`,
      },
    )
    .optional()
    .describe('Resets the tenant, or the scopes named'),
  snapshot: requiredText.optional().describe('Stores the state under this name'),
  restore: requiredText.optional().describe('Restores the state stored under this name'),
};

/** Lists the fields that go with a kind of step. */
const companions: Readonly<Record<string, readonly string[]>> = { request: ['expect', 'capture'] };
const extra = new Set(Object.values(companions).flat());
export const stepKinds = Object.keys(fields).filter((name) => !extra.has(name));

/** Reports what is wrong with the expected response. */
function lintExpectedResponse(expected: unknown): Diagnostic[] {
  const tooMany = lintPatternCount(expected);
  if (tooMany.length > 0) return tooMany;
  const headers = Object.entries(getField(expected, 'headers') ?? {}).flatMap(([name, wanted]) =>
    lintValueMatcher(wanted, true).map(under('headers', name)),
  );
  return [...headers, ...lintExpectedFields(getField(expected, 'body')).map(under('body'))];
}

/** Reports headers that can't be sent; a value with a placeholder is checked when it is filled in. */
function lintRequestHeaders(request: unknown): Diagnostic[] {
  const headers = getField(request, 'headers');
  if (!isObject(headers)) return [];
  const known = Object.fromEntries(Object.entries(headers).filter(([, value]) => findPlaceholders(value).length === 0));
  return [...lintHeaderNames(headers), ...lintHeaderValues(known)].map(under('headers'));
}

/** Reports what is wrong with a rule that has no placeholders. */
const lintStepRule = (rule: unknown): Diagnostic[] =>
  rule === undefined || findPlaceholders(rule).length > 0 ? [] : lintRule(rule);

function lintStep(sent: Readonly<Record<string, unknown>>): Diagnostic[] {
  const given = stepKinds.filter((kind) => sent[kind] !== undefined);
  const got = given.length === 0 ? '' : `; ${given.join(' and ')} are two steps`;
  const orphans = Object.entries(companions).flatMap(([owner, names]) =>
    sent[owner] === undefined
      ? names.filter((name) => sent[name] !== undefined).map((name) => errorAt([name], `goes with ${owner}`))
      : [],
  );
  const crowded = ['clock', 'queue'].filter(
    (name) => Object.keys((sent[name] as object | undefined) ?? { one: true }).length !== 1,
  );
  return [
    ...(given.length === 1 ? [] : [errorAt([], `must do one of ${stepKinds.join(', ')}${got}`)]),
    ...orphans,
    ...lintRequestHeaders(sent['request']).map(under('request')),
    ...lintExpectedResponse(sent['expect']).map(under('expect')),
    ...lintStepRule(sent['fault']).map(under('fault')),
    ...crowded.map((name) => errorAt([name], 'must have exactly one field')),
  ];
}

export const stepSchema = objectOf({
  name: requiredText.optional().describe('Name in the output and in reports'),
  ...fields,
})
  .superRefine((sent, context) => {
    for (const { path, message } of lintStep(sent)) context.addIssue({ code: 'custom', path: [...path], message });
  })
  .meta({ id: 'Step' });

export const stepListSchema = arrayOf(stepSchema);

export type Step = z.output<typeof stepSchema>;
