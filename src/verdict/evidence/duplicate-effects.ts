/** Describes effects that an operation had more than once, in words of the shop. */
import { effectsOf } from '../../core/state/effects.ts';
import type { Effect } from '../../core/state/effects.ts';
import { flatMapInSteps, mapInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import type { DuplicateWording } from '../../service/resource/duplicate-wording.ts';
import { fromResources } from '../../service/resources.ts';
import { changesBy, isAbortedByClient, isSetBackBetween } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { consecutivePairs, hasOwnKey } from '../history/operation.ts';
import type { Operation } from '../history/operation.ts';
import { describeOutcome, indexPerOperation, requestLine } from '../rules/retry-rule.ts';

interface DuplicateEffect {
  readonly message: string;
  readonly attempts: readonly Attempt[];
}

/** Lists the retry classes whose repetition has no further effect. */
const harmless: ReadonlySet<string> = new Set(['safe', 'idempotent']);

const isHarmless = ({ endpoint, attempts }: Operation): boolean =>
  !endpoint || harmless.has(endpoint.retry) || attempts.length < 2;

/** Returns the duplicate effects of an operation: a sentence for each contact, receipt or promotion concerned. */
export const describeDuplicateEffects = indexPerOperation(function* (
  operation,
  { tenant },
): Steps<readonly DuplicateEffect[]> {
  if (isHarmless(operation)) return [];
  const { attempts } = operation;
  // This check costs less than the descriptions.
  if (attempts.filter(isDescribed).length < 2) return [];
  const sentences = yield* mapInSteps(attempts, (attempt) => sentencesFor(attempt, tenant));
  const effective = yield* withinOneState(
    attempts.filter((_, i) => sentences[i]?.length),
    tenant,
  );
  const [first, ...others] = effective;
  const [second] = others;
  if (!first || !second) return [];
  const named = effective
    .slice(0, maxNamed)
    .map((attempt) => `attempt ${attempts.indexOf(attempt) + 1}${circumstances(attempt)}`);
  if (effective.length > maxNamed) named.push(`and ${effective.length - maxNamed} more`);
  const times = effective.length === 2 ? 'twice' : `${effective.length} times`;
  // As the specification names calls.
  const call = requestLine(first).replace('/api/v3/', '/');
  // By attempt: what others did to a row in between is none of theirs.
  const doubled = yield* flatMapInSteps(others, describedEffects);
  return shortened(describeEffects(doubled, tenant)).map((sentence) => ({
    message: `${sentence}: ${call} took effect ${times} (${named.join('; ')})`,
    attempts: effective,
  }));
});

/** Returns the first attempts whose effects were there together: the state was not set back in between. */
function* withinOneState(attempts: readonly Attempt[], tenant: Tenant): Steps<readonly Attempt[]> {
  const setBack = yield* mapInSteps(consecutivePairs(attempts), ([last, attempt]) =>
    isSetBackBetween(last.exchange, attempt.exchange, tenant),
  );
  let begin = 0;
  for (const [i, isOver] of setBack.entries()) {
    if (!isOver) continue;
    if (i > begin) return attempts.slice(begin, i + 1);
    begin = i + 1;
  }
  return attempts.slice(begin);
}

/** Returns the sentences on what an attempt did on top of one before it; none where either had no effect. */
export function describeSecondEffect(
  { endpoint }: Pick<Operation, 'endpoint'>,
  [before, after]: readonly [before: Attempt, after: Attempt],
  tenant: Tenant,
): string[] {
  if (!endpoint || harmless.has(endpoint.retry) || !isDescribed(before) || !isDescribed(after)) return [];
  if (isSetBackBetween(before.exchange, after.exchange, tenant)) return [];
  return sentencesFor(before, tenant).length === 0 ? [] : shortened(sentencesFor(after, tenant));
}

/** Returns the sentences on what a later attempt did that an earlier one had done too, effect by effect. */
export function describeSharedEffects(
  [before, after]: readonly [before: Attempt, after: Attempt],
  tenant: Tenant,
): string[] {
  if (isSetBackBetween(before.exchange, after.exchange, tenant)) return [];
  const sentenceOf = (effect: Effect): string => describeEffects([effect], tenant).join();
  const known = new Set(describedEffects(before).map(sentenceOf));
  return shortened(
    describeEffects(
      describedEffects(after).filter((effect) => known.has(sentenceOf(effect))),
      tenant,
    ),
  );
}

/** True when queued work could still duplicate an effect of the operation. */
export function mayBecomeDuplicate(operation: Operation, isPending: (attempt: Attempt) => boolean): boolean {
  if (isHarmless(operation) || hasOwnKey(operation)) return false;
  if (!operation.attempts.some(isPending)) return false;
  return operation.attempts.filter((attempt) => isPending(attempt) || isDescribed(attempt)).length > 1;
}

/** Holds the sentences of all nouns, each of the effects of one table. */
const wordings: readonly DuplicateWording[] = fromResources((noun) => noun.wording);
const describedTables: ReadonlySet<string> = new Set(wordings.map(({ table }) => table));

/** True when an attempt changed something that the nouns have sentences for. */
export const isDescribed = (attempt: Attempt): boolean =>
  changesBy(attempt).some(({ table }) => describedTables.has(table));

const describedEffects = (attempt: Attempt): Effect[] =>
  effectsOf(changesBy(attempt).filter(({ table }) => describedTables.has(table)));

const sentencesFor = (attempt: Attempt, tenant: Tenant): string[] => describeEffects(describedEffects(attempt), tenant);

const describeEffects = (effects: readonly Effect[], tenant: Tenant): string[] =>
  wordings.flatMap(({ table, describe }) => {
    const own = effects.filter((effect) => effect.table === table);
    return own.length === 0 ? [] : describe(own, tenant);
  });

/** Limits the attempts that a sentence tells of, one by one. */
const maxNamed = 20;

const maxSentences = 5;

/** A bulk may concern a thousand contacts. */
function shortened(sentences: readonly string[]): string[] {
  if (sentences.length <= maxSentences) return [...sentences];
  const rest = sentences.length - maxSentences;
  return [...sentences.slice(0, maxSentences), `${rest} more ${rest === 1 ? 'is' : 'are'} concerned likewise`];
}

function circumstances(attempt: Attempt): string {
  const repeated = attempt.isTransparentRetry ? ', transparent retry of the HTTP library' : '';
  if (attempt.outcome === 'success') return repeated;
  const isLost = attempt.outcome === 'no-response' && !isAbortedByClient(attempt);
  return `${repeated} committed, ${isLost ? 'its response was lost' : `and ${describeOutcome(attempt)}`}`;
}
