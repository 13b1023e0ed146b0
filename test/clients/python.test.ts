/** Runs the plugin for pytest that the package ships. */
import { resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, tidy } from '../support/command.ts';
import type { Ended } from '../support/command.ts';
import { inTime } from '../support/in-time.ts';
import { python } from '../support/languages.ts';

afterEach(tidy);

const suite = resolve('test/clients/suites/test_tills.py');
const command = `"${process.execPath}" "${resolve('dist/cli.cjs')}"`;
const env = { PYTHONPATH: resolve('clients/python'), PYTHONDONTWRITEBYTECODE: '1', HTTP_PROXY: 'http://127.0.0.1:9' };
const pytest = ['-m', 'pytest', '-p', 'loyalty_sim_pytest', '-p', 'no:cacheprovider', '-q', '-rA'];

/** Runs tests by pytest with a simulator that the plugin starts. */
const runTests = (...args: readonly string[]): Promise<Ended> =>
  runCommand([...pytest, '--rootdir', '.', '--loyalty-sim-command', command, ...args, suite], {
    program: [python ?? ''],
    env,
  });

const outcomes = (stdout: string): string[] =>
  [...stdout.matchAll(/^(PASSED|FAILED|ERROR) \S*::test_(.*?)(?: - .*)?$/gm)].map(
    ([, outcome, name]) => `${outcome} ${name}`,
  );

describe.runIf(python !== undefined)('clients/python (pytest)', () => {
  it('judges each test', inTime, async () => {
    const { code, stdout } = await runTests();
    expect(outcomes(stdout).toSorted(), stdout).toEqual([
      'ERROR gives_up',
      'ERROR misspells_its_mark',
      'ERROR never_meets_its_fault',
      'ERROR sends_nothing_expected',
      'FAILED fails_by_itself',
      'PASSED deletes_its_tenant',
      'PASSED gives_up',
      'PASSED gives_up_and_may',
      'PASSED moves_the_clock',
      'PASSED names_mistakes',
      'PASSED never_meets_its_fault',
      'PASSED repeats',
      'PASSED sees_its_own_data_alone[1]',
      'PASSED sees_its_own_data_alone[2]',
      'PASSED sends_nothing_expected',
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/the verdict on tenant test-gives-up-\w{8} is FAIL\n✓ rule outage: fired 1 time\n✗ GET/);
    expect(stdout).toContain('✗ R1: GET /api/v3/contacts/count got status 504 and was never repeated');
    expect(stdout).toMatch(/is INCONCLUSIVE\n\? rule outage: never fired/);
    expect(stdout).toContain("@pytest.mark.loyalty_sim: 'PASS': expected accept=[…] with some of PASS, FAIL");
    // How the client of a failed test did is shown with it.
    expect(stdout).toMatch(/- Captured loyalty-sim teardown -+\nthe verdict on tenant test-fails-by-itself-/);
  });

  it('uses the simulator of exec, which reports the tests', inTime, async () => {
    const args = [...pytest, '--rootdir', '.', suite, '-k', 'repeats or gives_up'];
    const { stdout, stderr } = await runCommand(['exec', '--', python ?? '', ...args], { env });
    expect(outcomes(stdout)).toEqual([
      'PASSED repeats',
      'PASSED gives_up',
      'PASSED gives_up_and_may',
      'ERROR gives_up',
    ]);
    expect(stderr).toMatch(/tenant test-repeats-\w{8}/);
    expect(stderr).toMatch(/tenant test-gives-up-\w{8}/);
    expect(stderr).not.toContain('tenant test-gives-up-and-may');
  });

  it('says how to name the command, and what it printed', async () => {
    const { stdout } = await runTests('-k', 'repeats', '--loyalty-sim-options', '--prot 1');
    expect(stdout).toContain('start did not become ready; install the package, or name its command');
    expect(stdout).toContain("unknown option '--prot'");
  });
});
