import { isDeepStrictEqual } from 'node:util';
import { OptionError } from '../core/exchange/api-error.ts';
import { seededRandom } from '../core/lib/random.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { compileActivation, whyInactive } from './activation.ts';
import { assignIds } from './rule-ids.ts';
import type { Activation } from './activation.ts';
import { syncFaultNames } from './point-master-rule-schema.ts';
import type { PointMasterRequestKind, PointMasterRuleSpec } from './point-master-rule-schema.ts';

type PointMasterFaultSpec = Exclude<PointMasterRuleSpec['fault'], readonly unknown[]>;

/** What a call of the point master, or one by it, is to suffer. */
export interface PointMasterFault {
  readonly fault: Extract<PointMasterFaultSpec, string> | 'slow' | 'late-sync';
  /** Of `error`. */
  readonly status?: number | undefined;
  /** Of `slow` and `late-sync`, in ms of real time. */
  readonly delay?: number | undefined;
}

interface CompiledPointMasterRule {
  readonly id: string;
  readonly written: PointMasterRuleSpec;
  readonly requestKinds: ReadonlySet<PointMasterRequestKind>;
  readonly activation: Activation;
  /** One, or a sequence. */
  readonly faults: readonly PointMasterFault[];
  readonly limit: number;
}

/** A rule, and what has become of it so far. */
export interface ActivePointMasterRule {
  readonly rule: CompiledPointMasterRule;
  /** How many calls it matched. */
  matched: number;
  fired: number;
}

/** Where the rules are to be handed to. */
export interface PointMasterAvailability {
  /** Whether a point master runs beside the simulator. */
  readonly hasPointMaster: boolean;
}

/** What goes wrong with a tenant's dealings with the point master beside the simulator. */
export class PointMasterRuleSet {
  readonly #side: PointMasterAvailability;
  #rules: readonly ActivePointMasterRule[];

  constructor(written: readonly PointMasterRuleSpec[] | undefined, side: PointMasterAvailability) {
    this.#side = side;
    this.#rules = compilePointMasterRules(written, side);
  }

  get rules(): readonly ActivePointMasterRule[] {
    return this.#rules;
  }

  /** The first that matches and has something to do decides; every one that matches counts the call. */
  decide(call: PointMasterRequestKind, tenant: Tenant): PointMasterFault | undefined {
    let decided: PointMasterFault | undefined;
    for (const active of this.#rules) {
      if (!active.rule.requestKinds.has(call)) continue;
      active.matched++;
      decided ??= firePointMasterRule(active, tenant);
    }
    return decided;
  }

  /** Takes up other rules. Throws an `OptionError` when there is no point master to hand them to. */
  replace(written: readonly PointMasterRuleSpec[] = []): void {
    this.#rules = compilePointMasterRules(written, this.#side);
  }

  /** Takes up another version of the rules: those that are as they were keep what they have counted. */
  revise(written: readonly PointMasterRuleSpec[] = []): void {
    const before = this.#rules;
    const same = ({ rule }: ActivePointMasterRule): ActivePointMasterRule | undefined =>
      before.find((known) => known.rule.id === rule.id && isDeepStrictEqual(known.rule.written, rule.written));
    this.#rules = compilePointMasterRules(written, this.#side).map((fresh) => same(fresh) ?? fresh);
  }
}

function compilePointMasterRules(
  written: readonly PointMasterRuleSpec[] = [],
  { hasPointMaster: hasMaster }: PointMasterAvailability,
): ActivePointMasterRule[] {
  if (written.length > 0 && !hasMaster) {
    const way = 'start the simulator --with-point-master (createSim: withPointMaster), or leave the section out';
    throw new OptionError(
      'master',
      `the scenario has rules for a point master beside the simulator, and there is none; ${way}`,
    );
  }
  return assignIds(written, 'master').map(([id, rule]) => ({
    rule: compilePointMasterRule(rule, id),
    matched: 0,
    fired: 0,
  }));
}

function compilePointMasterRule(written: PointMasterRuleSpec, id: string): CompiledPointMasterRule {
  const faults = [written.fault].flat().map(compilePointMasterFault);
  const calls = new Set(written.match?.call === undefined ? faults.flatMap(requestKindsOf) : [written.match.call]);
  const budget = compileActivation({ ...written, match: undefined }, faults.length);
  return { id, written, requestKinds: calls, activation: budget, faults, limit: budget.limit };
}

function compilePointMasterFault(written: PointMasterFaultSpec): PointMasterFault {
  if (typeof written === 'string') return { fault: written };
  const { error, slow, 'late-sync': late } = written;
  if (error !== undefined) return { fault: 'error', status: error };
  return slow === undefined ? { fault: 'late-sync', delay: late } : { fault: 'slow', delay: slow };
}

const requestKindsOf = ({ fault }: PointMasterFault): readonly PointMasterRequestKind[] =>
  syncFaultNames.some((name) => name === fault) ? ['sync'] : ['webhook', 'history'];

function firePointMasterRule(active: ActivePointMasterRule, tenant: Tenant): PointMasterFault | undefined {
  const { rule, matched, fired } = active;
  const label = `${tenant.name}/master/${rule.id}/${matched}`;
  const dice = (name: string): number => seededRandom(tenant.settings.seed, `${label}/${name}`);
  if (whyInactive(rule.activation, { matched, fired, now: tenant.clock.now(), dice })) return undefined;
  active.fired++;
  return rule.faults[fired % rule.faults.length];
}
