import { readFileSync } from 'node:fs';

/** Returns state, process group and start time of a process, where the system has /proc. */
export function processFields(pid: number): {
  readonly state?: string | undefined;
  readonly group?: string | undefined;
  readonly started?: string | undefined;
} {
  try {
    // proc_pid_stat(5): the second field is a name in brackets that may hold anything; state is the third, group the fifth, start the 22nd.
    const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const [state, ...others] = fields.split(' ');
    return { state, group: others[1], started: others[18] };
  } catch {
    return {};
  }
}

/** True when a process is there, of whichever user. */
function isProcessThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** True when a process runs; one that has ended and was not collected does not. */
export const isProcessRunning = (pid: number): boolean => isProcessThere(pid) && processFields(pid).state !== 'Z';
