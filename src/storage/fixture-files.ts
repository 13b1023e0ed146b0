/** Finds and reads the files of a fixture. They are only ever read. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError } from '../core/errors.ts';
import { didYouMean } from '../core/warning.ts';
import { packageFolder } from '../package.ts';
import { textFaults } from './json-places.ts';
import { problemsError } from './problems.ts';
import type { Problem, SourceFile } from './problems.ts';

export interface FixtureFile extends SourceFile {
  readonly data: unknown;
}

/** The fixtures that come along, by the names they can be asked for. */
export const builtInFixtures = ['default', 'empty'] as const;

// Only a person writes a name twice, and no person writes more than this.
const longestHandwritten = 4_000_000;

/** Reads one file, every `.json` file of a folder, or a fixture that comes along. Throws `InputError`. */
export function readFixtureFiles(path: string): FixtureFile[] {
  const builtIn = builtInFixtures.find((name) => name === path);
  if (builtIn) return [parsed(readSource(join(packageFolder, 'fixtures', `${builtIn}.json`)))];
  if (!existsSync(path)) throw new InputError(nothingThere(path));
  const sources = fileNames(path).map(readSource);
  const problems = sources.flatMap((source): Problem[] =>
    source.text.length > longestHandwritten && parses(source.text)
      ? []
      : textFaults(source.text).map(({ path: at, message, offset }) => ({ file: source, path: at, message, offset })),
  );
  if (problems.length > 0) throw problemsError(problems);
  return sources.map(parsed);
}

const parsed = ({ name, text }: SourceFile): FixtureFile => ({ name, text, data: JSON.parse(text) });

// A byte order mark at the start, which Windows editors write, is no part of the text.
const readSource = (name: string): SourceFile => ({ name, text: readFileSync(name, 'utf8').replace(/^\uFEFF/, '') });

function fileNames(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name.endsWith('.json'));
  if (names.length === 0) throw new InputError(`fixtures: the folder ${path} holds no .json file`);
  return names.toSorted().map((name) => join(path, name));
}

function nothingThere(path: string): string {
  const folder = dirname(path);
  const siblings = existsSync(folder) ? readdirSync(folder) : [];
  const near = didYouMean(basename(path), [...siblings, ...builtInFixtures]);
  return (
    `fixtures: there is no file or folder ${resolve(path)}; ` +
    `name a JSON file, a folder of them, or one that comes along: ${builtInFixtures.join(', ')}${near}`
  );
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
