/** Scenario files: read, checked, and every mistake told with its place. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError } from '../core/errors.ts';
import { didYouMean } from '../core/warning.ts';
import { builtInFixtures } from '../storage/fixture-files.ts';
import { problemLines } from '../storage/problems.ts';
import { doubts } from './idle-rules.ts';
import { schemaFindings } from './findings.ts';
import type { Finding } from './findings.ts';
import { rulesFindings } from './reading.ts';
import { scenarioSchema } from './scenario-schema.ts';
import type { WrittenScenario } from './scenario-schema.ts';
import { parseSource, readSource } from './scenario-text.ts';
import { namesFindings } from './script-names.ts';
import { pathOfScenario } from './shipped.ts';

export interface LoadedScenario {
  readonly file: string;
  readonly written: WrittenScenario;
  /** What a person should know although nothing is wrong: `file:line:column: …`. */
  readonly notes: readonly string[];
}

/** Reads a scenario: a file, or one that comes along, by its name. Throws `InputError`. */
export const loadScenario = (named: string): LoadedScenario => readScenario(pathOfScenario(named));

/** Reads a YAML or JSON file. Throws `InputError` with a line for each thing wrong in it. */
export function readScenario(path: string): LoadedScenario {
  const file = readSource(path);
  const { data, faults, offsetOf } = parseSource(file);
  if (faults.length > 0) throw new InputError(problemLines(file, faults).join('\n'));
  const linesOf = (found: readonly Finding[]): string[] =>
    problemLines(
      file,
      found.map((one) => ({ ...one, offset: offsetOf(one.path) })),
    );
  const folder = dirname(path);
  const wrong = [...scenarioFindings(data), ...fixturesFindings(data, folder)];
  if (wrong.length > 0) throw new InputError(linesOf(wrong).join('\n'));
  const written = withFixturesFrom(folder, scenarioSchema.parse(data));
  return { file: path, written, notes: linesOf(doubts(written)) };
}

/** Everything wrong with a scenario, apart from what its files should be. */
export function scenarioFindings(data: unknown): Finding[] {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    return [{ path: [], message: 'must be an object with fields such as name, description and rules' }];
  }
  return [...schemaFindings(scenarioSchema, data), ...rulesFindings(data), ...namesFindings(data)];
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
  const around = dirname(path);
  const near = existsSync(around) ? readdirSync(around) : [];
  const hint = didYouMean(basename(path), [...near, ...builtInFixtures]);
  return [{ path: ['fixtures'], message: `there is no file or folder ${join(folder, fixtures)}${hint}` }];
}
