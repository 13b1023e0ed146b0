/** Reads scenario files, validates them, and reports every mistake with its place. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError } from '../core/lib/input-error.ts';
import { didYouMean } from '../core/lib/suggest.ts';
import { diagnosticsError, errorAt } from '../core/validation/diagnostic.ts';
import type { Diagnostic, JsonPath } from '../core/validation/diagnostic.ts';
import { locateDiagnostics, locateOffsets } from '../storage/files/file-diagnostics.ts';
import { builtInFixtures } from '../service/settings/tenant-options.ts';
import type { SourceFile } from '../storage/files/file-diagnostics.ts';
import { locationAt } from '../storage/files/json-locations.ts';
import { parseSource, readSource } from '../storage/files/source-text.ts';
import { siblingNames } from '../storage/fixtures/fixture-files.ts';
import { resolveScenarioPath } from './built-in.ts';
import { lintIneffectiveRules } from './lint/ineffective-rules.ts';
import { lintIneffectiveSteps } from './lint/ineffective-steps.ts';
import { mergeScenarios } from './merge.ts';
import type { LoadedScenario, MergedScenario } from './merge.ts';
import { validateScenario } from './scenario-parser.ts';
import { scenarioSchema } from './scenario-schema.ts';
import type { ScenarioSpec } from './scenario-schema.ts';

/** Reads scenarios, files or built-in ones by name, as one. Throws `InputError` that names every mistake. */
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

/** Parses the text of a scenario file. Throws as `readScenarioFile` does. */
export function parseScenarioFile(file: SourceFile): LoadedScenario {
  const { data, diagnostics, offsetOf } = parseSource(file);
  if (diagnostics.length > 0) throw diagnosticsError(locateOffsets(file, diagnostics));
  const locate = (path: JsonPath) => locationAt(file.text, offsetOf(path));
  const folder = dirname(file.name);
  const wrong = [...validateScenario(data), ...lintFixtures(data, folder)];
  if (wrong.length > 0) throw diagnosticsError(locateDiagnostics(file.name, wrong, locate));
  const spec = withFixturesFrom(folder, scenarioSchema.parse(data));
  const warnings = locateDiagnostics(file.name, [...lintIneffectiveRules(spec), ...lintIneffectiveSteps(spec)], locate);
  return { file: file.name, spec, warnings, locate };
}

const isBuiltIn = (fixtures: string): boolean => builtInFixtures.some((name) => name === fixtures);

const withFixturesFrom = (folder: string, spec: ScenarioSpec): ScenarioSpec =>
  spec.fixtures === undefined || isBuiltIn(spec.fixtures)
    ? spec
    : { ...spec, fixtures: resolve(folder, spec.fixtures) };

function lintFixtures(data: unknown, folder: string): Diagnostic[] {
  const fixtures = typeof data === 'object' && data !== null && 'fixtures' in data ? data.fixtures : undefined;
  if (typeof fixtures !== 'string' || fixtures === '' || isBuiltIn(fixtures)) return [];
  const path = resolve(folder, fixtures);
  if (existsSync(path)) return [];
  const hint = didYouMean(basename(path), [...siblingNames(path), ...builtInFixtures]);
  return [errorAt(['fixtures'], `there is no file or folder ${join(folder, fixtures)}${hint}`)];
}
