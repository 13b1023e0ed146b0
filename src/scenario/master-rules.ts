import { isDeepStrictEqual } from 'node:util';
import { OptionError } from '../core/errors.ts';
import { draw } from '../core/ids.ts';
import type { Tenant } from '../core/tenant.ts';
import { budgetOf, obstacle } from './budget.ts';
import { withIds } from './rule-ids.ts';
import type { Budget } from './budget.ts';
import { syncFaults } from './master-schema.ts';
import type { MasterCall, WrittenMasterRule } from './master-schema.ts';

type WrittenFault = Exclude<WrittenMasterRule['fault'], readonly unknown[]>;

/** What a call of the point master, or one by it, is to suffer. */
export interface MasterFault {
  readonly fault: Extract<WrittenFault, string> | 'slow' | 'late-sync';
  /** Of `error`. */
  readonly status?: number | undefined;
  /** Of `slow` and `late-sync`, in ms of real time. */
  readonly delay?: number | undefined;
}

interface MasterRule {
  readonly id: string;
  readonly written: WrittenMasterRule;
  readonly calls: ReadonlySet<MasterCall>;
  readonly budget: Budget;
  /** One, or a sequence. */
  readonly faults: readonly MasterFault[];
  readonly limit: number;
}

/** A rule, and what has become of it so far. */
export interface ActiveMasterRule {
  readonly rule: MasterRule;
  /** How many calls it matched. */
  matched: number;
  hits: number;
}

/** Where the rules are to be handed to. */
export interface MasterSide {
  /** Whether a point master runs beside the simulator. */
  readonly hasMaster: boolean;
}

/** What goes wrong with a tenant's dealings with the point master beside the simulator. */
export class MasterRules {
  readonly #side: MasterSide;
  #rules: readonly ActiveMasterRule[];

  constructor(written: readonly WrittenMasterRule[] | undefined, side: MasterSide) {
    this.#side = side;
    this.#rules = planOf(written, side);
  }

  get rules(): readonly ActiveMasterRule[] {
    return this.#rules;
  }

  /** The first that matches and has something to do decides; every one that matches counts the call. */
  decide(call: MasterCall, tenant: Tenant): MasterFault | undefined {
    let decided: MasterFault | undefined;
    for (const active of this.#rules) {
      if (!active.rule.calls.has(call)) continue;
      active.matched++;
      decided ??= fire(active, tenant);
    }
    return decided;
  }

  /** Takes up other rules. Throws an `OptionError` when there is no point master to hand them to. */
  replace(written: readonly WrittenMasterRule[] = []): void {
    this.#rules = planOf(written, this.#side);
  }

  /** Takes up another version of the rules: those that are as they were keep what they have counted. */
  revise(written: readonly WrittenMasterRule[] = []): void {
    const before = this.#rules;
    const same = ({ rule }: ActiveMasterRule): ActiveMasterRule | undefined =>
      before.find((known) => known.rule.id === rule.id && isDeepStrictEqual(known.rule.written, rule.written));
    this.#rules = planOf(written, this.#side).map((fresh) => same(fresh) ?? fresh);
  }
}

function planOf(written: readonly WrittenMasterRule[] = [], { hasMaster }: MasterSide): ActiveMasterRule[] {
  if (written.length > 0 && !hasMaster) {
    const way = 'start the simulator --with-master (createSim: withMaster), or leave the section out';
    throw new OptionError(
      'master',
      `the scenario has rules for a point master beside the simulator, and there is none; ${way}`,
    );
  }
  return withIds(written, 'master').map(([id, rule]) => ({ rule: ruleOf(rule, id), matched: 0, hits: 0 }));
}

function ruleOf(written: WrittenMasterRule, id: string): MasterRule {
  const faults = [written.fault].flat().map(faultOf);
  const calls = new Set(written.match?.call === undefined ? faults.flatMap(callsOf) : [written.match.call]);
  const budget = budgetOf({ ...written, match: undefined }, faults.length);
  return { id, written, calls, budget, faults, limit: budget.limit };
}

function faultOf(written: WrittenFault): MasterFault {
  if (typeof written === 'string') return { fault: written };
  const { error, slow, 'late-sync': late } = written;
  if (error !== undefined) return { fault: 'error', status: error };
  return slow === undefined ? { fault: 'late-sync', delay: late } : { fault: 'slow', delay: slow };
}

const callsOf = ({ fault }: MasterFault): readonly MasterCall[] =>
  syncFaults.some((name) => name === fault) ? ['sync'] : ['webhook', 'history'];

function fire(active: ActiveMasterRule, tenant: Tenant): MasterFault | undefined {
  const { rule, matched, hits } = active;
  const label = `${tenant.name}/master/${rule.id}/${matched}`;
  const dice = (name: string): number => draw(tenant.settings.seed, `${label}/${name}`);
  if (obstacle(rule.budget, { matched, hits, now: tenant.clock.now(), dice })) return undefined;
  active.hits++;
  return rule.faults[hits % rule.faults.length];
}
