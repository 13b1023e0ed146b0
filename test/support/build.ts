/** Builds dist for the tests that run the command, unless it is newer than everything it is built from. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const changedAt = (path: string): number => statSync(path).mtimeMs;

export default function setup(): void {
  const built = existsSync('dist/cli.cjs') ? changedAt('dist/cli.cjs') : 0;
  const sources = readdirSync('src', { recursive: true }).map((name) => join('src', String(name)));
  if (
    [...sources, 'fixtures/default.json', 'scripts/build.mjs', 'package.json'].every((path) => changedAt(path) < built)
  )
    return;
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
