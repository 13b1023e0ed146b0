/** Judges a tenant: its expectations, its rules, its client and its point master. */
import { plural } from '../core/lib/plural.ts';
import { didYouMean } from '../core/lib/suggest.ts';
import { withIndexes } from '../core/time/index-in-steps.ts';
import { finish } from '../core/time/steps.ts';
import type { Steps } from '../core/time/steps.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { endpoints } from '../service/endpoints.ts';
import { resources } from '../service/resources.ts';
import type { Resource } from '../service/resource/resource.ts';
import type { Expectation } from '../scenario/expectations/expectation-schema.ts';
import { findUnservedPath } from '../scenario/lint/rule-warnings.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import {
  countBounds,
  describeBounds,
  checkCount,
  checkOrder,
  checkUnexpected,
  namedRequests,
} from './expectations/request-checks.ts';
import type { CheckResult } from './expectations/request-checks.ts';
import { describeExpectedRequest } from './expectations/matched-requests.ts';
import { collectEvidence } from './expectations/journal-evidence.ts';
import type { JournalEvidence } from './expectations/journal-evidence.ts';
import type { FindingLevel } from '../core/validation/finding.ts';
import { isPointFollower } from '../service/points/point-follower.ts';
import { auditPointMasterInSteps } from '../webhooks/audit/audit.ts';
import type { AuditFinding } from '../webhooks/audit/findings.ts';
import type { AuditReport } from '../webhooks/audit/report.ts';
import type { ActiveFaultRule } from '../faults/fault-rules.ts';
import type { RuleSpec } from '../faults/rule-schema.ts';
import { checkReference } from './state/reference.ts';
import type { OnlyClient } from './history/history.ts';
import { judgeRetries } from './retries.ts';
import { statusOfLevel, worstStatus } from './status.ts';
import type { VerdictStatus } from './status.ts';
import { checkWarnings, listedWarnings } from './warnings.ts';
import { serializeOperations } from './verdict-json.ts';
import type { OperationJson } from './verdict-json.ts';
import { checkGetResponse, checkState } from './expectations/state-checks.ts';
import { formatCheck } from './verdict.ts';
import type { Check, RuleCheck, Verdict } from './verdict.ts';

/** Judges these expectations alone, and what the options ask for besides. */
export const judge = (...judged: Parameters<typeof judgeInSteps>): Verdict => finish(judgeInSteps(...judged));

/** Does the same in steps, between which the tenants must stay as they are; so do the functions below. */
export function* judgeInSteps(
  tenant: Tenant,
  expectations: readonly Expectation[],
  options: Omit<JudgeScenarioOptions, 'expectations'> = {},
): Steps<Verdict> {
  const { clientEnded, reference, failOnWarnings } = options;
  // Only a verdict on the client has a use for how it ended.
  if (clientEnded) return yield* judgeScenarioInSteps(tenant, { ...options, expectations });
  const evidence = collectEvidence(tenant);
  const compared = referenceChecks(tenant, reference);
  const nothing = expectations.length + compared.length === 0 ? [inconclusive('no expectation was named')] : [];
  const checks = [
    ...nothing,
    ...(yield* checksOf(evidence, expectations)),
    ...compared,
    ...(failOnWarnings ? checkWarnings(tenant, yield* warningsIn(evidence), failOnWarnings) : []),
  ];
  return yield* assembleVerdict(evidence, { checks, rules: [], operations: [] });
}

export interface JudgeScenarioOptions {
  /** Says that the client has ended: it sends nothing more by itself (default: false). */
  readonly clientEnded?: boolean | undefined;
  /** Says that one client sent everything, and where it was started again (default: the journal shows it, or not). */
  readonly onlyClient?: OnlyClient | undefined;
  /** Lists the codes of warnings that fail the verdict (default: those that the simulator was started with). */
  readonly failOnWarnings?: readonly string[] | undefined;
  /** Holds the tenant in which the same work was done without faults. */
  readonly reference?: Tenant | undefined;
  /** Names the tenants that requests came to, for one that none came to (default: not known). */
  readonly calledTenants?: ReadonlySet<string> | undefined;
  /** Replaces the expectations of the scenario. */
  readonly expectations?: readonly Expectation[] | undefined;
}

