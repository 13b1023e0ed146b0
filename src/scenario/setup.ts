/** How a scenario sets tenants up, apart from what goes wrong for them. */
import { isDeepStrictEqual } from 'node:util';
import { assignIds } from '../core/lib/rule-set.ts';
import type { ScenarioSpec } from './scenario-schema.ts';

/** The fields of a scenario that a tenant is made with; any other can be taken up while it is there. */
export const setupFields = [
  'fixtures',
  'mode',
  'now',
  'seed',
  'queueDelay',
  'fieldValidation',
  'assumptions',
] as const satisfies readonly (keyof ScenarioSpec)[];

/** What a scenario says of the set-up, by the names that options have. */
export type ScenarioSetup = Pick<
  ScenarioSpec,
  'fixtures' | 'mode' | 'now' | 'seed' | 'queueDelay' | 'fieldValidation'
> & { readonly assumptions?: ScenarioSpec['assumptions'] };

export function setupOf(written: ScenarioSpec): ScenarioSetup {
  const { fixtures, mode, now, seed, queueDelay, fieldValidation, assumptions } = written;
  return defined({ fixtures, mode, now, seed, queueDelay, fieldValidation, assumptions });
}

/** Whether a change is one that a tenant which is there can't take up. */
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

/** What tells two scenarios apart. */
export interface ScenarioChange {
  /** Ids of rules. */
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Names of other fields. */
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
