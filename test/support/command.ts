/** Runs the command as a user has it: a process of its own, in a folder of its own. */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { folderWith, tidyFolders } from './folders.ts';
import { noteLateness } from './in-time.ts';

/** True when there is a curl to try things with. */
export const hasCurl = spawnSync('curl', ['--version']).status === 0;

const cli = resolve('dist/cli.cjs');
const running = new Set<ChildProcess>();

interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Names the folder to run in; a new one unless given. */
  readonly folder?: string;
  /** Says what to run; the built command unless given. */
  readonly program?: readonly [string, ...string[]];
}

/** Holds what a process wrote and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Describes a simulator, or a point master, that has said it is ready. */
export interface Started {
  readonly pid: number;
  readonly url: string;
  /** Holds its first line on standard output. */
  readonly line: string;
  /** Holds what it has written so far. */
  readonly written: { readonly stdout: string; readonly stderr: string };
  readonly signal: (name: NodeJS.Signals) => Promise<Ended>;
}

/** Tidies up after each test: no process and no folder outlives the test that made it. */
export function tidy(): void {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
  tidyFolders();
}

function run(args: readonly string[], { env = {}, folder, program = [process.execPath, cli] }: CommandOptions) {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('LOYALTY_SIM_'));
  const [file, ...before] = program;
  const child = spawn(file, [...before, ...args], {
    cwd: folder ?? folderWith(),
    env: { ...Object.fromEntries(own), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => (written.stdout += String(text)));
  child.stderr.on('data', (text) => (written.stderr += String(text)));
  const ended = once(child, 'close').then(([code]): Ended => {
    noteLateness(written.stdout + written.stderr);
    return { code, ...written };
  });
  return { child, written, ended };
}

/** Runs the command to its end. */
export const runCommand = (args: readonly string[], options: CommandOptions = {}): Promise<Ended> =>
  run(args, options).ended;

/** Starts a simulator on a free port with the empty fixture, unless the arguments say otherwise. */
export const startCommand = (args: readonly string[] = [], options: CommandOptions = {}): Promise<Started> =>
  started(run(['start', '--port', '0', '--fixtures', 'empty', ...args], options));

/** Starts a point master on a free port, unless the arguments say otherwise. */
export const startMaster = (args: readonly string[] = [], options: CommandOptions = {}): Promise<Started> =>
  started(run(['point-master', '--port', '0', ...args], options));

async function started({ child, written, ended }: ReturnType<typeof run>): Promise<Started> {
  while (!written.stdout.includes('\n')) {
    const next = await Promise.race([once(child.stdout, 'data'), ended]);
    if ('code' in next) throw new Error(`ended with ${next.code}: ${next.stdout}${next.stderr}`);
  }
  const [line = ''] = written.stdout.split('\n');
  return {
    pid: child.pid ?? 0,
    url: /http:\/\/[^\s"]+?(?=["\s]|$)/.exec(line)?.[0] ?? '',
    line,
    written,
    signal: (name) => {
      child.kill(name);
      return ended;
    },
  };
}

/** Describes a command that goes on, and has said what was waited for. */
export interface Running {
  /** Holds the first group of what was waited for. */
  readonly found: string;
  readonly signal: (name: NodeJS.Signals) => void;
  readonly ended: Promise<Ended>;
}

/** Runs the command until it says something. */
export async function startProgram(
  args: readonly string[],
  said: RegExp,
  options: CommandOptions = {},
): Promise<Running> {
  const { child, written, ended } = run(args, options);
  const text = (): string => written.stdout + written.stderr;
  while (!said.test(text())) {
    const next = await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended]);
    if ('code' in next) throw new Error(`ended with ${next.code}: ${next.stdout}${next.stderr}`);
  }
  return { found: said.exec(text())?.[1] ?? '', signal: (name) => void child.kill(name), ended };
}
