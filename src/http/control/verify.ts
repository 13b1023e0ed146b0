import * as z from 'zod';
import { monotonic } from '../../core/clock.ts';
import { answer } from '../../core/endpoint.ts';
import type { Tenant } from '../../core/tenant.ts';
import { record } from '../../resources/formats.ts';
import { expectationFields, expectationListSchema, expectationProblems } from '../../scenario/expectation-schema.ts';
import type { Expectation } from '../../scenario/expectation-schema.ts';
import { fieldErrorOf, unknownFindings } from '../../scenario/findings.ts';
import { judge, judgeScenario } from '../../verdict/judge.ts';
import { verdictSchema } from '../../verdict/verdict.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import { controlEndpoint, tenantParameter, tenantQuery } from './control.ts';
import type { Control } from './control.ts';
import { wait } from './formats.ts';

const tag = 'Control: verdict';

const verifyQuery = z.object({
  ...tenantParameter,
  wait: wait.optional().describe('Answers when all is as expected, or after this much real time: 5s, at most 60s'),
});

const several = { expectations: expectationListSchema.optional().describe('Several expectations at once') };

const verifyBody = record({ ...expectationFields, ...several }).superRefine((sent, context) => {
  const { expectations, ...single } = sent;
  if (Object.keys(sent).length === 0) return;
  const isBoth = expectations !== undefined && Object.keys(single).length > 0;
  const told = isBoth ? `can't stand beside ${Object.keys(single).join(', ')}: put that into the list as well` : '';
  if (isBoth) context.addIssue({ code: 'custom', path: ['expectations'], message: told });
  if (expectations !== undefined) return;
  for (const [path, message] of expectationProblems(single)) context.addIssue({ code: 'custom', path, message });
});

type VerifyBody = z.output<typeof verifyBody> | undefined;

/** What was sent, or the scenario's own when nothing was. */
function verdictOn(tenant: Tenant, sent: VerifyBody): Verdict {
  if (sent === undefined || Object.keys(sent).length === 0) return judgeScenario(tenant);
  const { expectations, ...single } = sent;
  return judge(tenant, expectations ?? [single satisfies Expectation]);
}

/** How long it is waited for the next call before the state is looked at again, in ms. */
const longestPause = 200;

async function verify({ tenant, signal }: Control, sent: VerifyBody, patience = 0): Promise<Verdict> {
  const end = monotonic() + patience;
  for (;;) {
    const verdict = verdictOn(tenant, sent);
    const left = end - monotonic();
    if (verdict.verdict === 'PASS' || left <= 0 || signal.aborted) return verdict;
    await nextCall(tenant, Math.min(left, longestPause));
  }
}

function nextCall({ journal }: Tenant, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      stopListening();
      clearTimeout(timer);
      // Calls that come in together are looked at together.
      setImmediate(resolve);
    };
    const stopListening = journal.listen(end);
    const timer = setTimeout(end, milliseconds);
  });
}

export const verifyEndpoints = [
  controlEndpoint({
    id: 'getVerdict',
    method: 'GET',
    path: '/__admin/verdict',
    tag,
    summary: 'Whether the calls and what they led to are as the active scenario expects, and all its rules fired',
    query: tenantQuery,
    answers: { 200: verdictSchema },
    retry: 'read',
    examples: [{ status: 200 }],
    handle: ({ tenant }) => answer(200, judgeScenario(tenant)),
  }),
  controlEndpoint({
    id: 'verify',
    method: 'POST',
    path: '/__admin/verify',
    tag,
    summary: 'Holds calls and state against an expectation, against several, or against the active scenario',
    query: verifyQuery,
    body: verifyBody,
    bodyRules: { optional: true, alsoWrong: (_, sent) => unknownFindings(verifyBody, sent).map(fieldErrorOf) },
    answers: { 200: verdictSchema },
    retry: 'read',
    examples: [
      { body: { call: { endpoint: 'createReceipt' }, never: true }, status: 200 },
      { body: { expectations: [{ state: { contact: 'astrid.lindqvist@example.com', receipts: 3 } }] }, status: 200 },
    ],
    handle: async (control, { query, body }: { query: z.output<typeof verifyQuery>; body: VerifyBody }) =>
      answer(200, await verify(control, body, query.wait)),
  }),
];
