/** Runs a program to its end, and leaves none of its processes behind. */
import { once } from 'node:events';
import { constants } from 'node:os';
import { Signal } from '../../core/lib/signal.ts';
import { sleepFor, startTimer } from '../../core/time/clock.ts';
import { OrphanReaper } from '../../platform/orphan-reaper.ts';
import { startTree } from '../../platform/process-tree.ts';
import { stopSignals } from '../../platform/stop-signals.ts';
import type { ProcessTree, ProgramOutput } from '../../platform/process-tree.ts';
import { ownPlace, planSpawn } from '../../platform/programs.ts';
import { shellCommand } from '../../platform/shell.ts';
import type { SpawnPlan } from '../../platform/shell.ts';
import { onParentExit } from './signals.ts';

const forwarded: readonly NodeJS.Signals[] = [...stopSignals(), 'SIGHUP'];

/** Limits the time that a program has to exit after a signal, in ms. */
const graceTime = 5000;

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
  readonly stdio: ProgramOutput;
  /** Is called with what it writes to its output and its error output, when `stdio` is `pipe`. */
  readonly onOutput?: ((text: Buffer) => void) | undefined;
  /** Runs the command as a line of the system's shell (default: as a program with its arguments). */
  readonly isShellLine?: boolean | undefined;
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
  const { env, isShellLine = false } = options;
  const plan = isShellLine ? shellCommand(command.join(' '), { env }) : planSpawn(command, ownPlace(env));
  const { reaper } = options;
  if (reaper) return runProgram(plan, { ...options, reaper });
  const own = new OrphanReaper();
  try {
    return await runProgram(plan, { ...options, reaper: own });
  } finally {
    await own.end();
  }
}

interface WatchedOptions extends ChildOptions {
  readonly reaper: OrphanReaper;
}

async function runProgram(
  plan: SpawnPlan,
  { env, stdio, onOutput, timeout, killed, reaper }: WatchedOptions,
): Promise<ChildResult> {
  const tree = startTree(plan, { env, stdio, reaper });
  const { child } = tree;
  const ended = once(child, 'exit');
  const closed = once(child, 'close').catch(() => undefined);
  if (onOutput) for (const stream of [child.stdout, child.stderr]) stream?.on('data', onOutput);
  const watch = watchTree(tree, timeout);
  void killed?.then(() => {
    if (child.exitCode === null && child.signalCode === null) tree.signal('SIGKILL');
  });
  tree.open();
  try {
    // Node passes one of the two.
    const [code, signal] = (await ended) as [number, null] | [null, NodeJS.Signals];
    return { code: code ?? 128 + constants.signals[signal], ...watch.result() };
  } finally {
    watch.end();
    await tree.end();
    // What it wrote last may still be in the pipe, which a process that left its tree can hold open.
    if (onOutput) await Promise.race([closed, sleepFor(graceForOutput)]);
  }
}

/** Limits the wait for what a program wrote before it ended, in ms. */
const graceForOutput = 1000;

interface Watch {
  readonly result: () => Pick<ChildResult, 'isStopped' | 'isTimedOut'>;
  readonly end: () => void;
}

/** Passes on the first signal; the second one, or the end of the grace time, kills the tree. */
function watchTree(tree: ProcessTree, timeout: number | undefined): Watch {
  let [isStopped, isTimedOut] = [false, false];
  const cancels: (() => void)[] = [];
  const sendSignal = (signal: NodeJS.Signals): void => {
    tree.signal(isStopped || isTimedOut ? 'SIGKILL' : signal);
    cancels.push(startTimer(graceTime, () => tree.signal('SIGKILL')));
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
