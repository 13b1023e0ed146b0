/** Rules in force, with what has become of them so far. */
import type { Fault, Fired, NearMiss } from '../core/faults.ts';
import type { Asked } from './asked.ts';
import { obstacle } from './budget.ts';
import { Attempts, diceFor, drawFrom } from './chance.ts';
import type { Dice } from './chance.ts';
import { mostMisses } from './near-misses.ts';
import type { Rule } from './rule.ts';

/** A rule, and what has become of it so far. */
export interface ActiveRule {
  readonly rule: Rule;
  /** Whether the scenario has it, or it was added while running. */
  readonly origin: 'scenario' | 'added';
  /** How many calls it matched. */
  matched: number;
  /** How often it fired. */
  hits: number;
  /** Of the operations that it matched, where something is drawn for each of them. */
  readonly attempts: Attempts | undefined;
}

export const activeRule = (rule: Rule, origin: ActiveRule['origin']): ActiveRule => ({
  rule,
  origin,
  matched: 0,
  hits: 0,
  attempts: rule.isByChance ? new Attempts() : undefined,
});

/** What came of asking rules about a call. */
interface Decision {
  readonly fired: Fired | undefined;
  /** Rules that matched and did nothing, and why. */
  readonly passed: readonly NearMiss[];
}

/** Of the rules that match a call, the first that has something to do decides. Every one that matches counts it. */
export function decideBy(rules: readonly ActiveRule[], asked: Asked): Decision {
  let passed: NearMiss[] | undefined;
  let fired: Fired | undefined;
  for (const active of rules) {
    const { id, matching } = active.rule;
    if (matching.isHit?.(asked) === false || !matching.tests.every(({ isMet }) => isMet(asked))) continue;
    const outcome = meet(active, asked, fired);
    if (typeof outcome !== 'function') fired = outcome;
    else if ((passed ??= []).length < mostMisses) passed.push(new Passed(id, outcome));
  }
  return { fired, passed: passed ?? nonePassed };
}

const nonePassed: readonly NearMiss[] = [];

/** Hardly any is ever read, so it is put in words when it is. */
class Passed implements NearMiss {
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
function meet(active: ActiveRule, asked: Asked, already: Fired | undefined): Fired | (() => string) {
  const { rule, attempts } = active;
  active.matched++;
  const dice = attempts && diceFor(asked, rule.id, attempts.next(asked.operation));
  if (already) {
    const { rule: first } = already;
    return () => `the rule ${first}, which stands before it, decided`;
  }
  const { matched, hits } = active;
  const reason = obstacle(rule.budget, { matched, hits, now: asked.call.exchange.at, dice });
  const fault = rule.faults[hits % rule.faults.length];
  if (reason || !fault) return reason ?? (() => 'it has no fault');
  active.hits++;
  return { rule: rule.id, hit: active.hits, fault, ...lengthsOf(fault, dice) };
}

const lengthsOf = ({ delay, dribble }: Fault, dice: Dice = () => 0): Pick<Fired, 'delay' | 'pauses'> => ({
  delay: delay ? drawFrom(delay.spread, dice, 'delay') : 0,
  pauses: dribble
    ? Array.from({ length: dribble.pieces - 1 }, (_, i) => drawFrom(dribble.pause, dice, `pause/${i}`))
    : noPauses,
});

const noPauses: readonly number[] = [];
