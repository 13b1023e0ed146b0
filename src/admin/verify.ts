import * as z from '../core/validation/deferred-zod.ts';
import { monotonicNow, sleepFor } from '../core/time/clock.ts';
import { apiResponse, textResponse } from '../core/exchange/endpoint.ts';
import { redact } from '../core/exchange/redact.ts';
import type { ApiResponse } from '../core/exchange/endpoint.ts';
import type { TenantRegistry } from '../core/tenant/registry.ts';
import { finishInTurns, forEachInSteps } from '../core/time/steps.ts';
import type { Steps } from '../core/time/steps.ts';
import { captureTenant } from '../core/tenant/past-tenant.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { objectOf, text } from '../core/validation/field-types.ts';
import {
  expectationFields,
  limitedExpectationListSchema,
  lintExpectation,
} from '../scenario/expectations/expectation-schema.ts';
import type { Expectation } from '../scenario/expectations/expectation-schema.ts';
import { toFieldError, validateFieldNames } from '../core/validation/schema-diagnostics.ts';
import { readWarningCodes, warningCodeList } from '../service/warnings.ts';
import { judgeInSteps, judgeScenarioInSteps, judgeWithRules } from '../verdict/judge.ts';
import type { JudgeScenarioOptions } from '../verdict/judge.ts';
import { formatVerdict } from '../verdict/report/text.ts';
import { verdictSchema } from '../verdict/verdict.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { OperationJson } from '../verdict/verdict-json.ts';
import { adminEndpoint, tenantParameter } from './input/admin-context.ts';
import type { AdminContext } from './input/admin-context.ts';
import { findTenantByName } from './tenants.ts';
import { waitField, literalTrue } from './input/field-formats.ts';
import { followTenant, limitWaiters, waitForSignal } from './input/long-poll.ts';

export type { Verdict } from '../verdict/verdict.ts';
export type { OperationJson } from '../verdict/verdict-json.ts';

const tag = 'Control: verdict';

const verdictQuery = z.object({
  ...tenantParameter,
  clientEnded: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .optional()
    .describe('true: the client has ended, so that it does not still wait for its next attempt'),
  failOnWarnings: text
    .transform((sent) => readWarningCodes([sent]))
    .pipe(warningCodeList)
    .optional()
    .describe('Codes of warnings that fail the verdict, with commas between, or all'),
  reference: z
    .string()
    .optional()
    .describe('The tenant in which the same work was done without faults: its state is what is expected'),
  operations: z
    .enum(['all', 'notable'], { error: 'must be all or notable' })
    .optional()
    .describe('notable: leaves out operations of one attempt without findings (default: all)'),
  as: z
    .enum(['json', 'text'], { error: 'must be json or text' })
    .optional()
    .describe('text: the lines that loyalty-sim verify prints, without personal numbers and keys (default: json)'),
});

type VerdictQuery = z.output<typeof verdictQuery>;

/** Says how the scenario is judged. */
const optionsOf = (
  { clientEnded, failOnWarnings, reference }: VerdictQuery,
  tenants: TenantRegistry,
): JudgeScenarioOptions => ({
  reference: reference === undefined ? undefined : findTenantByName({ tenants }, reference),
  clientEnded: clientEnded === 'true',
  failOnWarnings,
});

/** Returns a verdict as the query asks for it. */
const respondWith = (judged: Verdict, query: VerdictQuery): Promise<ApiResponse> =>
  finishInTurns(responseInSteps(selectOperations(judged, query), query));

const selectOperations = (verdict: Verdict, { operations: wanted }: VerdictQuery): Verdict =>
  wanted === 'notable' ? { ...verdict, operations: verdict.operations.filter(isNotable) } : verdict;

const isNotable = ({ attempts, findings }: OperationJson): boolean => attempts.length > 1 || findings.length > 0;

function* responseInSteps(verdict: Verdict, { as }: VerdictQuery): Steps<ApiResponse> {
  if (as !== 'text') return apiResponse(200, verdict);
  const lines: string[] = [];
  yield* forEachInSteps(formatVerdict(verdict), (line) => void lines.push(`${redact(line)}\n`));
  return textResponse(200, lines.join(''));
}

const verifyQuery = verdictQuery.extend({
  clientEnded: verdictQuery.shape.clientEnded.describe(
    'true: the client has ended; with expectations its retries and the active rules are judged as well',
  ),
  wait: waitField
    .optional()
    .describe('Responds when everything is as expected, or after this much real time: 5s, at most 60s'),
});

