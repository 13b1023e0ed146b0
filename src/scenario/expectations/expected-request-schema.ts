/** Defines which requests an expectation means: as the match of a rule does, and by the response that was delivered. */
import { errorAt } from '../../core/validation/diagnostic.ts';
import * as z from '../../core/validation/deferred-zod.ts';
import { arrayOf, integer, objectOf, upTo } from '../../core/validation/field-types.ts';
import { lintMatch } from '../lint/match-diagnostics.ts';
import { isValueMatcherSpec } from '../../matching/value-matcher-spec.ts';
import { matchFields } from '../../matching/match-schema.ts';
import { isSecretName } from '../../core/exchange/redaction.ts';

const statusForms = 'must be a status such as 200, a class such as 5xx, none for no response, or a list of these';
const status = z.union(
  [
    integer.min(100, { error: statusForms }).max(599, { error: statusForms }),
    z.enum(['none', '1xx', '2xx', '3xx', '4xx', '5xx']),
  ],
  {
    error: statusForms,
  },
);

/** Accepts a status, a class of them, none for no response, or a list of these. */
export const expectedStatusSchema = z.union(
  [
    status,
    arrayOf(status)
      .min(1, { error: 'must not be empty' })
      .max(...upTo(100, 'statuses')),
  ],
  { error: statusForms },
);

const { tenant: _tenant, ...matched } = matchFields;

const fields = {
  ...matched,
  status: expectedStatusSchema
    .optional()
    .describe('Status that the client received: 200, 5xx, none, or a list of these'),
  delivered: z
    .enum(['complete', 'partial', 'none'], { error: 'must be one of complete, partial, none' })
    .optional()
    .describe('Says how much of the response the client received'),
  by: z
    .enum(['client', 'script'], { error: 'must be client or script' })
    .optional()
    .describe('Sender: a step of the script, or any other client'),
};

export const expectedRequestSchema = objectOf(fields)
  .superRefine((call, context) => {
    for (const { path, message } of [
      ...lintMatch(call),
      ...lintSecretValues('headers', call.headers),
      ...lintSecretValues('query', call.query),
    ]) {
      context.addIssue({ code: 'custom', path: [...path], message });
    }
  })
  .meta({ id: 'ExpectedRequest' });

/** Reports tests of the value of a key: the journal keeps only that it was there. */
function lintSecretValues(part: 'headers' | 'query', wantedByName: Readonly<Record<string, unknown>> = {}) {
  return Object.entries(wantedByName)
    .filter(([name, wanted]) => isSecretName(name) && !isAboutExistence(wanted))
    .map(([name]) => errorAt([part, name], 'is not kept: only {"exists": true} can match it'));
}

const isAboutExistence = (wanted: unknown): boolean =>
  isValueMatcherSpec(wanted) && Object.keys(wanted).join() === 'exists';

/** Describes requests of one kind. */
export type ExpectedRequest = z.output<typeof expectedRequestSchema>;
