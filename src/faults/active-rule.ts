/** Rules in force, with what has become of them so far. */
import type { Fault, InjectedFault, NearMiss } from '../core/exchange/fault.ts';
import type { RequestView } from '../matching/request-view.ts';
import { whyInactive } from './activation.ts';
import { AttemptCounter, samplerFor, sample } from './sampling.ts';
import type { Sampler } from './sampling.ts';
import { maxNearMisses } from './near-misses.ts';
import type { CompiledRule } from './compiled-rule.ts';

/** A rule, and what has become of it so far. */
export interface ActiveRule {
  readonly rule: CompiledRule;
  /** Whether the scenario has it, or it was added while running. */
  readonly origin: 'scenario' | 'added';
  /** How many calls it matched. */
  matched: number;
  /** How often it fired. */
  fired: number;
  /** Of the operations that it matched, where something is drawn for each of them. */
  readonly attemptCounter: AttemptCounter | undefined;
}

export const createActiveRule = (rule: CompiledRule, origin: ActiveRule['origin']): ActiveRule => ({
  rule,
  origin,
  matched: 0,
  fired: 0,
  attemptCounter: rule.needsSampler ? new AttemptCounter() : undefined,
});

/** What came of asking rules about a call. */
interface Decision {
  readonly fired: InjectedFault | undefined;
  /** Rules that matched and did nothing, and why. */
  readonly skipped: readonly NearMiss[];
}

/** Of the rules that match a call, the first that has something to do decides. Every one that matches counts it. */
export function selectFault(rules: readonly ActiveRule[], asked: RequestView): Decision {
  let passed: NearMiss[] | undefined;
  let fired: InjectedFault | undefined;
  for (const active of rules) {
    const { id, matcher: matching } = active.rule;
    if (matching.matchesTarget?.(asked) === false || !matching.predicates.every(({ matches: isMet }) => isMet(asked)))
      continue;
    const outcome = evaluate(active, asked, fired);
    if (typeof outcome !== 'function') fired = outcome;
    else if ((passed ??= []).length < maxNearMisses) passed.push(new SkippedRule(id, outcome));
  }
  return { fired, skipped: passed ?? noSkippedRules };
}

const noSkippedRules: readonly NearMiss[] = [];

/** Hardly any is ever read, so it is put in words when it is. */
class SkippedRule implements NearMiss {
  readonly rule: string;
  readonly #tell: () => string;

  constructor(rule: string, tell: () => string) {
    this.rule = rule;
    this.#tell = tell;
  }

  get reason(): string {
    return this.#tell();
  }
}

/** What a rule does about a call that it matches, or why it does nothing. */
function evaluate(
  active: ActiveRule,
  asked: RequestView,
  already: InjectedFault | undefined,
): InjectedFault | (() => string) {
  const { rule, attemptCounter: attempts } = active;
  active.matched++;
  const dice = attempts && samplerFor(asked, rule.id, attempts.next(asked.operationDigest));
  if (already) {
    const { rule: first } = already;
    return () => `the rule ${first}, which stands before it, decided`;
  }
  const { matched, fired } = active;
  const reason = whyInactive(rule.activation, { matched, fired, now: asked.call.exchange.at, dice });
  const fault = rule.faults[fired % rule.faults.length];
  if (reason || !fault) return reason ?? (() => 'it has no fault');
  active.fired++;
  return { rule: rule.id, hit: active.fired, fault, ...lengthsOf(fault, dice) };
}

const lengthsOf = (
  { delay, dribble }: Fault,
  dice: Sampler = () => 0,
): Pick<InjectedFault, 'delay' | 'chunkDelays'> => ({
  delay: delay ? sample(delay.distribution, dice, 'delay') : 0,
  chunkDelays: dribble
    ? Array.from({ length: dribble.chunks - 1 }, (_, i) => sample(dribble.interval, dice, `pause/${i}`))
    : noPauses,
});

const noPauses: readonly number[] = [];
