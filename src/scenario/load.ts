/** Reads scenario files, validates them, and reports every mistake with its place. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError } from '../core/lib/input-error.ts';
import { didYouMean } from '../core/lib/suggest.ts';
import { diagnosticsError, errorAt } from '../core/validation/diagnostic.ts';
import type { Diagnostic, JsonPath } from '../core/validation/diagnostic.ts';
import { finish } from '../core/time/steps.ts';
import type { Steps } from '../core/time/steps.ts';
import { locateDiagnostics, locateOffsets } from '../storage/files/file-diagnostics.ts';
import { builtInFixtures } from '../service/settings/tenant-options.ts';
import type { SourceFile } from '../storage/files/file-diagnostics.ts';
import { locatorOf } from '../storage/files/json-locations.ts';
import { parseSourceInSteps, readSource } from '../storage/files/source-text.ts';
import { siblingNames } from '../storage/fixtures/fixture-files.ts';
import { resolveScenarioPath } from './built-in.ts';
import { lintIneffectiveRules } from './lint/ineffective-rules.ts';
import { lintIneffectiveSteps } from './lint/ineffective-steps.ts';
import { mergeScenarios } from './merge.ts';
import type { LoadedScenario, MergedScenario } from './merge.ts';
import { validateScenarioInSteps } from './scenario-parser.ts';
import { scenarioSchema } from './scenario-schema.ts';
import type { ScenarioSpec } from './scenario-schema.ts';

/** Reads scenarios, files or built-in ones by name, as one. Throws `InputError` that names every mistake. */
export const loadScenarios = (named: readonly string[]): MergedScenario => finish(loadScenariosInSteps(named));

/** Does the same while others have their turn; what is in the files counts when their turn comes. */
export function* loadScenariosInSteps(named: readonly string[]): Steps<MergedScenario> {
  const wrong: string[] = [];
  const parts: LoadedScenario[] = [];
  for (const one of named) {
    try {
      parts.push(yield* parseScenarioFileInSteps(readSource(resolveScenarioPath(one))));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      wrong.push(error.message);
    }
  }
  if (wrong.length > 0) throw new InputError(wrong.join('\n'));
  return mergeScenarios(parts);
}

/** Reads a YAML or JSON file. Throws `InputError` with a line for each thing wrong in it. */
export const readScenarioFile = (path: string): LoadedScenario => parseScenarioFile(readSource(path));

/** Parses the text of a scenario file. Throws as `readScenarioFile` does. */
export const parseScenarioFile = (file: SourceFile): LoadedScenario => finish(parseScenarioFileInSteps(file));

function* parseScenarioFileInSteps(file: SourceFile): Steps<LoadedScenario> {
  const { data, diagnostics, offsetOf } = yield* parseSourceInSteps(file);
  if (diagnostics.length > 0) throw diagnosticsError(locateOffsets(file, diagnostics));
  const locationOf = locatorOf(file.text);
  const locate = (path: JsonPath) => locationOf(offsetOf(path));
  const folder = dirname(file.name);
  const wrong = [...(yield* validateScenarioInSteps(data)), ...lintFixtures(data, folder)];
  if (wrong.length > 0) throw diagnosticsError(locateDiagnostics(file.name, wrong, locate));
  yield;
  const spec = withFixturesFrom(folder, scenarioSchema.parse(data));
  const ineffective = [...(yield* lintIneffectiveRules(spec)), ...(yield* lintIneffectiveSteps(spec))];
  return { file: file.name, spec, warnings: locateDiagnostics(file.name, ineffective, locate), locate };
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
