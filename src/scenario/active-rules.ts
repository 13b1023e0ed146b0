/** Rules in force, with what has become of them so far. */
import type { Fault, Fired, NearMiss } from '../core/faults.ts';
import type { Asked } from './asked.ts';
import { obstacle } from './budget.ts';
import { Attempts, diceFor, drawFrom } from './chance.ts';
import type { Dice } from './chance.ts';
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

/** Of the rules that match a call, the first that has something to do decides. Every one that matches counts it. */
export function decideBy(rules: readonly ActiveRule[], asked: Asked): Fired | undefined {
  const misses = new Misses();
  let fired: Fired | undefined;
  for (const active of rules) {
    const { id, matching } = active.rule;
    if (matching.isHit?.(asked) === false) continue;
    const unmet = matching.tests.find(({ isMet }) => !isMet(asked));
    if (unmet) {
      if (matching.isHit && misses.hasRoom) misses.note(id, unmet.whyNot(asked));
      continue;
    }
    const outcome = meet(active, asked, fired);
    if (typeof outcome === 'function') misses.noteMatching(id, outcome);
    else fired = outcome;
  }
  if (misses.all.length > 0) asked.call.exchange.nearMisses = misses.all;
  return fired;
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

const mostMisses = 5;

/** The rules that nearly fired for one call: a few, and of those rather such as matched it. */
class Misses {
  #all: Miss[] = [];
  #matching = 0;

  get all(): readonly NearMiss[] {
    return this.#all;
  }

  get hasRoom(): boolean {
    return this.#all.length < mostMisses;
  }

  note(rule: string, tell: () => string): void {
    this.#all.push(new Miss(rule, tell));
  }

  noteMatching(rule: string, tell: () => string): void {
    if (this.#matching === mostMisses) return;
    this.#all = this.#all.toSpliced(this.#matching++, 0, new Miss(rule, tell)).slice(0, mostMisses);
  }
}

/** Hardly any is ever read, so it is put in words when it is. */
class Miss implements NearMiss {
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
