import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/** Learns whom to watch, waits for the end of us, and ends who is left: politely at first. */
const script = `
read -r group || exit
read -r _
kill -s TERM -- "-$group" || exit
for _ in 1 2 3 4 5; do
  sleep 0.1
  kill -s 0 -- "-$group" || exit
done
kill -s KILL -- "-$group"`;

interface Guardian {
  /** It knows of the child's process group when this returns. */
  readonly watch: (child: ChildProcess) => void;
  readonly dismiss: () => void;
}

/**
 * A process that outlives us for as long as it takes to end the child's process group, when we are killed without a
 * chance to do it ourselves: it reads from a pipe that only we hold.
 */
export function spawnOrphanReaper(): Guardian {
  // In a session of its own: what a terminal tells us is not meant for it.
  const shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  // Without a shell there is no child either, which is told.
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