/** Judges these expectations in place of the scenario's own, with its rules and the client's retries. */
export function* judgeWithRules(
  tenant: Tenant,
  expectations: readonly Expectation[],
  { clientEnded, reference, failOnWarnings }: JudgeScenarioOptions = {},
): Steps<Verdict> {
  const evidence = collectEvidence(tenant);
  const { policy, rules: active, webhooks, pointMaster: master, imports } = scenarioOf(tenant);
  const rules = [
    ...active.map(checkFaultRule),
    ...[...webhooks.rules, ...master.rules, ...imports.rules].map(checkRule),
  ];
  const compared = referenceChecks(tenant, reference);
  const judged = yield* judgeRetries(tenant, { endpoints, policy, hasClientEnded: clientEnded });
  const operations = yield* serializeOperations(tenant, judged);
  const checks = [
    ...(yield* checksOf(evidence, expectations)),
    ...compared,
    ...(yield* checkPointMaster(tenant, clientEnded)),
    ...(yield* checksOfResources(tenant)),
    ...checkWarnings(tenant, yield* warningsIn(evidence), failOnWarnings),
  ];
  return yield* assembleVerdict(evidence, { checks, rules, operations });
}

/** Judges a tenant's scenario: its expectations and rules, the client's retries and the point master. */
export const judgeScenario = (tenant: Tenant, options?: JudgeScenarioOptions): Verdict =>
  finish(judgeScenarioInSteps(tenant, options));

/** Does the same in steps. */
export function* judgeScenarioInSteps(tenant: Tenant, options: JudgeScenarioOptions = {}): Steps<Verdict> {
  const { clientEnded, onlyClient, reference, failOnWarnings, expectations: named } = options;
  const { spec, policy, rules: active, webhooks, pointMaster: master, imports } = scenarioOf(tenant);
  const evidence = collectEvidence(tenant);
  const rules = [
    ...active.map(checkFaultRule),
    ...[...webhooks.rules, ...master.rules, ...imports.rules].map(checkRule),
  ];
  const ofResources = yield* checksOfResources(tenant);
  const isNamed = named !== undefined && named.length > 0;
  if (evidence.size + evidence.evicted === 0 && ofResources.length === 0 && !isNamed) {
    const checks = [inconclusive(describeSilence(tenant, options)), ...(yield* checkPointMaster(tenant, clientEnded))];
    return yield* assembleVerdict(evidence, { checks, rules, operations: [] });
  }
  const compared = referenceChecks(tenant, reference);
  const judged = yield* judgeRetries(tenant, { endpoints, policy, hasClientEnded: clientEnded, onlyClient });
  const operations = yield* serializeOperations(tenant, judged);
  const dropped =
    evidence.evicted === 0
      ? []
      : [
          inconclusive(
            `the journal has dropped ${plural(evidence.evicted, 'request')}; give it more room with --journal-bytes (journalBytes)`,
          ),
        ];
  const checks = [
    ...(yield* checksOf(evidence, named ?? spec.expectations ?? [])),
    ...compared,
    ...(yield* checkPointMaster(tenant, clientEnded)),
    ...ofResources,
    ...dropped,
    ...checkWarnings(tenant, yield* warningsIn(evidence), failOnWarnings),
  ];
  return yield* assembleVerdict(evidence, { checks, rules, operations });
}

/** Says that no request arrived, and which tenant may have been meant when others were called. */
function describeSilence({ name }: Tenant, { calledTenants }: JudgeScenarioOptions): string {
  if (!calledTenants || calledTenants.size === 0) return 'no request arrived';
  if (calledTenants.has(name)) return 'all its requests were deleted';
  return `no request came to tenant "${name}"${didYouMean(name, calledTenants) || `; requests came to ${listNames(calledTenants)}`}`;
}

const maxNames = 5;

