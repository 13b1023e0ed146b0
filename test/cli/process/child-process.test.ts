import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runChild } from '../../../src/cli/process/child-process.ts';
import { exploreCommand } from '../../../src/cli/process/explored-command.ts';
import { folderWith, tidyFolders } from '../../support/folders.ts';
import { describeProcess, hasProc, processesWith } from '../../support/processes.ts';
import { startSim } from '../../support/open-sim.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  tidyFolders();
});

/** Returns the processes that we have started and not seen the end of. */
const ours = (): string[] =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && describeProcess(pid).parent === String(process.pid));

describe.skipIf(!hasProc)('leaves no process behind', () => {
  it('not even one that is about to end', async () => {
    const [before, env] = [ours(), { ...process.env, CHILD_TRIAL: 'left' }];
    const { code } = await runChild(['sh', '-c', 'sleep 300 & exit 3'], { env, stdio: 'ignore' });
    expect([code, ours(), processesWith('CHILD_TRIAL=left')]).toEqual([3, before, []]);
  });

  it.each([
    { when: 'before its client is begun', begun: [] },
    { when: 'when its client runs', begun: ['begun'] },
  ])('of a run that a signal meets $when', async ({ begun }) => {
    const [before, folder, folderOfRuns] = [ours(), folderWith(), folderWith()];
    vi.stubEnv('TMPDIR', folderOfRuns);
    const sim = await startSim({ fixtures: 'empty' });
    await sim.listen();
    const { client, untilStopped, close } = exploreCommand(sim, {
      command: ['sh', '-c', `touch ${folder}/begun; exec sleep 300`],
      config: { apiKeys: [], adminKey: undefined, host: '127.0.0.1' },
      timeout: 60_000,
      showOutput: false,
      portPerRun: true,
    });
    const run = client.run(sim.tenants.getOrCreate('run-1'), 1, new AbortController().signal);
    await expect.poll(() => readdirSync(folder)).toEqual(begun);
    process.emit('SIGTERM');
    expect(await untilStopped(run)).toBeUndefined();
    const left = readdirSync(folderOfRuns);
    // Whatever was begun before this port has its own by now.
    await sim.listenFor('run-2');
    await close();
    await sim.close();
    expect([left, readdirSync(folder), ours()]).toEqual([[], begun, before]);
  });
});
