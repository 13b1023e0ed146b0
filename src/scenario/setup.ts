/** Holds how a scenario sets tenants up, apart from its rules. */
import { isDeepStrictEqual } from 'node:util';
import { assignIds } from '../core/lib/rule-set.ts';
import { tenantOptionNames } from '../service/settings/tenant-options.ts';
import type { TenantOptionName } from '../service/settings/tenant-options.ts';
import type { ScenarioSpec } from './scenario-schema.ts';

/** Holds what a scenario says of the set-up, by the names of the options. */
export type ScenarioSetup = Pick<ScenarioSpec, TenantOptionName>;

export const setupOf = (spec: ScenarioSpec): ScenarioSetup =>
  defined(Object.fromEntries(tenantOptionNames.map((name) => [name, spec[name]])));

/** True when a change needs new tenants: a running one can't apply it. */
export const needsNewTenants = ({ fields }: ScenarioChange): boolean =>
  tenantOptionNames.some((name) => fields.includes(name));

/** Merges setups: later ones win, but assumptions add up; what is undefined says nothing. */
export function mergeSetups<Layer extends { readonly assumptions?: Readonly<Record<string, string>> | undefined }>(
  ...layers: readonly Layer[]
): Layer {
  const assumptions = Object.assign({}, ...layers.map((layer) => layer.assumptions));
  return Object.assign({}, ...layers.map(defined), { assumptions });
}

// The same fields, fewer of them: each was optional.
const defined = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

/** Lists the differences between two scenarios. */
export interface ScenarioChange {
  /** Lists ids of rules. */
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Lists the names of other fields that differ. */
  readonly fields: readonly string[];
}

export function diffScenarios(before: ScenarioSpec, after: ScenarioSpec): ScenarioChange {
  const [old, fresh] = [byId(before), byId(after)];
  const isSame = (id: string): boolean => isDeepStrictEqual(old.get(id), fresh.get(id));
  // Any field of either; both are of one type.
  const names = Object.keys({ ...before, ...after }) as (keyof ScenarioSpec)[];
  return {
    added: [...fresh.keys()].filter((id) => !old.has(id)),
    changed: [...fresh.keys()].filter((id) => old.has(id) && !isSame(id)),
    removed: [...old.keys()].filter((id) => !fresh.has(id)),
    fields: names.filter((name) => name !== 'rules' && !isDeepStrictEqual(before[name], after[name])),
  };
}

const byId = ({ rules = [] }: ScenarioSpec) => new Map(assignIds(rules, 'rule'));
