import { isDeepStrictEqual } from 'node:util';
import type { Instant } from '../time/clock.ts';
import { withIndexes } from '../time/index-in-steps.ts';
import { finish } from '../time/steps.ts';
import type { Steps } from '../time/steps.ts';
import { whyInactive } from './activation.ts';
import type { Activation, OperationPlace, Sampler } from './activation.ts';
import { Signal } from './signal.ts';

/** Holds a rule ready for use: which subjects it means, when it fires, and what it does to them. */
export interface CompiledRule<Spec, Subject, Fault> {
  readonly id: string;
  readonly spec: Spec;
  readonly matches: (subject: Subject) => boolean;
  /** True when `matches` may take long, and can be prepared by work in steps. */
  readonly isSearch?: boolean;
  readonly activation: Activation;
  /** Holds one fault, or a sequence of them. */
  readonly faults: readonly Fault[];
  /** Says how often it may fire. */
  readonly limit: number;
  /** Makes what draws for the subjects that match, for each tenant; undefined when nothing is drawn. */
  readonly createSampler: (() => SubjectSampler<Subject>) | undefined;
  /** Makes what counts operations and their attempts, for each tenant; undefined when the rule selects by neither. */
  readonly createPlaceCounter?: (() => PlaceCounter<Subject>) | undefined;
}

type SubjectSampler<Subject> = (subject: Subject, matched: number) => Sampler;
type PlaceCounter<Subject> = (subject: Subject) => OperationPlace;

/** Counts what has become of a rule in force. */
export interface ActiveRule<Rule, Subject = never> {
  readonly rule: Rule;
  readonly origin: 'scenario' | 'added';
  /** Counts the subjects that it matched. */
  matched: number;
  fired: number;
  /** Says why it did nothing about the last subject that it matched and left alone. */
  lastReason: (() => string) | undefined;
  readonly samplerFor: SubjectSampler<Subject> | undefined;
  readonly countPlace: PlaceCounter<Subject> | undefined;
}

/** Counts a fault that was selected, with what draws its lengths. */
export interface SelectedFault<Fault> {
  readonly rule: string;
  /** Counts how often the rule has fired, from 1. */
  readonly hit: number;
  readonly fault: Fault;
  readonly sampler: Sampler | undefined;
}

interface Selection<Fault> {
  readonly selected: SelectedFault<Fault> | undefined;
  /** Names rules that matched and did nothing, and why. */
  readonly skipped: readonly SkippedRule[];
}

/** No subject lists more rules that did not fire. */
export const maxSkipped = 5;

const noneSkipped: readonly SkippedRule[] = [];

/** Puts its reason into words when somebody reads it, as hardly anybody does. */
class SkippedRule {
  readonly rule: string;
  readonly #explain: () => string;

  constructor(rule: string, explain: () => string) {
    this.rule = rule;
    this.#explain = explain;
  }

  get reason(): string {
    return this.#explain();
  }
}

/** Selects the first rule that matches and has something to do; every rule that matches counts the subject. */
export function selectFault<Subject, Fault>(
  rules: readonly ActiveRule<CompiledRule<unknown, Subject, Fault>, Subject>[],
  subject: Subject,
  now: Instant,
): Selection<Fault> {
  let skipped: SkippedRule[] | undefined;
  let selected: SelectedFault<Fault> | undefined;
  for (const active of rules) {
    if (!active.rule.matches(subject)) continue;
    const outcome = evaluate(active, { subject, now, first: selected?.rule });
    if (typeof outcome !== 'function') selected = outcome;
    else {
      active.lastReason = outcome;
      if ((skipped ??= []).length < maxSkipped) skipped.push(new SkippedRule(active.rule.id, outcome));
    }
  }
  return { selected, skipped: skipped ?? noneSkipped };
}

interface Evaluated<Subject> {
  readonly subject: Subject;
  readonly now: Instant;
  /** Names the rule that decided already, if one did. */
  readonly first: string | undefined;
}

