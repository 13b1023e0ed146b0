/** Says by which command a client of this folder runs as a program. */
import { spawnSync } from 'node:child_process';
import { extname, join } from 'node:path';
import { folderWith } from '../../support/folders.ts';
import type { ExploredClient } from './tills.ts';

const interpreters: Readonly<Record<string, readonly string[]>> = {
  '.mjs': [process.execPath],
  '.sh': ['bash'],
  '.py': ['python3'],
  '.php': ['php'],
  '.rb': ['ruby'],
  '.pl': ['perl'],
};

/** Returns the command that runs a client, whose file is in this folder. */
export function commandOf(
  { file, function: name, args = [] }: ExploredClient,
  folder: string,
): readonly [string, ...string[]] {
  if (name !== undefined) return [process.execPath, join(folder, 'run.mjs'), file, name];
  if (extname(file) === '.java') {
    const main = file.replace(/^.*\//, '').replace('.java', '');
    return [
      'java',
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      '-cp',
      compileExploredClients(folder),
      main,
      ...args,
    ];
  }
  const [command = '', ...before] = interpreters[extname(file)] ?? [];
  return [command, ...before, join(folder, file), ...args];
}

let compiled: string | undefined;

/** Compiles the Java programs once; returns where the classes are. */
export function compileExploredClients(folder: string): string {
  if (compiled !== undefined) return compiled;
  const classes = folderWith();
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', `javac -J-XX:TieredStopAtLevel=1 -d ${classes} ${folder}/programs/*.java`],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr);
  compiled = classes;
  return compiled;
}
