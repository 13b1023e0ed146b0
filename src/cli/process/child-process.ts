/** Runs a program to its end, and leaves none of its processes behind. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants as fileModes, statSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { InputError } from '../../core/lib/input-error.ts';
import { Signal } from '../../core/lib/signal.ts';
import { startTimer } from '../../core/time/clock.ts';
import { spawnOrphanReaper } from './orphan-reaper.ts';
import { onParentExit } from './signals.ts';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Limits the time that a program has to exit after a signal, in ms. */
const graceTime = 5000;

/** Waits for a line on a channel that the program does not see, then becomes the program; exits without one. */
const gate = 'read -r _ <&3 && exec 3<&- && exec "$@"';

export interface ChildResult {
  /** Holds the exit code, as a shell has it: 128 plus the number of the signal that ended the program. */
  readonly code: number;
  /** True when a signal stopped us meanwhile, which was passed on. */
  readonly isStopped: boolean;
  /** True when the program took too long, and was ended. */
  readonly isTimedOut: boolean;
}

export interface ChildOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Connects its input and output to ours, or to nothing. */
  readonly stdio: 'inherit' | 'ignore';
  /** Limits the time of the run, in ms (default: no limit). */
  readonly timeout?: number | undefined;
  /** Kills all its processes at once when it resolves (default: never). */
  readonly killed?: Promise<void> | undefined;
}

/** Runs a command; signals to us are passed on. Throws `InputError` when there is no such program. */
export async function runChild(
  command: readonly string[],
  { env, stdio, timeout, killed }: ChildOptions,
): Promise<ChildResult> {
  const [program = '', ...args] = command;
  assertExecutable(program, env['PATH']);
  const guard = spawnOrphanReaper();
  // A process group of its own, so that all that it starts can be ended with it.
  const child = spawn('/bin/sh', ['-c', gate, 'sh', program, ...args], {
    env,
    stdio: [stdio, stdio, stdio, 'pipe'],
    detached: true,
  });
  const ended = once(child, 'exit');
  const watch = watchChild(child, timeout);
  guard.watch(child);
  void killed?.then(() => {
    if (child.exitCode === null && child.signalCode === null) signalGroup(child, 'SIGKILL');
  });
  openGate(child);
  try {
    // Node passes one of the two.
    const [code, signal] = (await ended) as [number, null] | [null, NodeJS.Signals];
    return { code: code ?? 128 + constants.signals[signal], ...watch.result() };
  } finally {
    watch.end();
    signalGroup(child, 'SIGKILL');
    guard.dismiss();
  }
}

/** Lets the program run, once the guardian watches its process group. */
function openGate({ stdio }: ChildProcess): void {
  // The fourth stream is a pipe, see above.
  const channel = stdio[3] as NodeJS.WritableStream;
  // The child ended before it read.
  channel.on('error', () => {});
  channel.end('go\n');
}

/** Sends a signal to every remaining process of the child's group. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // None is left.
  }
}

interface Watch {
  readonly result: () => Pick<ChildResult, 'isStopped' | 'isTimedOut'>;
  readonly end: () => void;
}

/** Passes on the first signal; the second one, or the end of the grace time, kills the group. */
function watchChild(child: ChildProcess, timeout: number | undefined): Watch {
  let [isStopped, isTimedOut] = [false, false];
  const cancels: (() => void)[] = [];
  const sendSignal = (signal: NodeJS.Signals): void => {
    signalGroup(child, isStopped || isTimedOut ? 'SIGKILL' : signal);
    cancels.push(startTimer(graceTime, () => signalGroup(child, 'SIGKILL')));
  };
  const stop = (signal: NodeJS.Signals): void => {
    sendSignal(signal);
    isStopped = true;
  };
  const onTimeout = (): void => {
    sendSignal('SIGTERM');
    isTimedOut = true;
  };
  cancels.push(
    onForwarded(stop),
    onParentExit(() => stop('SIGTERM')),
  );
  if (timeout !== undefined) cancels.push(startTimer(timeout, onTimeout));
  return {
    result: () => ({ isStopped, isTimedOut }),
    end: () => {
      for (const cancel of cancels) cancel();
    },
  };
}

const signals = new Signal<NodeJS.Signals>();
let watches = 0;
const emitSignal = (name: NodeJS.Signals): void => signals.emit(name);

/** Calls back at signals to us; any number of programs can be watched. Returns a function that stops it. */
function onForwarded(callback: (signal: NodeJS.Signals) => void): () => void {
  if (watches++ === 0) for (const name of forwarded) process.on(name, emitSignal);
  const unsubscribe = signals.subscribe(callback);
  return () => {
    unsubscribe();
    if (--watches === 0) for (const name of forwarded) process.off(name, emitSignal);
  };
}

/** Throws `InputError` when a path, or a name looked up in these folders, is not a program. */
function assertExecutable(program: string, folders = ''): void {
  const paths = program.includes('/') ? [program] : folders.split(delimiter).map((folder) => join(folder, program));
  if (program !== '' && paths.some(canRun)) return;
  if (program !== '' && paths.some(isFile)) {
    throw new InputError(`"${program}" can't be run: it is not executable (chmod +x ${program}).`);
  }
  throw new InputError(`There is no program "${program}"; name one after --, such as -- npm test`);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, fileModes.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
