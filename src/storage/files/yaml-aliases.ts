/** Finds what the aliases (`*name`) of a YAML document stand for, and whether that makes sense. */
import { isAlias, isCollection, isPair } from 'yaml';
import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { errorAt } from '../../core/validation/diagnostic.ts';
import type { TextDiagnostic } from './json-locations.ts';
import { isWithin, nodeOffset } from './yaml-places.ts';
import type { Place } from './yaml-places.ts';

/** Limits aliases of aliases, which can expand to any number of values. */
const maxExpansion = 100;

/** Limits the aliases of a file: each is compared with all others. */
const maxAliases = 1000;

/** Describes an alias, and the value that it stands for: the last one before it with its anchor. */
export interface UsedAlias {
  readonly name: string;
  readonly place: Place;
  readonly target: Place | undefined;
}

/** Returns the aliases in the order of the text. */
export function* aliasesIn(places: readonly Place[]): Steps<UsedAlias[]> {
  const anchored = new Map<string, Place>();
  const aliases: UsedAlias[] = [];
  yield* forEachInSteps(places, (place) => {
    const { node } = place;
    if (isAlias(node)) aliases.push({ name: node.source, place, target: anchored.get(node.source) });
    else if (node?.anchor !== undefined) anchored.set(node.anchor, place);
  });
  return aliases;
}

/** Finds aliases without an anchor, aliases of a value that they are part of, and the first of too many. */
export function checkAliases(aliases: readonly UsedAlias[]): TextDiagnostic[] {
  const surplus = aliases[maxAliases];
  if (surplus) {
    const message = `is alias number ${maxAliases + 1}, of at most ${maxAliases} in a file; write out what they mean`;
    return [{ ...errorAt([], message), offset: nodeOffset(surplus.place.node) }];
  }
  return aliases.flatMap(({ name, place, target }) => {
    if (target && !isWithin(place, target)) return [];
    const why = target ? 'stands for what it is a part of' : `stands for nothing: there is no &${name} before it`;
    return [{ ...errorAt([], `*${name} ${why}`), offset: nodeOffset(place.node) }];
  });
}

/** Counts how often a value is used, and to how many values it expands: the most that any value in it stands for. */
interface Use {
  count: number;
  size: number;
}

/** True when aliases stand for too much; counts as the library does. Each must stand for something that it is no part of. */
export function* expandTooFar(aliases: readonly UsedAlias[]): Steps<boolean> {
  const uses = new Map<Place | undefined, Use>();
  const sizeOf = ({ target }: UsedAlias): number => {
    const { count, size } = uses.get(target) ?? { count: 0, size: 0 };
    return count * size;
  };
  for (const { target } of aliases) {
    if (!target) continue;
    const use: Use = uses.get(target) ?? { count: 1, size: 0 };
    uses.set(target, use);
    use.count++;
    if (use.size === 0) {
      const inside = aliases.filter(({ place }) => isWithin(place, target)).map(sizeOf);
      use.size = Math.max(holdsText(target.node) ? 1 : 0, ...inside);
    }
    if (use.count * use.size > maxExpansion) return true;
    yield;
  }
  return false;
}

/** True for a text or number, and for what holds one; an object has names. */
const holdsText = (node: unknown): boolean =>
  isCollection(node) ? node.items.some((item) => isPair(item) || holdsText(item)) : !isAlias(node);
