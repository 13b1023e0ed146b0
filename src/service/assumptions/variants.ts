import type { didYouMean } from '../../core/lib/suggest.ts';
import { assumptions } from './catalog.ts';
import type { Assumption } from './catalog.ts';

const byId = new Map<string, Assumption>(assumptions.map((assumption) => [assumption.id, assumption]));

/** Says why an assumption cannot have this variant, with what was perhaps meant; undefined when it can. */
export function variantError(id: string, variant: string, hint: typeof didYouMean): string | undefined {
  const assumption = byId.get(id);
  if (!assumption) return `there is no assumption "${id}"${hint(id, byId.keys())}`;
  const names = ['default', ...Object.keys(assumption.variants)];
  if (names.includes(variant)) return undefined;
  const known = names.length === 1 ? 'it has none but default' : `it has ${names.join(', ')}`;
  return `${id} (${assumption.topic}) has no variant "${variant}"; ${known}${hint(variant, names)}`;
}

/** Returns the variants that an assumption can have besides the one in force; none for an unknown one. */
export function otherVariants(id: string, inForce: string): string[] {
  const assumption = byId.get(id);
  return assumption ? ['default', ...Object.keys(assumption.variants)].filter((name) => name !== inForce) : [];
}

/** Returns the assumption of this id, for telling people about it. */
export const findAssumption = (id: string): Assumption | undefined => byId.get(id);
