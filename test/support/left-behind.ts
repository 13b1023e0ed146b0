/** Gives the suite a temporary folder of its own, and fails it when a folder, a file or a process is left at its end. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describeProcess, hasProc, processesWith } from './processes.ts';

/** Limits how long a process that was killed may take to go, in ms. */
const patience = 60_000;

export default function setup(): () => Promise<void> {
  // The libraries of the retry atlas stay, since they take minutes to install.
  process.env['RETRY_ATLAS_CACHE'] ??= join(tmpdir(), 'loyalty-sim-atlas');
  const room = mkdtempSync(join(tmpdir(), 'loyalty-sim-suite-'));
  process.env['TMPDIR'] = room;
  // From Node 22 on, npm would keep its compiled code there.
  process.env['NODE_DISABLE_COMPILE_CACHE'] = '1';
  return async () => {
    const left = [...(await processesLeft(room)), ...readdirSync(room).filter((name) => !isOfBrowser(name))];
    rmSync(room, { recursive: true, force: true });
    if (left.length === 0) return;
    process.stderr.write(`The tests left behind:\n${left.map((what) => `  ${what}\n`).join('')}`);
    // What is thrown here is shown, and changes no exit code.
    process.exitCode = 1;
  };
}

/**
 * True for a folder of a browser that was closed: on a busy machine it may still be written to, or be removed, when the
 * process that opened the browser ends. One that was left open is a process.
 */
const isOfBrowser = (name: string): boolean => /^playwright(?:_chromiumdev_profile|-artifacts)-/.test(name);

/** Lists what the tests started and has not ended; whatever they start has the folder in its environment. */
async function processesLeft(room: string): Promise<string[]> {
  const deadline = performance.now() + patience;
  for (;;) {
    const left = startedBy(room);
    if (left.length === 0 || performance.now() > deadline) return left;
    await pause(50);
  }
}

function startedBy(room: string): string[] {
  if (!hasProc) return [];
  return processesWith(`TMPDIR=${room}`)
    .map((pid) => ({ pid, ...describeProcess(pid) }))
    .filter(({ parent }) => parent !== String(process.pid)) // vitest's own workers
    .map(({ pid, command }) => `process ${pid}: ${command}`);
}