/** Returns the fault of a rule that matches, or why it does nothing. */
function evaluate<Subject, Fault>(
  active: ActiveRule<CompiledRule<unknown, Subject, Fault>, Subject>,
  { subject, now, first }: Evaluated<Subject>,
): SelectedFault<Fault> | (() => string) {
  const { rule, samplerFor, countPlace } = active;
  const matched = ++active.matched;
  const sampler = samplerFor?.(subject, matched);
  const place = countPlace?.(subject);
  if (first !== undefined) return () => `the rule ${first}, which stands before it, decided`;
  const { fired } = active;
  const reason = whyInactive(rule.activation, { matched, place, fired, now, sampler });
  const fault = rule.faults[fired % rule.faults.length];
  if (reason || !fault) return reason ?? (() => 'it has no fault');
  active.fired++;
  return { rule: rule.id, hit: active.fired, fault, sampler };
}

interface OptionalId {
  readonly id?: string | undefined;
}

/** Gives each rule its own id, or one by its place that no other has: `rule-3`. */
export function assignIds<Spec extends OptionalId>(specs: readonly Spec[], prefix: string): [id: string, spec: Spec][] {
  const taken = new Set(specs.map(({ id }) => id));
  let last = 0;
  return specs.map((spec, i) => {
    if (spec.id !== undefined) return [spec.id, spec];
    last = Math.max(last, i) + 1;
    while (taken.has(`${prefix}-${last}`)) last++;
    return [`${prefix}-${last}`, spec];
  });
}

/** Describes rules of one kind. */
export class RuleKind<Spec extends OptionalId, Subject, Fault, Rule extends CompiledRule<Spec, Subject, Fault>> {
  /** Begins the ids of planned rules that have none of their own. */
  readonly prefix: string;
  /** Begins those of rules that were added. */
  readonly addedPrefix: string;
  readonly compile: (spec: Spec, id: string) => Rule;
  readonly #compiled = new WeakMap<readonly Spec[], readonly Rule[]>();

  constructor({ prefix, addedPrefix = prefix, compile }: RuleKindOptions<Spec, Rule>) {
    this.prefix = prefix;
    this.addedPrefix = addedPrefix;
    this.compile = compile;
  }

  /** Compiles a list once, for all tenants that follow it. */
  compileAll(specs: readonly Spec[]): readonly Rule[] {
    return finish(this.compileInSteps(specs));
  }

  /** Does as `compileAll`, one rule after another. */
  *compileInSteps(specs: readonly Spec[]): Steps<readonly Rule[]> {
    const known = this.#compiled.get(specs);
    if (known) return known;
    const rules: Rule[] = [];
    for (const [id, spec] of assignIds(specs, this.prefix)) {
      rules.push(this.compile(spec, id));
      yield;
    }
    this.#compiled.set(specs, rules);
    return rules;
  }
}

interface RuleKindOptions<Spec, Rule> {
  readonly prefix: string;
  readonly addedPrefix?: string;
  readonly compile: (spec: Spec, id: string) => Rule;
}

interface RuleSetOptions<Spec> {
  /** Leaves out planned rules that are none of this tenant's. */
  readonly accepts?: (spec: Spec) => boolean;
}

/** Holds the rules in force for a tenant: those planned, and before them those that were added while it runs. */
export class RuleSet<Spec extends OptionalId, Subject, Fault, Rule extends CompiledRule<Spec, Subject, Fault>> {
  /** Emits when a rule was added or removed. */
  readonly changed = new Signal();
  readonly #kind: RuleKind<Spec, Subject, Fault, Rule>;
  readonly #accepts: (spec: Spec) => boolean;
  #planned: readonly ActiveRule<Rule, Subject>[];
  /** Holds the newest first. */
  #added: readonly ActiveRule<Rule, Subject>[] = [];
  #rules: readonly ActiveRule<Rule, Subject>[];
  #numbered = 0;

  constructor(
    kind: RuleKind<Spec, Subject, Fault, Rule>,
    specs: readonly Spec[] = [],
    { accepts = () => true }: RuleSetOptions<Spec> = {},
  ) {
    this.#kind = kind;
    this.#accepts = accepts;
    this.#planned = this.#plan(specs);
    this.#rules = this.#planned;
  }

