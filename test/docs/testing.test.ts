import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, tidy } from '../support/command.ts';
import { folderWith } from '../support/folders.ts';
import { inTime } from '../support/in-time.ts';
import { has, hasMono, junitClassPath, python } from '../support/languages.ts';

afterEach(tidy);

const page = readFileSync('docs/testing.md', 'utf8');
const codePage = readFileSync('docs/test-code.md', 'utf8');
const readme = readFileSync('README.md', 'utf8');

/** The files of both pages, by the name that each bears in its first line. */
const files = Object.fromEntries(
  [...`${page}${codePage}`.matchAll(/```\w+\n((?:\/\/|#|<\?php \/\/) ([\w.]+)[:\n].*?)```/gs)].map(
    ([, text = '', name = '']) => [name, text],
  ),
);

/** What the page shows below a command. */
const shownBelow = (text: string, command: string): string =>
  text.split(`${command}\n\`\`\`\n\n\`\`\`text\n`)[1]?.split('```')[0] ?? '';

/** As it is on every machine. */
const timeless = (text: string): string =>
  text
    .replaceAll(/\+?[\d.]+ m?s +/g, '# ms ')
    .replaceAll(/[\d.]+ m?s\b/g, '# ms')
    // A case may be run again.
    .replaceAll(/\brun-\d+-/g, 'run-#-');

function folderOfPage(): string {
  const folder = folderWith(files);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/loyalty-sim'));
  for (const name of ['vitest', 'jest']) symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  return folder;
}

const exec = (...command: readonly string[]) => runCommand(['exec', '--', ...command], { folder: folderOfPage() });

const xunit = `
namespace Xunit {
  public class FactAttribute : System.Attribute {}
  public static class Assert {
    public static void Equal(object expected, object actual) {
      if (!Equals(expected, actual)) throw new System.Exception("expected " + expected + ", got " + actual);
    }
  }
  public static class Runner {
    public static void Main() {
      using (var test = new CountTest()) test.AsksAgainAfter504().Wait();
    }
  }
}`;

describe('docs/testing.md and docs/test-code.md', () => {
  it.each([
    { text: page, command: 'npx loyalty-sim exec --scenario lost-bulk-points -- node bonus.mjs' },
    { text: readme, command: 'npx loyalty-sim exec --scenario lost-bulk-points -- node bonus.mjs' },
    { text: page, command: "npx loyalty-sim conformance --case 'unkeyed/504*' --case 'once/500' -- node bonus.mjs" },
  ])('shows what comes of $command', async ({ text, command }) => {
    const args = command.replaceAll("'", '').split(' ').slice(2);
    const { code, stdout, stderr } = await runCommand(args, { folder: folderOfPage() });
    expect(code).toBe(1);
    expect(timeless(`${stdout}${stderr}`)).toBe(timeless(shownBelow(text, command)));
  });

  it('has tests for vitest that pass', async () => {
    const { code, stdout } = await exec(
      'node',
      'node_modules/vitest/vitest.mjs',
      'run',
      '--root',
      '.',
      'receipts.test.ts',
    );
    expect(stdout).toContain('2 passed');
    // It has simulators of its own.
    expect(code).toBe(3);
  });

  it("has a test for Node's own runner that passes", async () => {
    expect((await exec('node', '--test', 'receipts.test.mjs')).stdout).toMatch(/pass 1\n/);
  });

  it('has a test for Jest that passes', async () => {
    const jest = ['node_modules/jest/bin/jest.js', '--config', '{}', '--cacheDirectory', '.jest'];
    const { stderr } = await exec('node', ...jest, 'receipts.jest.test.js');
    expect(stderr).toContain('1 passed');
  });

  it.runIf(python !== undefined)('has tests for pytest that pass', inTime, async () => {
    const args = ['-m', 'pytest', '-p', 'loyalty_sim_pytest', '-p', 'no:cacheprovider', 'test_receipts.py'];
    const { code, stdout, stderr } = await runCommand(['exec', '--', python ?? '', ...args], {
      folder: folderOfPage(),
      env: { PYTHONPATH: resolve('clients/python'), PYTHONDONTWRITEBYTECODE: '1' },
    });
    expect({ code, stdout, stderr }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 passed'),
      stderr: expect.stringContaining('PASS'),
    });
  });

  it.runIf(has('phpunit', '--version'))('has a test in PHP that passes', inTime, async () => {
    const { code, stderr } = await exec('phpunit', 'CountTest.php');
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('PASS') });
  });

  it.runIf(hasMono)('has a test for xUnit that passes', inTime, async () => {
    const folder = folderOfPage();
    // xUnit is not there: its two names, and a program that makes an object for the test and disposes of it.
    writeFileSync(join(folder, 'Xunit.cs'), xunit);
    const sources = [join(folder, 'CountTest.cs'), join(folder, 'Xunit.cs'), resolve('clients/csharp/LoyaltySim.cs')];
    const program = join(folder, 'test.exe');
    const args = ['-langversion:7', '-r:System.Net.Http', `-out:${program}`, ...sources];
    expect(spawnSync('mcs', args, { encoding: 'utf8' })).toMatchObject({ status: 0 });
    const { code, stderr } = await runCommand(['exec', '--', 'mono', program], { folder });
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('PASS') });
  });

  it.runIf(junitClassPath !== undefined)('has tests for JUnit that pass', inTime, async () => {
    const folder = folderOfPage();
    const classPath = `${folder}:${junitClassPath}`;
    const sources = [join(folder, 'CountTest.java'), resolve('clients/java/LoyaltySim.java')];
    const compiled = spawnSync('javac', ['-J-XX:TieredStopAtLevel=1', '-cp', classPath, '-d', folder, ...sources], {
      encoding: 'utf8',
    });
    expect(compiled).toMatchObject({ status: 0, stderr: '' });
    const launcher = ['org.junit.platform.console.ConsoleLauncher', '-c', 'CountTest', '--disable-banner'];
    const { code, stdout, stderr } = await runCommand(['exec', '--', 'java', '-cp', classPath, ...launcher], {
      folder,
    });
    expect({ code, stdout, stderr }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 tests successful'),
      stderr: expect.stringContaining('PASS'),
    });
  });
});
