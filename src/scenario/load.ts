/** Scenario files: read, checked, and every mistake told with its place. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError } from '../core/lib/input-error.ts';
import { didYouMean } from '../core/lib/suggest.ts';
import { builtInFixtures, siblingNames } from '../storage/fixtures/fixture-files.ts';
import type { JsonPath } from '../storage/files/json-locations.ts';
import { formatDiagnostics } from '../storage/files/file-diagnostics.ts';
import type { SourceFile } from '../storage/files/file-diagnostics.ts';
import { validateScenario } from './scenario-parser.ts';
import { lintIneffectiveRules } from './lint/ineffective-rules.ts';
import type { Diagnostic } from '../core/validation/schema-diagnostics.ts';
import { mergeScenarios } from './merge.ts';
import type { MergedScenario } from './merge.ts';
import { scenarioSchema } from './scenario-schema.ts';
import type { ScenarioSpec } from './scenario-schema.ts';
import { parseSource, readSource } from '../storage/files/source-text.ts';
import { resolveScenarioPath } from './built-in.ts';

export interface LoadedScenario {
  readonly file: string;
  readonly written: ScenarioSpec;
  /** What a person should know although nothing is wrong: `file:line:column: …`. */
  readonly notes: readonly string[];
  /** Says something of a place in it. */
  readonly lineOf: (path: JsonPath, message: string) => string;
}

/** Reads scenarios, files or those that come along by name, as one. Throws `InputError` that names every mistake. */
export function loadScenarios(named: readonly string[]): MergedScenario {
  const wrong: string[] = [];
  const parts = named.flatMap((one): LoadedScenario[] => {
    try {
      return [readScenarioFile(resolveScenarioPath(one))];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      wrong.push(error.message);
      return [];
    }
  });
  if (wrong.length > 0) throw new InputError(wrong.join('\n'));
  return mergeScenarios(parts);
}

/** Reads a YAML or JSON file. Throws `InputError` with a line for each thing wrong in it. */
export const readScenarioFile = (path: string): LoadedScenario => parseScenarioFile(readSource(path));

/** What the text of a file says. Throws as `readScenario` does. */
export function parseScenarioFile(file: SourceFile): LoadedScenario {
  const { data, faults, offsetOf } = parseSource(file);
  if (faults.length > 0) throw new InputError(formatDiagnostics(file, faults).join('\n'));
  const linesOf = (found: readonly Diagnostic[]): string[] =>
    formatDiagnostics(
      file,
      found.map((one) => ({ ...one, offset: offsetOf(one.path) })),
    );
  const folder = dirname(file.name);
  const wrong = [...validateScenario(data), ...fixturesFindings(data, folder)];
  if (wrong.length > 0) throw new InputError(linesOf(wrong).join('\n'));
  const written = withFixturesFrom(folder, scenarioSchema.parse(data));
  const lineOf = (at: JsonPath, message: string): string => linesOf([{ path: at, message }]).join('');
  return { file: file.name, written, notes: linesOf(lintIneffectiveRules(written)), lineOf };
}

const isBuiltIn = (fixtures: string): boolean => builtInFixtures.some((name) => name === fixtures);

const withFixturesFrom = (folder: string, written: ScenarioSpec): ScenarioSpec =>
  written.fixtures === undefined || isBuiltIn(written.fixtures)
    ? written
    : { ...written, fixtures: resolve(folder, written.fixtures) };

function fixturesFindings(data: unknown, folder: string): Diagnostic[] {
  const fixtures = typeof data === 'object' && data !== null && 'fixtures' in data ? data.fixtures : undefined;
  if (typeof fixtures !== 'string' || fixtures === '' || isBuiltIn(fixtures)) return [];
  const path = resolve(folder, fixtures);
  if (existsSync(path)) return [];
  const hint = didYouMean(basename(path), [...siblingNames(path), ...builtInFixtures]);
  return [{ path: ['fixtures'], message: `there is no file or folder ${join(folder, fixtures)}${hint}` }];
}
