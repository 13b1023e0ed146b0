import * as z from 'zod';
import { monotonic } from '../../core/clock.ts';
import { answer } from '../../core/endpoint.ts';
import type { Tenant } from '../../core/tenant.ts';
import { record } from '../../resources/formats.ts';
import { expectationFields, expectationListSchema, expectationProblems } from '../../scenario/expectation-schema.ts';
import type { Expectation } from '../../scenario/expectation-schema.ts';
import { fieldErrorOf, unknownFindings } from '../../scenario/findings.ts';
import { judge, judgeScenario, judgeWithRules } from '../../verdict/judge.ts';
import { verdictSchema } from '../../verdict/verdict.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import { controlEndpoint, tenantParameter, tenantQuery } from './control.ts';
import type { Control } from './control.ts';
import { wait, yes } from './formats.ts';
import { waitingFor } from './waiting.ts';

const tag = 'Control: verdict';

const verifyQuery = z.object({
  ...tenantParameter,
  wait: wait.optional().describe('Answers when all is as expected, or after this much real time: 5s, at most 60s'),
});

const several = {
  expectations: expectationListSchema.optional().describe('Several expectations at once'),
  everyRuleFired: yes.optional().describe('With expectations: the rules in force are judged too'),
};

const verifyBody = record({ ...expectationFields, ...several }).superRefine((sent, context) => {
  const { expectations, everyRuleFired: _everyRuleFired, ...single } = sent;
  const names = Object.keys(single);
  if (names.length === 0) return;
  if (expectations === undefined) {
    for (const [path, message] of expectationProblems(single))
      context.addIssue({ code: 'custom', path: [...path], message });
    return;
  }
  const message = `can't stand beside ${names.join(', ')}: put that into the list as well`;
  context.addIssue({ code: 'custom', path: ['expectations'], message });
});

type VerifyBody = z.output<typeof verifyBody> | undefined;

/** What was sent, or the scenario's own when nothing was. */
function verdictOn(tenant: Tenant, sent: VerifyBody): Verdict {
  if (sent === undefined || Object.keys(sent).length === 0) return judgeScenario(tenant);
  const { expectations, everyRuleFired, ...single } = sent;
  const alone: readonly Expectation[] = Object.keys(single).length > 0 ? [single] : [];
  const isJudgedBy = everyRuleFired ? judgeWithRules : judge;
  return isJudgedBy(tenant, expectations ?? alone);
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

const answerInTime = (control: Control, sent: VerifyBody, patience: number | undefined): Promise<Verdict> =>
  patience === undefined ? verify(control, sent) : waitingFor(control.tenant, () => verify(control, sent, patience));

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
      answer(200, await answerInTime(control, body, query.wait)),
  }),
];