const several = {
  expectations: limitedExpectationListSchema.optional().describe('Several expectations at once'),
  everyRuleFired: literalTrue.optional().describe('With expectations: judges the active rules as well'),
};

const verifyBody = objectOf({ ...expectationFields, ...several }).superRefine((sent, context) => {
  const { expectations, everyRuleFired: _everyRuleFired, ...single } = sent;
  const names = Object.keys(single);
  if (names.length === 0) return;
  if (expectations === undefined) {
    for (const { path, message } of lintExpectation(single))
      context.addIssue({ code: 'custom', path: [...path], message });
    return;
  }
  const message = `can't be combined with ${names.join(', ')}: put that into the list as well`;
  context.addIssue({ code: 'custom', path: ['expectations'], message });
});

type VerifyBody = z.output<typeof verifyBody> | undefined;

interface RequestedVerdict {
  readonly sent: VerifyBody;
  readonly options: JudgeScenarioOptions;
}

/** Judges the expectations that were sent, or those of the scenario if none were. */
function* judgeRequested(present: Tenant, { sent, options }: RequestedVerdict): Steps<Verdict> {
  const tenant = captureTenant(present);
  if (sent === undefined || Object.keys(sent).length === 0) return yield* judgeScenarioInSteps(tenant, options);
  const { expectations, everyRuleFired, ...single } = sent;
  const alone: readonly Expectation[] = Object.keys(single).length > 0 ? [single] : [];
  const requested = expectations ?? alone;
  return yield* everyRuleFired ? judgeWithRules(tenant, requested, options) : judgeInSteps(tenant, requested, options);
}

/** Checks the state again after so many ms without a request. */
const longestPause = 200;

/** Pauses so many times longer than a judgement took: of a large journal each takes long, and others have the rest. */
const pausePerJudgement = 4;

async function pollVerdict(
  { tenant, signal }: AdminContext,
  requested: RequestedVerdict,
  patience: number,
): Promise<Verdict> {
  const end = monotonicNow() + patience;
  for (;;) {
    const begun = monotonicNow();
    const verdict = await finishInTurns(judgeRequested(tenant, requested));
    const now = monotonicNow();
    const left = end - now;
    if (verdict.verdict === 'PASS' || left <= 0 || signal.aborted) return verdict;
    const rest = (now - begun) * pausePerJudgement;
    await Promise.all([nextRequest(tenant, Math.min(left, longestPause)), sleepFor(Math.min(left, rest))]);
  }
}

const verifyWithin = (context: AdminContext, requested: RequestedVerdict, wait: number | undefined): Promise<Verdict> =>
  followTenant(context, { wait }, (now, { wait: patience }) =>
    patience === undefined
      ? finishInTurns(judgeRequested(now.tenant, requested))
      : limitWaiters(now.tenant, () => pollVerdict(now, requested, patience)),
  );

const nextRequest = ({ journal }: Tenant, milliseconds: number): Promise<void> =>
  waitForSignal({ subscribe: (end) => journal.onCompleted(end), milliseconds });

export const verifyEndpoints = [
  adminEndpoint({
    id: 'getVerdict',
    method: 'GET',
    path: '/__admin/verdict',
    tag,
    summary: 'Judges the requests and their effects by the active scenario, and whether all its rules fired',
    query: verdictQuery,
    responses: { 200: verdictSchema },
    hasText: true,
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: async ({ tenant, tenants }, { query }: { query: VerdictQuery }) =>
      respondWith(
        await finishInTurns(judgeRequested(tenant, { sent: undefined, options: optionsOf(query, tenants) })),
        query,
      ),
  }),
  adminEndpoint({
    id: 'verify',
    method: 'POST',
    path: '/__admin/verify',
    tag,
    summary: 'Judges requests and state by these expectations alone, or by the active scenario if none are sent',
    query: verifyQuery,
    body: verifyBody,
    bodyRules: { optional: true, extraErrors: (_, sent) => validateFieldNames(verifyBody, sent).map(toFieldError) },
    responses: { 200: verdictSchema },
    hasText: true,
    retry: 'safe',
    examples: [
      { body: { request: { endpoint: 'createReceipt' }, never: true }, status: 200 },
      { body: { expectations: [{ state: { contact: 'astrid.lindqvist@example.com', receipts: 3 } }] }, status: 200 },
    ],
    handle: async (context, { query, body }: { query: z.output<typeof verifyQuery>; body: VerifyBody }) =>
      respondWith(
        await verifyWithin(context, { sent: body, options: optionsOf(query, context.tenants) }, query.wait),
        query,
      ),
  }),
];
