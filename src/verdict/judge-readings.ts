/** Judges an operation of which an HTTP library may have repeated requests by itself, in each way to read its attempts. */
import { withIndexes } from '../core/time/index-in-steps.ts';
import type { Steps } from '../core/time/steps.ts';
import { downgradeIfUncertain, isPerhapsShared, libraryAdvice, unlessLibraryRepeated } from './certainty.ts';
import { pauseBetween, requestedPause } from './history/attempt.ts';
import type { Operation } from './history/operation.ts';
import { foldPossibleRepeats } from './history/transparent-retry.ts';
import { breaksInEachReading, latenessOf, readingsOf, stepsOf } from './library-repeats.ts';
import type { Readings, AttemptStep } from './library-repeats.ts';
import { inconclusive } from './rules/retry-rule.ts';
import type { RetryEvidence, RetryRule, RuleFinding } from './rules/retry-rule.ts';
import { retryRules } from './rules/catalog.ts';
import { retriesAfterFailure } from './rules/r01-retry-after-failure.ts';
import { pausesLongEnough } from './rules/r06-backoff.ts';
import { knowsWhenToStop } from './rules/r07-attempt-limit.ts';

export interface RetryFinding extends RuleFinding {
  readonly rule: RetryRule;
  readonly advice: string;
}

interface Judging {
  readonly evidence: RetryEvidence;
  /** True when it is decided which attempts a library made. */
  readonly isReading?: boolean;
}

export function findingsBy(rules: readonly RetryRule[], operation: Operation, judging: Judging): RetryFinding[] {
  const findings: RetryFinding[] = [];
  for (const rule of rules) {
    const judged = rule.judge(operation, judging.evidence);
    // Mostly nothing is found, and even an empty list takes its time to walk through.
    if (judged.length === 0) continue;
    for (const found of judged) findings.push(findingOf(found, operation, { rule, ...judging }));
  }
  return findings;
}

function findingOf(
  found: RuleFinding,
  operation: Operation,
  judging: Judging & { readonly rule: RetryRule },
): RetryFinding {
  const { level, message, attempts } = downgradeIfUncertain(found, operation, judging);
  return { level, message, attempts, rule: judging.rule, advice: found.advice ?? judging.rule.advice };
}

/** Finds the same in steps: a rule may find something in each of very many attempts. */
function* findInSteps(rules: readonly RetryRule[], operation: Operation, judging: Judging): Steps<RetryFinding[]> {
  const findings: RetryFinding[] = [];
  for (const rule of rules) {
    yield;
    const judged = yield* withIndexes(() => rule.judge(operation, judging.evidence));
    for (const [i, found] of judged.entries()) {
      if (i % findingsAtOnce === 0) yield;
      findings.push(yield* withIndexes(() => findingOf(found, operation, { rule, ...judging })));
    }
  }
  return findings;
}

const findingsAtOnce = 100;

/** Lists the rules about how often and how soon the client itself tries. */
const rulesOfOwn: readonly RetryRule[] = [retriesAfterFailure, pausesLongEnough, knowsWhenToStop];
const otherRules = retryRules.filter((rule) => !rulesOfOwn.includes(rule));

/** Judges by all rules: what fails by those about the client's own attempts has to fail in each reading. */
export function judgeReadings(operation: Operation, evidence: RetryEvidence): readonly RetryFinding[] {
  const steps = stepsOf(operation, evidence);
  const own = findingsBy(rulesOfOwn, operation, { evidence, isReading: true });
  const others = findingsBy(otherRules, operation, { evidence });
  return combine({ steps, own, others }, operation, evidence);
}

/** Does the same in steps. */
export function* judgeReadingsInSteps(operation: Operation, evidence: RetryEvidence): Steps<readonly RetryFinding[]> {
  const steps = yield* withIndexes(() => stepsOf(operation, evidence));
  const own = yield* findInSteps(rulesOfOwn, operation, { evidence, isReading: true });
  const others = yield* findInSteps(otherRules, operation, { evidence });
  yield;
  return yield* withIndexes(() => combine({ steps, own, others }, operation, evidence));
}

interface Found {
  readonly steps: readonly AttemptStep[] | undefined;
  /** Holds what the rules about the client's own attempts find. */
  readonly own: readonly RetryFinding[];
  readonly others: readonly RetryFinding[];
}

