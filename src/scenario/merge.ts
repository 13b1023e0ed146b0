/** Several scenarios as one. */
import { isDeepStrictEqual } from 'node:util';
import { InputError } from '../core/lib/input-error.ts';
import type { LoadedScenario } from './load.ts';
import type { ScenarioSpec } from './scenario-schema.ts';

export interface MergedScenario {
  readonly files: readonly string[];
  readonly written: ScenarioSpec;
  readonly notes: readonly string[];
}

/**
 * Lists such as rules follow one another, assumptions add up, and of anything else the last one that says it is right.
 * Throws `InputError` when an id is not one rule's alone.
 */
export function mergeScenarios(parts: readonly LoadedScenario[]): MergedScenario {
  const repeated = parts.flatMap((part, i) => repeatedIds(part, parts.slice(0, i)));
  if (repeated.length > 0) throw new InputError(repeated.join('\n'));
  const notes = parts.flatMap(({ notes: own }) => own);
  const merged: Record<string, unknown> = {};
  for (const [i, part] of parts.entries()) {
    notes.push(...findOverriddenFields(part, parts.slice(0, i)));
    Object.assign(merged, joined(merged, part.written));
  }
  // Fields of the parts, each as its schema has it.
  return { files: parts.map(({ file }) => file), written: merged as ScenarioSpec, notes };
}

const separators: Readonly<Record<string, string>> = { name: ' + ', description: ' ' };

const joined = (before: Readonly<Record<string, unknown>>, part: ScenarioSpec): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(part).map(([name, value]: [string, unknown]) => [name, joinedField(name, before[name], value)]),
  );

function joinedField(name: string, before: unknown, value: unknown): unknown {
  if (before === undefined) return value;
  if (name in separators) return `${String(before)}${separators[name]}${String(value)}`;
  if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value];
  if (name === 'assumptions') return Object.assign({}, before, value);
  return value;
}

/** Fields that earlier parts say otherwise. */
function findOverriddenFields({ written, lineOf }: LoadedScenario, earlier: readonly LoadedScenario[]): string[] {
  // Names of the schema, which is where it came from.
  const names = Object.keys(written) as (keyof ScenarioSpec)[];
  return names.flatMap((name) => {
    const value = written[name];
    if (name in separators || name === '$schema' || Array.isArray(value)) return [];
    if (name === 'assumptions') return overruledAssumptions({ written, lineOf }, earlier);
    const other = earlier.findLast((part) => part.written[name] !== undefined);
    if (!other || isDeepStrictEqual(other.written[name], value)) return [];
    return [lineOf([name], `is used instead of ${JSON.stringify(other.written[name])}, which ${other.file} says`)];
  });
}

function overruledAssumptions(
  { written: { assumptions = {} }, lineOf }: Pick<LoadedScenario, 'written' | 'lineOf'>,
  earlier: readonly LoadedScenario[],
): string[] {
  return Object.entries(assumptions).flatMap(([id, variant]) => {
    const other = earlier.findLast(({ written }) => written.assumptions?.[id] !== undefined);
    const before = other?.written.assumptions?.[id];
    if (!other || before === variant) return [];
    return [lineOf(['assumptions', id], `is used instead of "${before}", which ${other.file} says`)];
  });
}

function repeatedIds({ written, lineOf }: LoadedScenario, earlier: readonly LoadedScenario[]): string[] {
  return (written.rules ?? []).flatMap(({ id }, i) => {
    const other = earlier.find((part) => part.written.rules?.some((rule) => rule.id === id));
    if (id === undefined || !other) return [];
    return [lineOf(['rules', i, 'id'], `is "${id}", as that of a rule of ${other.file}: ids tell rules apart`)];
  });
}
