/** Runs the extension of JUnit 5 that the package ships. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, tidy } from '../support/command.ts';
import { folderWith } from '../support/folders.ts';
import { inTime } from '../support/in-time.ts';
import { junitClassPath } from '../support/languages.ts';

afterEach(tidy);

const sources = ['clients/java/LoyaltySim.java', 'test/clients/suites/TillsTest.java'].map((path) => resolve(path));

/** Compiles the tests, and returns the arguments that run them. */
function compile(...options: readonly string[]): string[] {
  const folder = folderWith();
  const args = [
    '-J-XX:TieredStopAtLevel=1',
    '-Xlint:all,-path',
    '-Werror',
    '--release',
    '11',
    '-cp',
    junitClassPath ?? '',
    '-d',
    folder,
    ...sources,
  ];
  expect(spawnSync('javac', args, { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  const classPath = `${folder}:${junitClassPath ?? ''}`;
  const launcher = 'org.junit.platform.console.ConsoleLauncher';
  const shown = ['--disable-banner', '--disable-ansi-colors', '--details', 'tree'];
  return ['-Dfile.encoding=UTF-8', ...options, '-cp', classPath, launcher, '-c', 'TillsTest', ...shown];
}

const outcomes = (stdout: string): string[] =>
  [...stdout.matchAll(/─ (\w+)\([\w.]*\) ([✔✘])/g)].map(([, name, mark]) => `${mark} ${name}`);

describe.runIf(junitClassPath !== undefined)('clients/java (JUnit 5)', () => {
  it('judges each test', inTime, async () => {
    const command = `-Dloyalty-sim.command="${process.execPath}" "${resolve('dist/cli.cjs')}"`;
    // A proxy that leads nowhere.
    const proxy = ['-Dhttp.proxyHost=127.0.0.1', '-Dhttp.proxyPort=9', '-Dhttp.nonProxyHosts=nowhere'];
    const { code, stdout } = await runCommand(compile(command, ...proxy), { program: ['java'] });
    expect(outcomes(stdout).toSorted(), stdout).toEqual([
      '✔ deletesItsTenant',
      '✔ givesUpAndMay',
      '✔ movesTheClock',
      '✔ namesMistakes',
      '✔ readsJson',
      '✔ repeats',
      '✔ seesItsOwnDataAlone',
      '✘ failsByItself',
      '✘ givesUp',
      '✘ misspellsItsVerdict',
      '✘ neverMeetsItsFault',
      '✘ sendsNothingExpected',
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/VerdictError: the verdict on tenant givesUp-\w{8} is FAIL\n✓ rule outage: fired 1 time\n/);
    expect(stdout).toContain('✗ R1: GET /api/v3/contacts/count got status 504 and was never repeated');
    expect(stdout).toMatch(/is INCONCLUSIVE\n\? rule outage: never fired/);
    expect(stdout).toContain('accept = "pass": expected some of [PASS, FAIL, INCONCLUSIVE]');
    // How the client of a failed test did is shown with it.
    expect(stdout).toMatch(/Suppressed: LoyaltySim\$VerdictError: the verdict on tenant failsByItself-/);
  });

  it('uses the simulator of exec, which reports the tests', inTime, async () => {
    const { stderr } = await runCommand(['exec', '--', 'java', ...compile()]);
    expect(stderr).toMatch(/tenant repeats-\w{8}/);
    expect(stderr).toMatch(/tenant givesUp-\w{8}/);
    expect(stderr).not.toContain('tenant givesUpAndMay');
  });

  it('says how to name the command, and what it printed', async () => {
    const command = `-Dloyalty-sim.command="${process.execPath}" "${resolve('dist/cli.cjs')}"`;
    const { stdout } = await runCommand(compile(command, '-Dloyalty-sim.options=--prot 1'), { program: ['java'] });
    expect(stdout).toContain('start did not become ready; install the package, or name its command');
    expect(stdout).toContain("unknown option '--prot'");
  });
});
