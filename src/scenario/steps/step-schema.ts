/** Steps of a script: what is sent and turned, one after the other, and what is to come of it. */
import * as z from 'zod';
import { errorAt, under } from '../../core/validation/diagnostic.ts';
import type { Diagnostic } from '../../core/validation/diagnostic.ts';
import { parseTimestamp } from '../../core/time/clock.ts';
import { durationForms, parseDuration } from '../../core/lib/duration.ts';
import { resetScopes } from '../../core/tenant/reset-scopes.ts';
import { integer, arrayOf, looseObjectOf, objectOf, requiredText, text } from '../../core/validation/field-types.ts';
import { triggerEvents } from '../../service/trigger-names.ts';
import { lintRule } from '../lint/rule-diagnostics.ts';
import { expectedRequestSchema, expectedStatusSchema } from '../expectations/expected-request-schema.ts';
import { expectationSchema } from '../expectations/expectation-schema.ts';
import { compileJsonPath } from '../../matching/json-path.ts';
import { lintHeaderNames, lintHeaderValues } from '../lint/header-diagnostics.ts';
import { getField, isObject } from '../../core/validation/lenient-parse.ts';
import { lintValueMatcher } from '../lint/match-diagnostics.ts';
import { predefinedNames, namePattern, findPlaceholders } from './placeholders.ts';
import { realDurationSchema } from '../../core/validation/duration-schema.ts';
import { ruleSchema } from '../../faults/rule-schema.ts';
import { lintExpectedFields } from '../lint/expected-fields.ts';

const yes = z.literal(true, { error: 'must be true' }).optional();

/** A text that may hold a placeholder: what it stands for is only known when it is played. */
const textOrPlaceholder = (isRight: (sent: string) => boolean, error: string) =>
  text.refine((sent) => sent.includes('${') || isRight(sent), { error });

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
const shortForm = new RegExp(`^(?:${methods.join('|')}) (?:/|\\$\\{)\\S*$`);
const pathForm = 'must be a path from the tenant’s base on, as /api/v3/receipts';

const requestSchema = z.union(
  [
    text.regex(shortForm, { error: 'must be a method and a path, as GET /api/v3/contacts/count' }),
    objectOf({
      method: z
        .enum(methods, { error: `must be one of ${methods.join(', ')}` })
        .default('GET')
        .describe('GET unless given'),
      path: textOrPlaceholder((sent) => sent.startsWith('/'), pathForm).describe(
        'From the tenant’s base on: /api/v3/receipts',
      ),
      query: z
        .record(z.string(), z.union([text, z.number(), z.boolean()]))
        .optional()
        .describe('Parameters of the query'),
      headers: z.record(z.string(), text).optional().describe('Beside those that every request has'),
      body: z.unknown().optional().describe('Sent as JSON; a text as it stands'),
    }),
  ],
  { error: 'must be a method and a path, as GET /api/v3/contacts/count, or an object with method, path and body' },
);

/** Ways in which a caller of fetch is left without a whole answer. */
const networkErrors = ['any', 'reset', 'closed', 'truncated', 'invalid', 'timeout', 'ECONNRESET'] as const;

const expectedResponseSchema = objectOf({
  status: expectedStatusSchema.optional().describe('200, 5xx, or a list of these; any below 400 unless given'),
  headers: z.record(z.string(), z.unknown()).optional().describe('By name in any case, each a value or a test of it'),
  body: z.unknown().optional().describe('The value, or fields by JSON path'),
  networkError: z
    .enum(networkErrors, { error: `must be one of ${networkErrors.join(', ')}` })
    .optional()
    .describe(
      'No complete response: reset and closed before the status, truncated after it, invalid is not HTTP, timeout is none within `within`',
    ),
  within: realDurationSchema.optional().describe('How long the whole answer may take: 2s; 30s unless given'),
});

const clockSchema = objectOf({
  advance: textOrPlaceholder((sent) => parseDuration(sent) !== undefined, `must be ${durationForms}`)
    .optional()
    .describe('By so much: 15m, 30d'),
  set: textOrPlaceholder(
    (sent) => parseTimestamp(sent) !== undefined,
    'must be a timestamp, as 2026-03-01T10:00:00+01:00',
  )
    .optional()
    .describe('To this timestamp'),
  freeze: yes.describe('It stands still from now on'),
  resume: yes.describe('It runs again'),
});

const queueSchema = objectOf({
  hold: yes.describe('Nothing is done until it is let go'),
  release: yes.describe('It is let go again'),
  step: z
    .union([z.literal(true), integer.min(1, { error: 'must be at least 1' })], {
      error: 'must be true, or how many jobs to do',
    })
    .optional()
    .describe('One job is done now, or so many'),
  drain: yes.describe('All of them are'),
  fail: z
    .union([z.literal(true), requiredText], { error: 'must be true, or the id of a job' })
    .optional()
    .describe('The next job fails, or the one named'),
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
  request: requestSchema
    .optional()
    .describe('Sent to the service: "GET /api/v3/contacts/count", or method, path, body'),
  expect: expectedResponseSchema.optional().describe('Of the answer to request'),
  capture: captureSchema.optional().describe('Names for values of the answer, by JSON path: {"contactId": "id"}'),
  clock: clockSchema.optional().describe('Turns the clock: {"advance": "30d"}'),
  trigger: looseObjectOf({ event: z.enum(triggerEvents).describe('What happens, as adjustPoints') })
    .optional()
    .describe('Lets something happen inside the service, as POST /__admin/trigger does'),
  fault: ruleSchema.optional().describe('A rule from now on, before all others'),
  clearFaults: z
    .union([z.literal(true), requiredText], { error: 'must be true, or the id of a rule' })
    .optional()
    .describe('Takes away the rules that steps added, or one of them'),
  queue: queueSchema.optional().describe('Steers the queue: {"hold": true}'),
  waitFor: objectOf({
    request: expectedRequestSchema.describe('Of this kind'),
    atLeast: integer.min(1, { error: 'must be at least 1' }).default(1).describe('So many; one unless given'),
    within: realDurationSchema.default(30_000).describe('For so long at the most; 30s unless given'),
  })
    .optional()
    .describe('Waits for calls of the system under test'),
  check: expectationSchema.optional().describe('An expectation that is to be met now'),
  note: requiredText.optional().describe('For whoever watches'),
  reset: z
    .union([z.literal(true), z.array(z.enum(resetScopes)).min(1)], {
      error: `must be true, or a list of ${resetScopes.join(', ')}`,
    })
    .optional()
    .describe('Back to the start: all of it, or the scopes named'),
  snapshot: requiredText.optional().describe('Keeps the state under this name'),
  restore: requiredText.optional().describe('Goes back to the state of this name'),
};

/** The fields that say what a step does, and those that go with each. */
const companions: Readonly<Record<string, readonly string[]>> = { request: ['expect', 'capture'] };
const extra = new Set(Object.values(companions).flat());
export const stepKinds = Object.keys(fields).filter((name) => !extra.has(name));

/** Reports what is wrong with the expected response. */
function lintExpectedResponse(expected: unknown): Diagnostic[] {
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

export const stepSchema = objectOf({ name: requiredText.optional().describe('What it is for'), ...fields })
  .superRefine((sent, context) => {
    for (const { path, message } of lintStep(sent)) context.addIssue({ code: 'custom', path: [...path], message });
  })
  .meta({ id: 'Step' });

export const stepListSchema = arrayOf(stepSchema);

export type Step = z.output<typeof stepSchema>;
