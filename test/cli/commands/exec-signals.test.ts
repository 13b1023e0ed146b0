import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';
import { hasProc, processesWith } from '../../support/processes.ts';

afterEach(tidy);

/** How often the runner is killed, by each signal. */
const trials = Number(process.env['EXEC_TRIALS'] ?? 9) / 3;

/** A program with children and grandchildren, none of which listens to SIGTERM. */
const stubborn = 'trap "" TERM; sh -c "sleep 300 & sleep 300 & wait" & echo ready; wait';

function runner(script: string, marker: string) {
  const child = spawn(process.execPath, [resolve('dist/cli.cjs'), 'exec', '--', 'sh', '-c', script], {
    cwd: folderWith(),
    env: { ...process.env, EXEC_TRIAL: marker },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return { child, ended: once(child, 'exit'), ready: once(child.stdout, 'data') };
}

/** Which processes are left when there was time enough to end them. */
async function left(marker: string): Promise<string[]> {
  const end = performance.now() + 100_000;
  while (processesWith(marker).length > 0 && performance.now() < end) await pause(20);
  return processesWith(marker);
}

const pause = (ms: number) => new Promise((done) => void setTimeout(done, ms));

describe('exec', () => {
  it.each([
    { signal: 'SIGINT', script: 'trap "exit 4" INT; echo ready; while :; do sleep 0.05; done', code: 4 },
    { signal: 'SIGTERM', script: 'trap "exit 5" TERM; echo ready; while :; do sleep 0.05; done', code: 5 },
    { signal: 'SIGTERM', script: 'echo ready; exec sleep 300', code: 143 },
    { signal: 'SIGINT', script: 'echo ready; exec sleep 300', code: 130 },
  ] as const)('passes $signal on to the command, and its end back: $code', async ({ signal, script, code }) => {
    const { child, ended, ready } = runner(script, `signals-${code}`);
    await ready;
    child.kill(signal);
    expect(await ended).toEqual([code, null]);
  });

  it('ends a command that does not listen at the second signal', async () => {
    const script = 'trap "echo got it" TERM; echo ready; while :; do sleep 0.05; done';
    const { child, ended, ready } = runner(script, 'second');
    await ready;
    child.kill('SIGTERM');
    // Two signals that come before a process is on again are one to it.
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await ended).toEqual([137, null]);
  });

  it('runs no other scenario after a signal to stop, and does not end well', async () => {
    const folder = folderWith({ 'a.json': { name: 'first' }, 'b.json': { name: 'second' } });
    const script = 'trap "exit 0" TERM; kill -TERM $PPID; while :; do sleep 0.05; done';
    const args = ['exec', '--matrix', 'a.json', 'b.json', '--', 'sh', '-c', script];
    const { code, stderr } = await runCommand(args, { folder });
    expect(code).toBe(130);
    expect(stderr).toContain('Stopped: b.json did not run.');
  });
});

describe.skipIf(!hasProc)('leaves no process behind', () => {
  it('when the command ends before those that it started', async () => {
    const { ended } = runner('sleep 300 & sh -c "trap \'\' TERM HUP; sleep 300" & echo ready', 'early');
    await ended;
    expect(await left('EXEC_TRIAL=early')).toEqual([]);
  });

  it('when npx is gone that ran it', async () => {
    const line = `"${process.execPath}" "${resolve('dist/cli.cjs')}" exec -- sh -c 'echo ready; sleep 300'; true`;
    const env = { ...process.env, npm_command: 'exec', EXEC_TRIAL: 'npx' };
    const shell = spawn('sh', ['-c', line], { cwd: folderWith(), env, stdio: ['ignore', 'pipe', 'ignore'] });
    await once(shell.stdout, 'data');
    shell.kill('SIGKILL');
    expect(await left('EXEC_TRIAL=npx')).toEqual([]);
  });

  // At moments from before the simulator is there until after the command's children are.
  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('when it is killed by %s, whenever that is', async (signal) => {
    for (let i = 0; i < trials; i++) {
      const marker = `${signal}-${i}`;
      const { child, ended } = runner(signal === 'SIGTERM' ? 'sleep 300 & sleep 300' : stubborn, marker);
      await pause(60 + (i / trials) * 900);
      child.kill(signal);
      await ended;
      expect(await left(`EXEC_TRIAL=${marker}`)).toEqual([]);
    }
  });
});
