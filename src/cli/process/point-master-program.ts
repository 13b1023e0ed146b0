/** Runs a point master under test as a program: starts it, kills it, and starts it again with the same files. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extendEnvironment } from '../../config/config.ts';
import { monotonicNow, sleepFor } from '../../core/time/clock.ts';
import type { PointMasterProgram } from '../../explore/point-master/situation.ts';
import { OrphanReaper } from '../../platform/orphan-reaper.ts';
import { runChild } from './child-process.ts';
import type { ChildResult } from './child-process.ts';

interface ProgramOptions {
  /** Names the program and its arguments, in which {folder} and {port} are replaced. */
  readonly command: readonly string[];
  readonly isShellLine: boolean;
  readonly port: number | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly showOutput: boolean;
  /** True once the program responds. */
  readonly isReady: () => Promise<boolean>;
  /** Limits the time until it does, in ms. */
  readonly timeout: number;
}

export interface StartedProgram extends PointMasterProgram {
  /** Starts it, and resolves to true when it responds; to false when it has ended, or does not respond in time. */
  readonly start: () => Promise<boolean>;
  /** Holds the exit code of a program that has ended by itself. */
  readonly exitCode: () => number | undefined;
  readonly close: () => Promise<void>;
}

interface Running {
  readonly done: Promise<void>;
  readonly kill: () => void;
}

export function pointMasterProgram(options: ProgramOptions): StartedProgram {
  const { command, isShellLine, port, isReady, timeout, showOutput } = options;
  const folder = mkdtempSync(join(tmpdir(), 'loyalty-sim-run-'));
  const reaper = new OrphanReaper();
  const words: Readonly<Record<string, string>> = {
    '{run}': '1',
    '{folder}': folder,
    ...(port !== undefined && { '{port}': String(port) }),
  };
  const line = command.map((word) =>
    Object.entries(words).reduce((text, [name, value]) => text.replaceAll(name, value), word),
  );
  const env = extendEnvironment({
    ...options.env,
    LOYALTY_SIM_RUN: '1',
    LOYALTY_SIM_RUN_FOLDER: folder,
    ...(port !== undefined && { LOYALTY_SIM_RUN_PORT: String(port) }),
  });
  let starts = 0;
  let running: Running | undefined;
  let end: ChildResult | undefined;

  function spawn(): void {
    const killed = new AbortController();
    const stdio = starts++ === 0 || showOutput ? 'inherit' : 'ignore';
    const isKilled = new Promise<void>((resolve) => killed.signal.addEventListener('abort', () => resolve()));
    const run = runChild(line, { env, stdio, isShellLine, killed: isKilled, reaper });
    const done = run.then((result) => {
      if (!killed.signal.aborted) end = result;
    });
    running = { done, kill: () => killed.abort() };
  }

  async function start(): Promise<boolean> {
    spawn();
    const begun = monotonicNow();
    // A program that cannot be started is reported at once.
    const failed = running?.done.then(() => false);
    while (monotonicNow() - begun < timeout) {
      if (await isReady()) return true;
      const pause = sleepFor(readyInterval).then(() => true);
      if (!(await Promise.race([pause, failed]))) return false;
    }
    return false;
  }

  async function kill(): Promise<void> {
    running?.kill();
    await running?.done;
  }

  return {
    start,
    restart: async () => {
      await kill();
      await start();
    },
    ended: () => (end === undefined ? undefined : `has ended with exit code ${end.code}`),
    exitCode: () => end?.code,
    close: async () => {
      await kill().catch(() => {});
      await reaper.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const readyInterval = 50;
