import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/** Reads the process group to watch, waits until we have ended, and ends what is left: first with SIGTERM. */
const script = `
read -r group || exit
read -r _
kill -s TERM -- "-$group" || exit
for _ in 1 2 3 4 5; do
  sleep 0.1
  kill -s 0 -- "-$group" || exit
done
kill -s KILL -- "-$group"`;

interface OrphanReaper {
  /** Hands over the child's process group, before it returns. */
  readonly watch: (child: ChildProcess) => void;
  readonly dismiss: () => void;
}

/**
 * Starts a process that ends the child's process group when we are killed and can't do so ourselves. It notices our end
 * by a pipe that only we hold.
 */
export function spawnOrphanReaper(): OrphanReaper {
  // In a session of its own: signals of the terminal must not reach it.
  const shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  // Without a shell the child fails to start as well, which is reported.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  return {
    watch: ({ pid }) => {
      // A pipe with room takes a text at once.
      if (pid !== undefined) shell.stdin.write(`${pid}\n`);
    },
    dismiss: () => void shell.kill('SIGKILL'),
  };
}