function listNames(names: ReadonlySet<string>): string {
  const more = names.size - maxNames;
  return `${[...names].slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const inconclusive = (reason: string): Check => ({
  description: 'there is something to judge',
  verdict: 'INCONCLUSIVE',
  reason,
  requests: [],
});

const referenceChecks = (tenant: Tenant, reference: Tenant | undefined): Check[] =>
  reference ? [checkReference(tenant, reference)] : [];

/** Judges what requests do not show, as the nouns of the service have it. */
function* checksOfResources(tenant: Tenant): Steps<Check[]> {
  const checks: Check[] = [];
  for (const { checks: judgeResource } of resources as readonly Resource[]) {
    if (!judgeResource) continue;
    for (const found of yield* judgeResource(tenant)) checks.push({ ...found, requests: [...found.requests] });
  }
  return checks;
}

function* checksOf(evidence: JournalEvidence, expectations: readonly Expectation[]): Steps<Check[]> {
  const checks: Check[] = [];
  for (const expectation of expectations) {
    checks.push({
      description: expectation.description ?? describeExpectation(expectation),
      ...(yield* withIndexes(() => check(evidence, expectation, expectations))),
    });
    yield;
  }
  return checks;
}

function check(evidence: JournalEvidence, expectation: Expectation, all: readonly Expectation[]): CheckResult {
  const { request, order, state, get } = expectation;
  if (request) return checkCount(evidence, request, countBounds(expectation));
  if (order) return checkOrder(evidence, order);
  if (state) return checkState(evidence.tenant, state);
  if (get !== undefined) return checkGetResponse(evidence.tenant, expectation);
  return checkUnexpected(evidence, namedRequests(all));
}

function describeExpectation(expectation: Expectation): string {
  const { request, order, state, get } = expectation;
  if (request) return `${describeExpectedRequest(request)} ${describeBounds(countBounds(expectation))}`;
  if (order) return `in this order: ${order.map(describeExpectedRequest).join(', then ')}`;
  if (state) return state.contact === undefined ? 'numbers of rows' : `contact ${state.contact}`;
  return get === undefined ? 'no unexpected requests' : `GET ${get}`;
}

interface JudgedParts {
  readonly checks: Check[];
  readonly rules: RuleCheck[];
  readonly operations: OperationJson[];
}

const warningsIn = (evidence: JournalEvidence): Steps<JournalEvidence['warnings']> =>
  withIndexes(() => evidence.warnings);

function* assembleVerdict(evidence: JournalEvidence, findings: JudgedParts): Steps<Verdict> {
  const warnings = yield* warningsIn(evidence);
  const { size, evicted } = evidence;
  const { checks, rules, operations } = findings;
  const all = [...checks, ...rules, ...operations];
  const verdict = worstStatus(all.map((one) => one.verdict));
  yield;
  const reason = verdict === 'PASS' ? `${all.length} of ${all.length} as expected` : reasonOf(findings, verdict);
  return { verdict, reason, ...findings, warnings: listedWarnings(warnings), requests: size, evicted };
}

/** Limits the lines of a reason, and the findings that one line names: the verdict holds all of them. */
const maxReasons = 20;
const maxNamed = 5;

/** Says why, in a line for each thing that was judged like this. */
function reasonOf({ checks, rules, operations }: JudgedParts, status: VerdictStatus): string {
  const isMeant = (one: { readonly verdict: VerdictStatus }): boolean => one.verdict === status;
  const meant = [
    ...checks.filter(isMeant),
    ...rules.filter(isMeant).map((rule) => ({ ...rule, description: `rule ${rule.id}` })),
    ...operations.filter(isMeant),
  ];
  return firstOf(meant, maxReasons, (one) =>
    formatCheck('findings' in one ? { description: one.requestLine, reason: findingsOf(one, status) } : one),
  ).join('\n');
}

/** Names the findings of an operation, first those that decided how it was judged. */
function findingsOf({ findings }: OperationJson, status: VerdictStatus): string {
  const decided = findings.filter(({ level }) => statusOfLevel[level] === status);
  const others = findings.filter(({ level }) => statusOfLevel[level] !== status);
  return firstOf([...decided, ...others], maxNamed, ({ rule, message }) => `${rule}: ${message}`).join('; ');
}

/** Formats the first of a list, and says how many more it has. */
const firstOf = <T>(list: readonly T[], most: number, format: (one: T) => string): string[] => [
  ...list.slice(0, most).map(format),
  ...(list.length > most ? [`and ${list.length - most} more`] : []),
];

/** Describes a rule for the service, for webhooks or for the point master. */
interface CheckedRule extends Pick<ActiveFaultRule, 'matched' | 'fired' | 'lastReason'> {
  readonly rule: {
    readonly id: string;
    readonly limit: number;
    readonly spec: Pick<RuleSpec, 'description' | 'optional' | 'probability'>;
  };
}

/** Checks a rule about requests, and says so when it is about a path that is not served. */
function checkFaultRule(active: ActiveFaultRule): RuleCheck {
  const checked = checkRule(active);
  const unserved = findUnservedPath(active.rule.spec);
  return unserved ? { ...checked, reason: `${checked.reason}; ${unserved.message}` } : checked;
}

function checkRule({ rule: { id, spec, limit }, matched, fired, lastReason }: CheckedRule): RuleCheck {
  const shared = { id, description: spec.description ?? null, matched, fired };
  if (fired > 0) {
    const rest = fired < limit && Number.isFinite(limit) ? `; ${limit - fired} of its ${limit} faults never fired` : '';
    return { ...shared, verdict: 'PASS', reason: `fired ${plural(fired, 'time')}${rest}` };
  }
  const why =
    matched === 0
      ? 'it matched no request'
      : `it matched ${plural(matched, 'request')}, and did nothing about the last: ${lastReason?.()}`;
  const reason = `never fired: ${why}`;
  return { ...shared, verdict: mayStayUnused(spec) ? 'PASS' : 'INCONCLUSIVE', reason };
}

/** True for a rule that leaves no verdict open when it never fires; a low probability may never draw it. */
export const mayStayUnused = ({ optional, probability = 1 }: Pick<RuleSpec, 'optional' | 'probability'>): boolean =>
  optional === true || probability < 1;

/** Names the check of a point master. */
export const pointMasterCheck = 'the point master follows adjustments with the right balances';

/** Lists what a point master still owes: a response, or a balance. */
const openFindings: ReadonlySet<AuditFinding['kind']> = new Set(['not-delivered', 'waiting']);

/** Returns one check if points were adjusted. What is inconclusive is named, and leaves it open when nothing more can come. */
function* checkPointMaster(tenant: Tenant, hasClientEnded = false): Steps<Check[]> {
  if (!isPointFollower(tenant)) return [];
  const report = yield* auditPointMasterInSteps(tenant);
  if (report.adjustments.total === 0) return [];
  const isFailed = report.verdict === 'FAIL';
  const isOpen = hasClientEnded && report.findings.some(({ kind }) => openFindings.has(kind));
  return [
    {
      description: pointMasterCheck,
      verdict: isFailed ? 'FAIL' : isOpen ? 'INCONCLUSIVE' : 'PASS',
      reason: isFailed ? summarizeFindings(report, 'fail') : describeProgress(report),
      requests: [],
    },
  ];
}

function describeProgress(report: AuditReport): string {
  const { shown, total } = report.adjustments;
  const open = summarizeFindings(report, 'inconclusive');
  return `its balances show ${shown} of ${total}${open === '' ? '' : `; still open: ${open}`}`;
}

const maxListed = 3;

function summarizeFindings({ findings }: AuditReport, level: FindingLevel): string {
  const messages = findings.filter((finding) => finding.level === level).map(({ message }) => message);
  const listed = messages.slice(0, maxListed).join(' ');
  const more = messages.length - maxListed;
  return more > 0 ? `${listed} GET /__admin/webhooks/report lists ${more} more.` : listed;
}
