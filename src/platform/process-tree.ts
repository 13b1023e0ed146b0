/** Starts a program so that all that it starts can be ended with it, and ends that. */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { monotonicNow, sleepFor } from '../core/time/clock.ts';
import type { OrphanReaper } from './orphan-reaper.ts';
import { isWindows } from './platform.ts';
import { processFields } from './running-processes.ts';
import type { SpawnPlan } from './shell.ts';

/** Limits the wait for processes that were killed, in ms. */
const maxGoing = 1000;

/** Waits for a line on a channel that the program does not see, then becomes the program; exits without one. */
const gate = 'read -r _ <&3 && exec 3<&- && exec "$@"';

/** Connects input and output of a program to ours, to nothing, or its output to a pipe that we read. */
export type ProgramOutput = 'inherit' | 'ignore' | 'pipe';

interface TreeOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly stdio: ProgramOutput;
  readonly reaper: OrphanReaper;
}

/** Our own input is not the program's where its output is read. */
const streamsFor = (stdio: ProgramOutput): [input: 'inherit' | 'ignore', output: ProgramOutput, error: ProgramOutput] =>
  stdio === 'pipe' ? ['ignore', 'pipe', 'pipe'] : [stdio, stdio, stdio];

/** Describes a program with all that it starts. */
export interface ProcessTree {
  readonly child: ChildProcess;
  /** Lets the program run, to be called once whoever starts it listens to signals; Windows runs it at once. */
  readonly open: () => void;
  /** Asks the tree to end, or ends it with SIGKILL. */
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Ends what is left of the tree once the program has ended, and waits until it is gone. */
  readonly end: () => Promise<void>;
}

/** Starts a program. */
export const startTree = (plan: SpawnPlan, options: TreeOptions): ProcessTree =>
  isWindows() ? startOnWindows(plan, options) : startGroup(plan, options);

/** Starts it in a process group of its own. */
function startGroup({ file, args }: SpawnPlan, { env, stdio, reaper }: TreeOptions): ProcessTree {
  const child = spawn('/bin/sh', ['-c', gate, 'sh', file, ...args], {
    env,
    stdio: [...streamsFor(stdio), 'pipe'],
    detached: true,
  });
  reaper.watch(child);
  return {
    child,
    open: () => openGate(child),
    signal: (signal) => void signalGroup(child, signal),
    end: async () => {
      await endGroup(child);
      reaper.forget(child);
    },
  };
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
    const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [processFields(Number(name))] : []));
    return all.every(({ state = '', group }) => Number(group) !== pid || state === 'Z' || state === 'X');
  } catch {
    // There is no such folder here.
    return false;
  }
}

/**
 * Starts it in our console, so that Ctrl+C reaches it as well as us. Windows ends it with us, because Node puts it into
 * a job of ours; what it has started itself outlives it unless the tree is ended while it runs.
 */
function startOnWindows({ file, args, isVerbatim }: SpawnPlan, { env, stdio }: TreeOptions): ProcessTree {
  const child = spawn(file, args, { env, stdio: streamsFor(stdio), windowsVerbatimArguments: isVerbatim });
  let isAsked = false;
  return {
    child,
    open: () => {},
    signal: (signal) => {
      const steps = windowsEnd(signal, isAsked);
      isAsked = true;
      if (steps === 'leave') return;
      endTreeOnWindows(child);
    },
    end: async () => {},
  };
}

/**
 * Returns what a signal means on Windows, where no program can ask another one to end: Ctrl+C has reached all programs
 * of the console already, and gives them the time to end by themselves.
 */
export const windowsEnd = (signal: NodeJS.Signals, isAsked: boolean): 'kill' | 'leave' =>
  !isAsked && (signal === 'SIGINT' || signal === 'SIGBREAK') ? 'leave' : 'kill';

/** Returns the command that ends a process and all that it has started. */
export const taskkill = (pid: number): readonly [string, ...string[]] => ['taskkill', '/T', '/F', '/PID', String(pid)];

function endTreeOnWindows(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  const [file, ...args] = taskkill(child.pid);
  // A system without it loses the children of the program, not the program.
  execFile(file, args, { windowsHide: true }, () => void child.kill('SIGKILL'));
}
