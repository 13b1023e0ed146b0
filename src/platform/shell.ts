/** Finds the system's shell: to run a line, and to print one that can be pasted. */
import { isWindows } from './platform.ts';
import type { Platform } from './platform.ts';
import type { Shell } from '../core/lib/shell-words.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the shell that a printed line is likely pasted into. Git Bash sets SHELL on Windows, and cmd.exe sets PROMPT,
 * which PowerShell does not.
 */
export function shellOf(env: Environment, platform: Platform = process.platform): Shell {
  if (!isWindows(platform) || (env['SHELL'] ?? '') !== '') return 'posix';
  return (env['PROMPT'] ?? '') === '' ? 'powershell' : 'cmd';
}

/** Returns the command that runs a line in the system's own shell. */
export const shellCommand = (
  line: string,
  { platform = process.platform, env }: { readonly platform?: Platform; readonly env: Environment },
): SpawnPlan =>
  isWindows(platform)
    ? { file: commandInterpreter(env), args: ['/d', '/s', '/c', `"${line}"`], isVerbatim: true }
    : { file: '/bin/sh', args: ['-c', line], isVerbatim: false };

/** Holds what is passed to the system to start a program. */
export interface SpawnPlan {
  readonly file: string;
  readonly args: readonly string[];
  /** True when the arguments are quoted already, which only Windows knows. */
  readonly isVerbatim: boolean;
}

/** Returns the program that runs batch files. */
export const commandInterpreter = (env: Environment): string => variable(env, 'ComSpec') ?? 'cmd.exe';

/** Returns a variable; Windows does not tell upper and lower case apart, a copy of its environment does. */
export function variable(env: Environment, name: string): string | undefined {
  const key = Object.keys(env).find((known) => known.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : env[key] || undefined;
}