  /** Returns the rules in the order in which they are evaluated. */
  get rules(): readonly ActiveRule<Rule, Subject>[] {
    return this.#rules;
  }

  has(id: string | undefined): boolean {
    return this.#rules.some(({ rule }) => rule.id === id);
  }

  /** True when to select a fault may take long, unless that was prepared. */
  get isSearch(): boolean {
    return this.#rules.some(({ rule }) => rule.isSearch === true);
  }

  /** Finds out which rules match a subject, so that it is known when a fault is selected. */
  *prepare(subject: Subject): Steps {
    for (const { rule } of this.#rules) yield* withIndexes(() => rule.matches(subject));
  }

  select(subject: Subject, now: Instant): SelectedFault<Fault> | undefined {
    return selectFault(this.#rules, subject, now).selected;
  }

  /** Puts a rule before all others. */
  add(spec: Spec): ActiveRule<Rule, Subject> {
    const active = activate(this.#kind.compile(spec, spec.id ?? this.#nextId()), 'added');
    this.#added = [active, ...this.#added];
    this.#update();
    return active;
  }

  /** Removes an added rule; returns whether there was one. */
  remove(id: string): boolean {
    const others = this.#added.filter(({ rule }) => rule.id !== id);
    const isFound = others.length < this.#added.length;
    this.#added = others;
    this.#update();
    return isFound;
  }

  /** Removes all added rules; returns how many there were. */
  clearAdded(): number {
    const { length } = this.#added;
    this.#added = [];
    this.#update();
    return length;
  }

  /** Returns the ids that planned rules would share with rules that were added. */
  findConflictingIds(specs: readonly Spec[] = []): string[] {
    const added = new Set(this.#added.map(({ rule }) => rule.id));
    return this.#plan(specs).flatMap(({ rule }) => (added.has(rule.id) ? [rule.id] : []));
  }

  /** Replaces the planned rules, which count from 0; added rules stay. */
  replace(specs: readonly Spec[] = []): void {
    this.#planned = this.#plan(specs);
    this.#rules = [...this.#added, ...this.#planned];
  }

  /** Replaces the planned rules by another version of them: those that did not change keep their counts. */
  revise(specs: readonly Spec[] = []): void {
    const before = new Map(this.#planned.map((active) => [active.rule.id, active]));
    const unchanged = ({ rule }: ActiveRule<Rule, Subject>): ActiveRule<Rule, Subject> | undefined => {
      const known = before.get(rule.id);
      return known && isDeepStrictEqual(known.rule.spec, rule.spec) ? known : undefined;
    };
    this.#planned = this.#plan(specs).map((fresh) => unchanged(fresh) ?? fresh);
    this.#rules = [...this.#added, ...this.#planned];
  }

  /** Removes the added rules, and has the planned ones count from 0. */
  restart(specs: readonly Spec[] = []): void {
    this.#added = [];
    this.replace(specs);
  }

  #update(): void {
    this.#rules = [...this.#added, ...this.#planned];
    this.changed.emit();
  }

  #plan(specs: readonly Spec[]): readonly ActiveRule<Rule, Subject>[] {
    return this.#kind
      .compileAll(specs)
      .filter(({ spec }) => this.#accepts(spec))
      .map((rule) => activate(rule, 'scenario'));
  }

  #nextId(): string {
    const id = `${this.#kind.addedPrefix}-${++this.#numbered}`;
    return this.has(id) ? this.#nextId() : id;
  }
}

const activate = <Rule extends CompiledRule<unknown, Subject, unknown>, Subject>(
  rule: Rule & CompiledRule<unknown, Subject, unknown>,
  origin: 'scenario' | 'added',
): ActiveRule<Rule, Subject> => ({
  rule,
  origin,
  matched: 0,
  fired: 0,
  lastReason: undefined,
  samplerFor: rule.createSampler?.(),
  countPlace: rule.createPlaceCounter?.(),
});
