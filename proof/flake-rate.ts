import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { folderWith, tidyFolders } from '../test/support/folders.ts';
import type { ProofRow } from './row.ts';

/** Describes what Vitest reports of a file, as far as it is read here. */
interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages: readonly string[];
  }[];
}

interface Failure {
  times: number;
  readonly file: string;
  readonly message: string;
}

/** Runs test files once, and returns the reports. */
async function runTests(files: readonly string[]): Promise<FileReport[]> {
  const report = join(folderWith(), 'report.json');
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${report}`, ...files];
  await once(spawn(process.execPath, args, { stdio: 'ignore' }), 'close');
  return JSON.parse(readFileSync(report, 'utf8')).testResults;
}

/** Notes failures of one run by test; a file that can't be loaded counts as a test. */
function noteFailures(reports: readonly FileReport[], failures: Map<string, Failure>): void {
  for (const { name, status, message, assertionResults } of reports) {
    const file = name.slice(name.lastIndexOf('/test/') + 1);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    const messages = failed.map((test) => [test.fullName, test.failureMessages[0] ?? ''] as const);
    if (status === 'failed' && failed.length === 0) messages.push(['', message]);
    for (const [test, said] of messages) {
      const failure = failures.get(`${file} ${test}`) ?? { times: 0, file, message: said };
      failure.times++;
      failures.set(`${file} ${test}`, failure);
    }
  }
}

/** Shows that a test fails for a reason alone, and not now and then. */
export const flakeRate: ProofRow = {
  name: 'flake-rate',
  what: 'the tests, as often as `--runs` says, next to a loop on each core; `--only test/http` chooses files by their paths',
  asked: 'no failure',
  page: 'docs/proof.md',
  run: async ({ isWanted, print, runs }) => {
    const all = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((file) => join('test', file));
    const files = all.filter((file) => file.endsWith('.test.ts') && isWanted(file));
    const loops = cpus().map(() => spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }));
    const failures = new Map<string, Failure>();
    let tests = 0;
    try {
      for (let run = 1; run <= runs; run++) {
        const reports = await runTests(files);
        tests += reports.reduce((sum, { assertionResults }) => sum + assertionResults.length, 0);
        noteFailures(reports, failures);
        print(`  run ${run}: ${tests} tests so far, ${failures.size} of them failed at least once`);
      }
    } finally {
      for (const loop of loops) loop.kill('SIGKILL');
    }
    for (const [test, { times, file, message }] of failures) {
      print(`  ${times} of ${runs}: ${test}`);
      // A random case names its seed there.
      print(`    ${message.split('\n').slice(0, 3).join('\n    ')}`);
      print(`    npm run proof -- flake-rate --runs ${runs} --only ${file}`);
    }
    tidyFolders();
    const failed = [...failures.values()].reduce((sum, { times }) => sum + times, 0);
    return {
      figure: `${failed} failures in ${tests} tests of ${files.length} files, ${runs} runs`,
      isReached: failed === 0,
    };
  },
};
