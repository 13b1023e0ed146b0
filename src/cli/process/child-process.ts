/** Runs a program to its end, and leaves none of its processes behind. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants as fileModes, readdirSync, readFileSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { InputError } from '../../core/lib/input-error.ts';
import { Signal } from '../../core/lib/signal.ts';
import { monotonicNow, sleepFor, startTimer } from '../../core/time/clock.ts';
import { OrphanReaper } from './orphan-reaper.ts';
import { onParentExit } from './signals.ts';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Limits the time that a program has to exit after a signal, in ms. */
const graceTime = 5000;

/** Limits the wait for processes that were killed, in ms. */
const maxGoing = 1000;

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
  /** Ends its processes when we are killed (default: one of its own). */
  readonly reaper?: OrphanReaper | undefined;
}

/**
 * Runs a command; signals to us are passed on. Resolves when all its processes are gone. Throws `InputError` when there
 * is no such program.
 */
export async function runChild(command: readonly string[], options: ChildOptions): Promise<ChildResult> {
  const [program = '', ...args] = command;
  assertExecutable(program, options.env['PATH']);
  const { reaper } = options;
  if (reaper) return runProgram([program, ...args], { ...options, reaper });
  const own = new OrphanReaper();
  try {
    return await runProgram([program, ...args], { ...options, reaper: own });
  } finally {
    await own.end();
  }
}

interface WatchedOptions extends ChildOptions {
  readonly reaper: OrphanReaper;
}

async function runProgram(
  command: readonly string[],
  { env, stdio, timeout, killed, reaper }: WatchedOptions,
): Promise<ChildResult> {
  // A process group of its own, so that all that it starts can be ended with it.
  const child = spawn('/bin/sh', ['-c', gate, 'sh', ...command], {
    env,
    stdio: [stdio, stdio, stdio, 'pipe'],
    detached: true,
  });
  const ended = once(child, 'exit');
  const watch = watchChild(child, timeout);
  reaper.watch(child);
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
    await endGroup(child);
    reaper.forget(child);
  }
}

/** Lets the program run, once its process group is watched. */
function openGate({ stdio }: ChildProcess): void {
  // The fourth stream is a pipe, see above.
  const channel = stdio[3] as NodeJS.WritableStream;
  // The child ended before it read.
  channel.on('error', () => {});
  channel.end('go\n');
}

/** Sends a signal to every remaining process of the child's group; returns whether there was one. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, signal);
  } catch {
    // None is left.
    return false;
  }
}

/** Kills what is left of the child's group, and waits until it is gone: a process that was killed is there for a while. */
async function endGroup(child: ChildProcess): Promise<void> {
  if (!signalGroup(child, 'SIGKILL')) return;
  const end = monotonicNow() + maxGoing;
  while (signalGroup(child, 0) && !isCollectedLater(child) && monotonicNow() < end) await sleepFor(2);
}

/** True when all processes of the group have ended, and only their parent has not looked at how: it may never do. */
function isCollectedLater({ pid }: ChildProcess): boolean {
  try {
    const states = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? stateIn(name, pid) : []));
    return states.every((state) => state === 'Z' || state === 'X');
  } catch {
    // There is no such folder here.
    return false;
  }
}

/** Returns the state of a process, if it is of this group and still there. */
function stateIn(name: string, group: number | undefined): string[] {
  try {
    // The name of the program comes before these, in brackets, and may hold anything.
    const [, state = '', own] = /^.*\) (\w) \d+ (\d+) /s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
    return Number(own) === group ? [state] : [];
  } catch {
    return [];
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
