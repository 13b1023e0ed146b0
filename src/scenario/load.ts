/** Scenario files: read, checked, and every mistake told with its place. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError } from '../core/errors.ts';
import { didYouMean } from '../core/warning.ts';
import { builtInFixtures, namesBeside } from '../storage/fixture-files.ts';
import type { JsonPath } from '../storage/json-places.ts';
import { problemLines } from '../storage/problems.ts';
import type { SourceFile } from '../storage/problems.ts';
import { findingsIn } from './checked.ts';
import { doubts } from './idle-rules.ts';
import type { Finding } from './findings.ts';
import { mergeScenarios } from './merge.ts';
import type { MergedScenario } from './merge.ts';
import { scenarioSchema } from './scenario-schema.ts';
import type { WrittenScenario } from './scenario-schema.ts';
import { parseSource, readSource } from './scenario-text.ts';
import { pathOfScenario } from './shipped.ts';

export interface LoadedScenario {
  readonly file: string;
  readonly written: WrittenScenario;
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
      return [readScenario(pathOfScenario(one))];
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
export const readScenario = (path: string): LoadedScenario => scenarioIn(readSource(path));

/** What the text of a file says. Throws as `readScenario` does. */
export function scenarioIn(file: SourceFile): LoadedScenario {
  const { data, faults, offsetOf } = parseSource(file);
  if (faults.length > 0) throw new InputError(problemLines(file, faults).join('\n'));
  const linesOf = (found: readonly Finding[]): string[] =>
    problemLines(
      file,
      found.map((one) => ({ ...one, offset: offsetOf(one.path) })),
    );
  const folder = dirname(file.name);
  const wrong = [...findingsIn(data), ...fixturesFindings(data, folder)];
  if (wrong.length > 0) throw new InputError(linesOf(wrong).join('\n'));
  const written = withFixturesFrom(folder, scenarioSchema.parse(data));
  const lineOf = (at: JsonPath, message: string): string => linesOf([{ path: at, message }]).join('');
  return { file: file.name, written, notes: linesOf(doubts(written)), lineOf };
}

const isBuiltIn = (fixtures: string): boolean => builtInFixtures.some((name) => name === fixtures);

const withFixturesFrom = (folder: string, written: WrittenScenario): WrittenScenario =>
  written.fixtures === undefined || isBuiltIn(written.fixtures)
    ? written
    : { ...written, fixtures: resolve(folder, written.fixtures) };

function fixturesFindings(data: unknown, folder: string): Finding[] {
  const fixtures = typeof data === 'object' && data !== null && 'fixtures' in data ? data.fixtures : undefined;
  if (typeof fixtures !== 'string' || fixtures === '' || isBuiltIn(fixtures)) return [];
  const path = resolve(folder, fixtures);
  if (existsSync(path)) return [];
  const hint = didYouMean(basename(path), [...namesBeside(path), ...builtInFixtures]);
  return [{ path: ['fixtures'], message: `there is no file or folder ${join(folder, fixtures)}${hint}` }];
}
