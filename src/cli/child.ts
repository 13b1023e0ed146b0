/** Runs somebody's program to its end, and leaves none of its processes behind. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { after } from '../core/clock.ts';
import { guardian } from './guardian.ts';
import { assertCanRun } from './programs.ts';
import { onParentGone } from './signals.ts';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How long a program may take to end when it is told to, in ms. */
const graceTime = 5000;

/** Becomes the program once it is told to go ahead, on a channel that the program does not see; else it ends. */
const gate = 'read -r _ <&3 && exec 3<&- && exec "$@"';

export interface ChildEnd {
  /** As a shell tells it: 128 and the signal's number when one ended it. */
  readonly code: number;
  /** Whether we were told to stop meanwhile, which it was told in turn. */
  readonly isStopped: boolean;
}

/**
 * Runs a command with our own input and output in this environment. Signals to us are passed on. Throws `InputError`
 * when there is no such program.
 */
export async function runChild(command: readonly string[], env: NodeJS.ProcessEnv): Promise<ChildEnd> {
  const [program = '', ...args] = command;
  assertCanRun(program, env['PATH']);
  const guard = guardian();
  // A process group of its own, so that all that it starts can be ended with it.
  const child = spawn('/bin/sh', ['-c', gate, 'sh', program, ...args], {
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    detached: true,
  });
  const ended = once(child, 'exit');
  const forwarding = forwardSignals(child);
  guard.watch(child);
  openGate(child);
  try {
    // What Node tells of an exit: either of the two.
    const [code, signal] = (await ended) as [number, null] | [null, NodeJS.Signals];
    return { code: code ?? 128 + constants.signals[signal], isStopped: forwarding.isStopped() };
  } finally {
    forwarding.end();
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

interface Forwarding {
  readonly isStopped: () => boolean;
  readonly end: () => void;
}

/** The first signal is passed on; the second, or time, ends whoever did not listen. */
function forwardSignals(child: ChildProcess): Forwarding {
  let callOff: (() => void) | undefined;
  const pass = (signal: NodeJS.Signals): void => {
    if (callOff) return signalGroup(child, 'SIGKILL');
    callOff = after(graceTime, () => signalGroup(child, 'SIGKILL'));
    return signalGroup(child, signal);
  };
  for (const signal of forwarded) process.on(signal, pass);
  const unwatch = onParentGone(() => pass('SIGTERM'));
  return {
    isStopped: () => callOff !== undefined,
    end: () => {
      callOff?.();
      unwatch();
      for (const signal of forwarded) process.off(signal, pass);
    },
  };
}
