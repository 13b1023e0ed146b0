/** Runs somebody's program to its end, and leaves none of its processes behind. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { after } from '../core/clock.ts';
import { InputError } from '../core/errors.ts';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How long a program may take to end when it is told to, in ms. */
const graceTime = 5000;

/** How its exit is told, as a shell does it: 128 and the signal's number when one ended it. */
const codeOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + (signal === null ? 0 : constants.signals[signal]);

/**
 * Runs a command with our own input and output, and these variables beside ours. Signals to us are passed on. Answers
 * its exit code; throws `InputError` when it can't be started.
 */
export async function runChild(command: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [program = '', ...args] = command;
  const guard = guardian();
  // A process group of its own, so that all that it starts can be ended with it.
  const child = spawn(program, args, { env, stdio: 'inherit', detached: process.platform !== 'win32' });
  guard.watch(child);
  const stopForwarding = forwardSignals(child);
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return codeOf(code, signal);
  } catch (error) {
    throw notStarted(program, error as NodeJS.ErrnoException);
  } finally {
    stopForwarding();
    killGroup(child, 'SIGKILL');
    guard.dismiss();
  }
}

function notStarted(program: string, { code, message }: NodeJS.ErrnoException): InputError {
  if (code === 'ENOENT') return new InputError(`There is no program "${program}"; name one after --, as -- npm test.`);
  if (code === 'EACCES') return new InputError(`"${program}" may not be run: it is no program, or not executable.`);
  return new InputError(`"${program}" can't be started: ${message}.`);
}

/** Ends every process of the child's group that is still there. */
function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // None is left.
  }
}

/** The first signal is passed on; the second, or time, ends whoever did not listen. */
function forwardSignals(child: ChildProcess): () => void {
  let callOff: (() => void) | undefined;
  let isTold = false;
  const pass = (signal: NodeJS.Signals): void => {
    killGroup(child, isTold ? 'SIGKILL' : signal);
    if (!isTold) callOff = after(graceTime, () => killGroup(child, 'SIGKILL'));
    isTold = true;
  };
  for (const signal of forwarded) process.on(signal, pass);
  return () => {
    callOff?.();
    for (const signal of forwarded) process.off(signal, pass);
  };
}

/**
 * A shell that waits for the end of a pipe from us: when we are killed without a chance to tidy up, it ends the
 * child's group in our place.
 */
function guardian(): { readonly watch: (child: ChildProcess) => void; readonly dismiss: () => void } {
  if (process.platform === 'win32') return { watch: () => {}, dismiss: () => {} };
  const script = 'read -r group && { read -r _; kill -TERM -- "-$group"; sleep 1; kill -KILL -- "-$group"; }';
  const shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  // Without a shell there is no guard; the command runs all the same.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  return {
    watch: ({ pid }) => {
      if (pid !== undefined) shell.stdin.write(`${pid}\n`);
    },
    dismiss: () => void shell.kill('SIGKILL'),
  };
}
