import { compileActivation } from '../core/lib/activation.ts';
import { seededRandom } from '../core/lib/random.ts';
import { RuleKind } from '../core/lib/rule-set.ts';
import type { ActiveRule, CompiledRule } from '../core/lib/rule-set.ts';
import type { TenantContext } from '../core/tenant/context.ts';
import { syncFaultNames } from './point-master-rule-schema.ts';
import type { PointMasterRequestKind, PointMasterRuleSpec } from './point-master-rule-schema.ts';

type PointMasterFaultSpec = Exclude<PointMasterRuleSpec['fault'], readonly unknown[]>;

/** Describes a fault of a request to the point master, or of one by it. */
export interface PointMasterFault {
  readonly fault: Extract<PointMasterFaultSpec, string> | 'slow' | 'late-sync';
  /** Holds the status of `error`. */
  readonly status?: number | undefined;
  /** Holds the delay of `slow` and `late-sync`, in ms of real time. */
  readonly delay?: number | undefined;
}

/** Holds a request to the point master, or one by it, as rules see it. */
export interface MatchablePointMasterRequest {
  readonly kind: PointMasterRequestKind;
  readonly tenant: TenantContext;
}

export type PointMasterRule = CompiledRule<PointMasterRuleSpec, MatchablePointMasterRequest, PointMasterFault>;

export type ActivePointMasterRule = ActiveRule<PointMasterRule, MatchablePointMasterRequest>;

export const pointMasterRuleKind = new RuleKind<
  PointMasterRuleSpec,
  MatchablePointMasterRequest,
  PointMasterFault,
  PointMasterRule
>({ prefix: 'point-master', compile: compilePointMasterRule });

function compilePointMasterRule(spec: PointMasterRuleSpec, id: string): PointMasterRule {
  const faults = [spec.fault].flat().map(compilePointMasterFault);
  const kinds = new Set(spec.match?.request === undefined ? faults.flatMap(requestKindsOf) : [spec.match.request]);
  const activation = compileActivation(spec, faults.length);
  return {
    id,
    spec,
    matches: ({ kind }) => kinds.has(kind),
    activation,
    faults,
    limit: activation.limit,
    createSampler: () => samplerForRequest(id),
  };
}

/** Draws by how many requests the rule has matched. */
const samplerForRequest =
  (id: string) =>
  ({ tenant }: MatchablePointMasterRequest, matched: number) =>
  (name: string): number =>
    seededRandom(tenant.settings.seed, `${tenant.name}/master/${id}/${matched}/${name}`);

function compilePointMasterFault(spec: PointMasterFaultSpec): PointMasterFault {
  if (typeof spec === 'string') return { fault: spec };
  const { error, slow, 'late-sync': late } = spec;
  if (error !== undefined) return { fault: 'error', status: error };
  return slow === undefined ? { fault: 'late-sync', delay: late } : { fault: 'slow', delay: slow };
}

const requestKindsOf = ({ fault }: PointMasterFault): readonly PointMasterRequestKind[] =>
  syncFaultNames.some((name) => name === fault) ? ['sync'] : ['webhook', 'history'];