function combine(
  { steps, own, others }: Found,
  operation: Operation,
  evidence: RetryEvidence,
): readonly RetryFinding[] {
  const judged = steps ? judgeOwn(own, operation, { steps, evidence }) : own;
  if (judged.length === 0) return others;
  return [...judged, ...others].toSorted((a, b) => retryRules.indexOf(a.rule) - retryRules.indexOf(b.rule));
}

/** Judges by the rules about the client's own attempts where a library may have made some. */
function judgeOwn(own: readonly RetryFinding[], operation: Operation, judging: Suspicion): readonly RetryFinding[] {
  if (own.some(isFailure)) return downgradeUnproven(own, operation, judging);
  if (own.some(({ level }) => level === 'inconclusive')) return own;
  return [...own, ...perhapsNeverRepeated(operation, judging.evidence)];
}

interface Suspicion {
  readonly steps: readonly AttemptStep[];
  readonly evidence: RetryEvidence;
}

const isFailure = ({ level }: RuleFinding): boolean => level === 'fail';

/** Keeps the failures by rules that each reading breaks; or all, if each reading breaks one of the rules. */
function downgradeUnproven(
  own: readonly RetryFinding[],
  operation: Operation,
  { steps, evidence }: Suspicion,
): RetryFinding[] {
  const readings = readingsOf(operation, steps);
  const failed = readings.operations?.map((one) => failuresOf(one, evidence));
  const isShared = isPerhapsShared(operation, evidence);
  const isImpatient = !isShared && own.some((found) => isFailure(found) && ignoresRequest(found, evidence));
  const isBroken = (...rules: readonly RetryRule[]): boolean =>
    (isImpatient && rules.includes(pausesLongEnough)) ||
    isBrokenInEach(rules, { steps, readings, failed, evidence, isShared });
  const proven = rulesOfOwn.filter((rule) => isBroken(rule));
  const isWrong = proven.length === 0 && isBroken(...rulesOfOwn);
  return own.map((found) => {
    if (!isFailure(found) || proven.includes(found.rule)) return found;
    if (!isWrong) return { ...found, ...unlessLibraryRepeated(found, evidence, latenessOf(steps)) };
    const other = failed?.flat().find(({ rule }) => rule !== found.rule);
    const otherwise = other ? `; or if its HTTP library repeated it, ${other.message} (${other.rule.id})` : '';
    return { ...found, message: `${found.message}${otherwise}` };
  });
}

/** True when a pause is shorter than the response before it asked for: no library repeats what got one. */
const ignoresRequest = ({ rule, attempts: [before, next] }: RetryFinding, { policy }: RetryEvidence): boolean =>
  rule === pausesLongEnough &&
  before !== undefined &&
  next !== undefined &&
  pauseBetween(before, next) < requestedPause(before) - policy.tolerance;

const failuresOf = (operation: Operation, evidence: RetryEvidence): RetryFinding[] =>
  findingsBy(rulesOfOwn, operation, { evidence, isReading: true }).filter(isFailure);

interface JudgedReadings extends Suspicion {
  readonly readings: Readings;
  /** Holds what fails in each reading; undefined when there are too many. */
  readonly failed: readonly (readonly RetryFinding[])[] | undefined;
  /** True when several clients may have made the attempts: only a reading shows what is certain then. */
  readonly isShared: boolean;
}

/** True when each reading breaks one of these rules. */
function isBrokenInEach(
  rules: readonly RetryRule[],
  { steps, readings, failed, evidence, isShared }: JudgedReadings,
): boolean {
  const { minBackoff, maxAttempts } = evidence.policy;
  const isBroken = failed?.every((found) => found.some(({ rule }) => rules.includes(rule))) ?? false;
  if (isBroken && (!readings.hasTooSoon || rules.includes(pausesLongEnough))) return true;
  if (isShared) return false;
  const limits = {
    minBackoff: rules.includes(pausesLongEnough) ? minBackoff : [],
    maxAttempts: rules.includes(knowsWhenToStop) ? maxAttempts : undefined,
  };
  return breaksInEachReading(steps, limits, evidence);
}

/** Leaves open what a library may have repeated, even if nothing was late, and the client itself has not. */
function perhapsNeverRepeated(operation: Operation, evidence: RetryEvidence): RetryFinding[] {
  const clientAttempts = foldPossibleRepeats(operation.attempts);
  const found = failuresOf({ ...operation, clientAttempts }, evidence).find(({ rule }) => rule === retriesAfterFailure);
  if (!found) return [];
  const message = `${found.message} by the program, if its HTTP library made the repeats${libraryAdvice(found.attempts)}`;
  return [{ ...found, ...inconclusive(message, found.attempts) }];
}
