/** Judges what a client did, and explains what was found. */
import * as z from '../../../core/validation/deferred-zod.ts';
import { formatBasis, formatTimeline } from '../../../format/timeline.ts';
import { formatVerdict } from '../../../verdict/report/text.ts';
import { verdictSchema } from '../../../verdict/verdict.ts';
import type { Verdict } from '../../../verdict/verdict.ts';
import { sectionOfRule } from '../docs.ts';
import { formatNoted, serializeNoted } from '../judged-verdicts.ts';
import type { NotedFinding } from '../judged-verdicts.ts';
import { anyObject, defineTool, targetFields } from '../tool.ts';

/** Limits the operations that are shown of a verdict. */
const maxOperations = 5;

/** Returns lines for a verdict, and its findings with the ids by which they are explained. */
export const formatJudged = (verdict: Verdict, findings: readonly NotedFinding[]): string[] => [
  ...formatVerdict(verdict, { most: maxOperations }).map((line) =>
    line.replace('--report html=verdict.html', 'the list of findings'),
  ),
  ...formatNoted(findings),
  ...(findings.some(({ level }) => level !== 'note') ? ['explain_finding explains one by its id'] : []),
];

/** Returns a verdict as data; operations are counted, and those with findings stand in explain_finding. */
export const serializeJudged = (
  { verdict, reason, checks, rules, operations, warnings, requests, evicted }: Verdict,
  findings: readonly NotedFinding[],
) => ({
  verdict,
  reason,
  findings: findings.map(serializeNoted),
  checks,
  rules,
  warnings,
  operations: operations.length,
  requests,
  evicted,
});

const getVerdict = defineTool({
  name: 'get_verdict',
  title: 'Judge the client',
  description:
    'Judges how the client of a running simulator behaved: PASS, FAIL (the journal proves that it broke a rule) or INCONCLUSIVE (a planned fault never fired, or no request came). Each finding names the rule, what happened, and the advice that says what to change in the client.',
  input: z.strictObject({
    ...targetFields,
    clientEnded: z
      .boolean()
      .optional()
      .describe('true: the client has ended, so that it does not still wait for its next attempt (default: false)'),
    reference: z
      .string()
      .optional()
      .describe('Tenant in which the same work was done without faults: its state is what is expected'),
    failOnWarnings: z.array(z.string()).optional().describe('Codes of warnings that fail the verdict, or all'),
  }),
  effect: 'read',
  run: async ({ clientEnded, reference, failOnWarnings, ...target }, { simulators, verdicts }) => {
    const call = simulators.callerOf(target);
    const query = {
      clientEnded: clientEnded === undefined ? undefined : String(clientEnded),
      reference,
      failOnWarnings: failOnWarnings?.join(','),
    };
    const verdict = await call('/verdict', { query, responseSchema: verdictSchema });
    const active = await call('/scenario', { responseSchema: z.looseObject({ scenario: anyObject }) });
    const { policy = {} } = active.scenario;
    const findings = verdicts.note([verdict]);
    const held = Object.keys(policy as object).length === 0 ? 'none declared' : JSON.stringify(policy);
    return {
      lines: [...formatJudged(verdict, findings), `policy: ${held}`],
      data: { ...serializeJudged(verdict, findings), policy },
    };
  },
});

/** Limits the operations that a finding is explained by. */
const maxExplained = 3;

const explainFinding = defineTool({
  name: 'explain_finding',
  title: 'Explain a finding',
  description:
    'Explains a finding by its id: what the rule rests on, what happened (each attempt of the operation in time, with what the client got and what the service did), what to change, and what the documentation says of the rule.',
  input: z.strictObject({
    finding: z
      .string()
      .min(1)
      .describe('Id such as v1/2, as get_verdict, run_client, explore_client and check_conformance return it'),
  }),
  effect: 'read',
  run: async ({ finding: id }, { verdicts }) => {
    const finding = verdicts.find(id);
    const { rule, title, level, message, advice, basis, operations, faults = [], scenario } = finding;
    const documentation = sectionOfRule(rule);
    const shown = operations.slice(0, maxExplained);
    const lines = [
      `${rule}: ${title} (${level})`,
      `What happened: ${message}`,
      ...(basis ? [`Why it is wrong: ${formatBasis(basis)}`] : []),
      `What to change: ${advice}`,
      ...faults.map((fault) => `Fault: ${fault}`),
      ...(shown.length > 0 ? ['', 'The attempts in time:', ...shown.flatMap(formatTimeline)] : []),
      ...(operations.length > shown.length ? [`… and ${operations.length - shown.length} more operations`] : []),
      ...(scenario === undefined ? [] : ['', 'A scenario that shows it, for run_client:', scenario.trimEnd()]),
      ...(documentation.length > 0 ? ['', 'From the documentation:', ...documentation] : []),
    ];
    return {
      lines,
      data: {
        ...serializeNoted(finding),
        basis: basis ?? null,
        faults,
        attempts: shown.map(({ requestLine, key, attempts }) => ({ requestLine, key, attempts })),
        ...(scenario !== undefined && { scenario }),
      },
    };
  },
});

export const verdictTools = [getVerdict, explainFinding];
