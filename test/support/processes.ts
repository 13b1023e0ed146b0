import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** True when processes can be looked up. */
export const hasProc = existsSync('/proc/self/environ');

/** Returns the ids of the processes that were started with this variable, by whomever. */
export const processesWith = (variable: string): string[] =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && fileOf(pid, 'environ').split('\0').includes(variable));

/** Returns what the process was called with, and the process that started it. */
export const describeProcess = (pid: string): { readonly command: string; readonly parent: string } => ({
  command: fileOf(pid, 'cmdline').split('\0').join(' ').trim(),
  parent: /^PPid:\t(\d+)$/m.exec(fileOf(pid, 'status'))?.[1] ?? '',
});

/** Returns an empty text once the process has ended. */
function fileOf(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
