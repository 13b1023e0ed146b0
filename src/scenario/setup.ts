/** Holds how a scenario sets tenants up, apart from its rules. */
import { isDeepStrictEqual } from 'node:util';
import { assignIds } from '../core/lib/rule-set.ts';
import type { ScenarioSpec } from './scenario-schema.ts';

/** Names the fields that a tenant is created with; any other can be replaced while it runs. */
export const setupFields = [
  'fixtures',
  'mode',
  'now',
  'seed',
  'queueDelay',
  'fieldValidation',
  'assumptions',
] as const satisfies readonly (keyof ScenarioSpec)[];

/** Holds the set-up of a scenario, by the names of options. */
export type ScenarioSetup = Pick<
  ScenarioSpec,
  'fixtures' | 'mode' | 'now' | 'seed' | 'queueDelay' | 'fieldValidation'
> & { readonly assumptions?: ScenarioSpec['assumptions'] };

export function setupOf(written: ScenarioSpec): ScenarioSetup {
  const { fixtures, mode, now, seed, queueDelay, fieldValidation, assumptions } = written;
  return defined({ fixtures, mode, now, seed, queueDelay, fieldValidation, assumptions });
}

/** True when a change needs new tenants: a running one can't apply it. */
export const needsNewTenants = ({ fields }: ScenarioChange): boolean =>
  setupFields.some((name) => fields.includes(name));

/** Later ones win, but assumptions add up; what is undefined says nothing. */
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
  /** Ids of rules. */
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
