/**
 * Builds dist for the tests that run the command, unless it is newer than everything it is built from. Keeps its compiled
 * code for this release of Node as well: without it, each command takes twice the processor time.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const changedAt = (path: string): number => statSync(path).mtimeMs;

const run = (...args: readonly string[]): unknown =>
  execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });

export default function setup(): void {
  build();
  const isKept = existsSync(`dist/main.cjs.${process.versions.v8}-${process.arch}`);
  if (!isKept) run('scripts/compile-cache.mjs', '--keep', 'dist/main.cjs');
}

function build(): void {
  const built = existsSync('dist/cli.cjs') ? changedAt('dist/cli.cjs') : 0;
  const sources = readdirSync('src', { recursive: true }).map((name) => join('src', String(name)));
  if (
    [...sources, 'fixtures/default.json', 'scripts/build.mjs', 'package.json'].every((path) => changedAt(path) < built)
  )
    return;
  run('scripts/build.mjs');
}
