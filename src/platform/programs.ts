/** Finds the program that a command names, as a shell of the system would, and plans how to start it. */
import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { InputError } from '../core/lib/input-error.ts';
import { isWindows } from './platform.ts';
import type { Platform } from './platform.ts';
import { quoteForWindows } from '../core/lib/shell-words.ts';
import { commandInterpreter, variable } from './shell.ts';
import type { SpawnPlan } from './shell.ts';

/** Describes the system that a program is looked up on. */
export interface ProgramPlace {
  readonly platform: Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly isFile: (path: string) => boolean;
  readonly isExecutable: (path: string) => boolean;
}

/** Returns this system, with the environment that the program gets. */
export const ownPlace = (env: ProgramPlace['env']): ProgramPlace => ({
  platform: process.platform,
  env,
  folder: process.cwd(),
  isFile,
  isExecutable: (path) => isFile(path) && canExecute(path),
});

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

function canExecute(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns how to start a command. Throws `InputError` when there is no such program. */
export const planSpawn = (command: readonly string[], place: ProgramPlace): SpawnPlan => {
  const [program = '', ...args] = command;
  if (isWindows(place.platform)) return planOnWindows(program, args, place);
  assertExecutable(program, place);
  return { file: program, args, isVerbatim: false };
};

function assertExecutable(program: string, { env, isFile: isThere, isExecutable }: ProgramPlace): void {
  const folders = (env['PATH'] ?? '').split(posix.delimiter);
  const paths = program.includes('/') ? [program] : folders.map((folder) => posix.join(folder, program));
  if (program !== '' && paths.some(isExecutable)) return;
  if (program !== '' && paths.some(isThere)) {
    throw new InputError(`"${program}" can't be run: it is not executable (chmod +x ${program}).`);
  }
  throw noProgram(program);
}

const noProgram = (program: string): InputError =>
  new InputError(`There is no program "${program}"; name one after --, such as -- npm test`);

const defaultEndings = '.COM;.EXE;.BAT;.CMD';
const batchFile = /\.(?:bat|cmd)$/i;
const startedDirectly = /\.(?:com|exe)$/i;

/** Plans a program by its ending: batch files run in cmd.exe, which alone can read them. */
function planOnWindows(program: string, args: readonly string[], place: ProgramPlace): SpawnPlan {
  const file = program === '' ? undefined : candidates(program, place).find(place.isFile);
  if (file === undefined) throw noProgram(program);
  if (startedDirectly.test(file)) return { file, args, isVerbatim: false };
  if (!batchFile.test(file)) {
    throw new InputError(
      `"${program}" can't be run: Windows starts no such file; name the program that runs it, such as node ${program}.`,
    );
  }
  // Without delayed expansion, and with the extensions that the batch files of npm need.
  const line = [quoteForWindows(file), ...args.map(batchWord)].join(' ');
  return {
    file: commandInterpreter(place.env),
    args: ['/e:on', '/v:off', '/d', '/s', '/c', `"${line}"`],
    isVerbatim: true,
  };
}

/** Lists where a program may lie: cmd.exe looks into the folder it is in before PATH, and tries endings. */
function candidates(program: string, { env, folder }: ProgramPlace): string[] {
  const endings = (variable(env, 'PATHEXT') ?? defaultEndings).split(';').filter((ending) => ending !== '');
  const isPath = /[\\/]/.test(program) || /^[a-z]:/i.test(program);
  const folders = (variable(env, 'PATH') ?? '').split(win32.delimiter).map(unquoted);
  const paths = isPath
    ? [win32.resolve(folder, program)]
    : [folder, ...folders].filter((one) => one !== '').map((one) => win32.join(one, program));
  const hasEnding = endings.some((ending) => program.toLowerCase().endsWith(ending.toLowerCase()));
  // A file of just that name comes last: npm puts a script for other shells next to each of its batch files.
  return paths.flatMap((path) => [
    ...(hasEnding ? [path] : []),
    ...endings.map((ending) => path + ending.toLowerCase()),
    ...(hasEnding ? [] : [path]),
  ]);
}

const unquoted = (folder: string): string => folder.replaceAll('"', '').trim();

/** Quotes a word for a batch file, which reads its line again; the percent sign would name a variable. */
function batchWord(word: string): string {
  if (/[\r\n]/.test(word)) {
    throw new InputError(`A batch file of Windows takes no argument with a line break: ${JSON.stringify(word)}`);
  }
  // An empty part of a variable that is always there, so that no name stands between two percent signs.
  return quoteForWindows(word).replaceAll('%', '%%cd:~,%');
}
