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

/** Whether a path that somebody else names can be one of a fixture: any other file is left unread. */
export const mayBeFixture = (path: string): boolean =>
  path.endsWith('.json') || builtInFixtures.some((name) => name === path) || isFolder(path);

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

// Only a person writes a name twice, and no person writes more than this.
const longestHandwritten = 4_000_000;

/** Reads one file, every `.json` file of a folder, or a fixture that comes along. Throws `InputError`. */
export function readFixtureFiles(path: string): FixtureFile[] {
  const builtIn = builtInFixtures.find((name) => name === path);
  if (builtIn) return [parsed(readSource(join(packageFolder, 'fixtures', `${builtIn}.json`)))];
  if (!existsSync(path)) throw new InputError(nothingThere(path));
  const sources = fileNames(path).map(readSource);
  const problems = sources.filter(isHandwritten).flatMap(faultsOf);
  if (problems.length > 0) throw problemsError(problems);
  return sources.map(parsed);
}

const isHandwritten = ({ text }: SourceFile): boolean => text.length <= longestHandwritten;

const faultsOf = (file: SourceFile): Problem[] =>
  textFaults(file.text).map(({ path, message, offset }) => ({ file, path, message, offset }));

function parsed(file: SourceFile): FixtureFile {
  try {
    return { ...file, data: JSON.parse(file.text) };
  } catch (error) {
    const problems = faultsOf(file);
    throw problems.length > 0 ? problemsError(problems) : error;
  }
}

function readSource(name: string): SourceFile {
  try {
    // A byte order mark at the start, which Windows editors write, is no part of the text.
    return { name, text: readFileSync(name, 'utf8').replace(/^\uFEFF/, '') };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const wayOut = reason.includes('longer than') ? '; split the file, and name the folder that holds its parts' : '';
    throw new InputError(`fixtures: ${name} can't be read: ${reason}${wayOut}`);
  }
}

function fileNames(path: string): string[] {
  const found = statSync(path);
  // A device may never come to an end.
  if (found.isCharacterDevice() || found.isBlockDevice())
    throw new InputError(`fixtures: ${path} is no file or folder`);
  if (!found.isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name.endsWith('.json'));
  if (names.length === 0) throw new InputError(`fixtures: the folder ${path} holds no .json file`);
  return names.toSorted().map((name) => join(path, name));
}

function nothingThere(path: string): string {
  const near = didYouMean(basename(path), [...namesBeside(path), ...builtInFixtures]);
  return (
    `fixtures: there is no file or folder ${resolve(path)}; ` +
    `name a JSON file, a folder of them, or one that comes along: ${builtInFixtures.join(', ')}${near}`
  );
}

/** The names in the folder that a path is in; none when that is no folder, or can't be read. */
export function namesBeside(path: string): string[] {
  try {
    return readdirSync(dirname(path));
  } catch {
    return [];
  }
}
