import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { isWindows } from './platform.ts';

/**
 * Keeps a list of process groups, `+ 12` adding one and `- 12` taking it off, until we have ended; then ends those that
 * are left: first with SIGTERM.
 */
const script = `
groups=
while read -r sign group; do
  rest=
  for one in $groups; do [ "$one" = "$group" ] || rest="$rest $one"; done
  groups=$rest
  [ "$sign" = - ] || groups="$groups $group"
done
signal() {
  rest=
  for one in $groups; do kill -s "$1" -- "-$one" && rest="$rest $one"; done
  groups=$rest
  [ "$groups" ] || exit
}
signal TERM
for _ in 1 2 3 4 5; do
  sleep 0.1
  signal 0
done
signal KILL`;

/**
 * Starts a process that ends the process groups of our children when we are killed and can't do so ourselves. It
 * notices our end by a pipe that only we hold. Windows has no such groups, and ends our children with us.
 */
export class OrphanReaper {
  // In a session of its own: signals of the terminal must not reach it.
  readonly #shell = isWindows()
    ? undefined
    : spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  readonly #ended =
    this.#shell &&
    once(this.#shell, 'exit').catch(() => {
      // Without a shell the child fails to start as well, which is reported.
    });

  constructor() {
    this.#shell?.stdin.on('error', () => {});
    this.#shell?.unref();
  }

  /** Watches the child's process group from before it returns. */
  watch(child: ChildProcess): void {
    this.#tell('+', child);
  }

  /** Leaves a group alone that has ended. */
  forget(child: ChildProcess): void {
    this.#tell('-', child);
  }

  /** Ends it, once no group is left; resolves when it is gone. */
  async end(): Promise<void> {
    this.#shell?.ref();
    this.#shell?.stdin.end();
    await this.#ended;
  }

  #tell(sign: '+' | '-', { pid }: ChildProcess): void {
    // A pipe with room takes a text at once.
    if (pid !== undefined) this.#shell?.stdin.write(`${sign} ${pid}\n`);
  }
}
