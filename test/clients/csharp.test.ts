/** Runs the C# class that the package ships, as xUnit would: the program makes an object for each test, and disposes of it. */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, tidy } from '../support/command.ts';
import { folderWith } from '../support/folders.ts';
import { inTime } from '../support/in-time.ts';
import { hasMono } from '../support/languages.ts';

afterEach(tidy);

const sources = ['clients/csharp/LoyaltySim.cs', 'test/clients/suites/TillsTest.cs'].map((path) => resolve(path));
const command = `"${process.execPath}" "${resolve('dist/cli.cjs')}"`;

function compile(): string {
  const program = join(folderWith(), 'tills.exe');
  const args = ['-langversion:7', '-warn:4', '-warnaserror', '-r:System.Net.Http', `-out:${program}`, ...sources];
  expect(spawnSync('mcs', args, { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  return program;
}

const outcomes = (stdout: string): string[] => [...stdout.matchAll(/[✔✘] [A-Z]\w+$/gm)].map(([line]) => line);

describe.runIf(hasMono)('clients/csharp', () => {
  it('judges each test', inTime, async () => {
    // A proxy that leads nowhere.
    const env = { http_proxy: 'http://127.0.0.1:9' };
    const { stdout } = await runCommand([compile(), command], { program: ['mono'], env });
    expect(outcomes(stdout).toSorted(), stdout).toEqual([
      '✔ DeletesItsTenant',
      '✔ GivesUpAndMay',
      '✔ MovesTheClock',
      '✔ ReadsJson',
      '✔ Repeats',
      '✔ SeesItsOwnDataAgain',
      '✔ SeesItsOwnDataAlone',
      '✘ GivesUp',
      '✘ MisspellsItsVerdict',
      '✘ NamesMistakes',
      '✘ NeverMeetsItsFault',
      '✘ SendsNothingExpected',
    ]);
    expect(stdout).toMatch(/the verdict on tenant TillsTest-\w{8} is FAIL\n✓ rule outage: fired 1 time\n✗ GET/);
    expect(stdout).toContain('✗ R1: GET /api/v3/contacts/count got status 504 and was never repeated');
    expect(stdout).toMatch(/is INCONCLUSIVE\n\? rule outage: never fired/);
    expect(stdout).toContain('400: match.endpoint is "countContact", and there is no endpoint of this id');
    expect(stdout).toContain('accept: "pass": expected some of PASS, FAIL, INCONCLUSIVE');
  });

  it('uses the simulator of exec, which reports the tests', inTime, async () => {
    const { stderr } = await runCommand(['exec', '--', 'mono', compile()]);
    const verdicts = [...stderr.matchAll(/^(PASS|FAIL|INCONCLUSIVE): /gm)].map(([, one]) => one);
    // Each test that sent requests, but not the one whose failure is accepted.
    expect(verdicts.toSorted(), stderr).toEqual(['FAIL', 'INCONCLUSIVE', 'PASS', 'PASS', 'PASS']);
  });

  it('says how to name the command, and what it printed', async () => {
    const { stdout } = await runCommand([compile(), command, '--prot 1'], { program: ['mono'] });
    expect(stdout).toContain('start did not become ready; install the package, or name its command');
    expect(stdout).toContain("unknown option '--prot'");
  });
});
