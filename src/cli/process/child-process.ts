/** Runs somebody's program to its end, and leaves none of its processes behind. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants as fileModes, statSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { InputError } from '../../core/lib/input-error.ts';
import { startTimer } from '../../core/time/clock.ts';
import { spawnOrphanReaper } from './orphan-reaper.ts';
import { onParentExit } from './signals.ts';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How long a program may take to end when it is told to, in ms. */
const graceTime = 5000;

/** Becomes the program once it is told to go ahead, on a channel that the program does not see; else it ends. */
const gate = 'read -r _ <&3 && exec 3<&- && exec "$@"';

export interface ChildResult {
  /** As a shell tells it: 128 and the signal's number when one ended it. */
  readonly code: number;
  /** Whether we were told to stop meanwhile, which it was told in turn. */
  readonly isStopped: boolean;
  /** Whether it took too long, and was ended. */
  readonly isTimedOut: boolean;
}

export interface ChildOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Whether its input and output are ours, or none. */
  readonly stdio: 'with-us' | 'to-nobody';
  /** How long it may take, in ms; any time unless given. */
  readonly timeout?: number | undefined;
}

/** Runs a command; signals to us are passed on. Throws `InputError` when there is no such program. */
export async function runChild(
  command: readonly string[],
  { env, stdio: talks, timeout }: ChildOptions,
): Promise<ChildResult> {
  const [program = '', ...args] = command;
  assertExecutable(program, env['PATH']);
  const guard = spawnOrphanReaper();
  const stream = talks === 'with-us' ? 'inherit' : 'ignore';
  // A process group of its own, so that all that it starts can be ended with it.
  const child = spawn('/bin/sh', ['-c', gate, 'sh', program, ...args], {
    env,
    stdio: [stream, stream, stream, 'pipe'],
    detached: true,
  });
  const ended = once(child, 'exit');
  const watched = watchOver(child, timeout);
  guard.watch(child);
  openGate(child);
  try {
    // What Node tells of an exit: either of the two.
    const [code, signal] = (await ended) as [number, null] | [null, NodeJS.Signals];
    return { code: code ?? 128 + constants.signals[signal], ...watched.seen() };
  } finally {
    watched.end();
    signalGroup(child, 'SIGKILL');
    guard.dismiss();
  }
}

/** From here on the program runs: whatever becomes of us, the guardian knows of it. */
function openGate({ stdio }: ChildProcess): void {
  // Of a pipe as asked for above.
  const channel = stdio[3] as NodeJS.WritableStream;
  // The child was ended before it came to read.
  channel.on('error', () => {});
  channel.end('go\n');
}

/** Tells every process of the child's group that is still there. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // None is left.
  }
}

interface Watched {
  readonly seen: () => Pick<ChildResult, 'isStopped' | 'isTimedOut'>;
  readonly end: () => void;
}

/** Passes the first signal to us on; the second, or time, ends whoever did not listen. */
function watchOver(child: ChildProcess, timeout: number | undefined): Watched {
  let [isStopped, isTimedOut] = [false, false];
  const callOffs: (() => void)[] = [];
  const tell = (signal: NodeJS.Signals): void => {
    signalGroup(child, isStopped || isTimedOut ? 'SIGKILL' : signal);
    callOffs.push(startTimer(graceTime, () => signalGroup(child, 'SIGKILL')));
  };
  const stop = (signal: NodeJS.Signals): void => {
    tell(signal);
    isStopped = true;
  };
  const beLate = (): void => {
    tell('SIGTERM');
    isTimedOut = true;
  };
  for (const signal of forwarded) process.on(signal, stop);
  callOffs.push(onParentExit(() => stop('SIGTERM')));
  if (timeout !== undefined) callOffs.push(startTimer(timeout, beLate));
  return {
    seen: () => ({ isStopped, isTimedOut: isTimedOut }),
    end: () => {
      for (const callOff of callOffs) callOff();
      for (const signal of forwarded) process.off(signal, stop);
    },
  };
}

/** Throws `InputError` when a name, looked for in these folders, or a path is no program. */
function assertExecutable(program: string, folders = ''): void {
  const paths = program.includes('/') ? [program] : folders.split(delimiter).map((folder) => join(folder, program));
  if (program !== '' && paths.some(canRun)) return;
  if (program !== '' && paths.some(isFile)) {
    throw new InputError(`"${program}" may not be run: it is not executable (chmod +x ${program}).`);
  }
  throw new InputError(`There is no program "${program}"; name one after --, as: -- npm test`);
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
