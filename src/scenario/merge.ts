/** Merges several scenarios into one. */
import { isDeepStrictEqual } from 'node:util';
import { diagnosticsError, errorAt, warningAt } from '../core/validation/diagnostic.ts';
import type { Diagnostic, JsonPath } from '../core/validation/diagnostic.ts';
import { validateListLengths } from '../core/validation/schema-diagnostics.ts';
import type { TextLocation } from '../storage/files/json-locations.ts';
import { scenarioSchema } from './scenario-schema.ts';
import type { ScenarioSpec } from './scenario-schema.ts';

export interface LoadedScenario {
  readonly file: string;
  readonly spec: ScenarioSpec;
  readonly warnings: readonly Diagnostic[];
  /** Returns where a value stands in the file. */
  readonly locate: (path: JsonPath) => TextLocation;
}

export interface MergedScenario {
  readonly files: readonly string[];
  readonly spec: ScenarioSpec;
  readonly warnings: readonly Diagnostic[];
}

/**
 * Joins lists such as rules, adds up assumptions, and takes any other field from the last file that has it.
 * Throws `InputError` when two rules have the same id, or a list has become too long.
 */
export function mergeScenarios(parts: readonly LoadedScenario[]): MergedScenario {
  const repeated = parts.flatMap((part, i) => findRepeatedIds(part, parts.slice(0, i)));
  if (repeated.length > 0) throw diagnosticsError(repeated);
  const warnings = parts.flatMap((part) => part.warnings);
  const merged: Record<string, unknown> = {};
  for (const [i, part] of parts.entries()) {
    warnings.push(...findOverriddenFields(part, parts.slice(0, i)));
    Object.assign(merged, joined(merged, part.spec));
  }
  const tooLong = validateListLengths(scenarioSchema, merged);
  const together = parts.map(({ file }) => file).join(' and ');
  if (tooLong.length > 0) throw diagnosticsError(tooLong.map((one) => ({ ...one, file: together })));
  // Fields of the parts, each as its schema has it.
  return { files: parts.map(({ file }) => file), spec: merged as ScenarioSpec, warnings };
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

/** Warns about fields for which an earlier file has another value. */
function findOverriddenFields(part: LoadedScenario, earlier: readonly LoadedScenario[]): Diagnostic[] {
  const { spec } = part;
  // Names of the schema, which is where it came from.
  const names = Object.keys(spec) as (keyof ScenarioSpec)[];
  return names.flatMap((name) => {
    const value = spec[name];
    if (name in separators || name === '$schema' || Array.isArray(value)) return [];
    if (name === 'assumptions') return findOverriddenAssumptions(part, earlier);
    const other = earlier.findLast((one) => one.spec[name] !== undefined);
    if (!other || isDeepStrictEqual(other.spec[name], value)) return [];
    return [overrides(part, [name], JSON.stringify(other.spec[name]), other)];
  });
}

const overrides = (part: LoadedScenario, path: JsonPath, before: string, other: LoadedScenario): Diagnostic =>
  placed(part, warningAt(path, `is used instead of ${before}, which ${other.file} says`));

const placed = ({ file, locate }: LoadedScenario, diagnostic: Diagnostic): Diagnostic => ({
  ...diagnostic,
  file,
  ...locate(diagnostic.path),
});

function findOverriddenAssumptions(part: LoadedScenario, earlier: readonly LoadedScenario[]): Diagnostic[] {
  const { assumptions = {} } = part.spec;
  return Object.entries(assumptions).flatMap(([id, variant]) => {
    const other = earlier.findLast(({ spec }) => spec.assumptions?.[id] !== undefined);
    const before = other?.spec.assumptions?.[id];
    if (!other || before === variant) return [];
    return [overrides(part, ['assumptions', id], `"${before}"`, other)];
  });
}

function findRepeatedIds(part: LoadedScenario, earlier: readonly LoadedScenario[]): Diagnostic[] {
  return (part.spec.rules ?? []).flatMap(({ id }, i) => {
    const other = earlier.find((one) => one.spec.rules?.some((rule) => rule.id === id));
    if (id === undefined || !other) return [];
    return [
      placed(
        part,
        errorAt(['rules', i, 'id'], `is "${id}", which is the id of a rule of ${other.file} too: ids must be unique`),
      ),
    ];
  });
}
