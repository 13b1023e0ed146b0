/** Chooses the files of `npm run test:unit` by what they and the files of `test` that they import do. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Matches what leaves the process (another process, a socket, a browser), needs the build, or tries many random cases. */
const leftOut =
  /(?:from|import\() ?'(?:node:(?:child_process|http|https|net)|playwright-core|fast-check)'|\.listen\((?:\)|\{)|\/storage\/generate\/|'(?:\.\/)?dist\//;

/** Lists files whose text does not show why they are left out, each with the reason. */
export const leftOutByName: Readonly<Record<string, string>> = {
  'test/admin/admin-app.test.ts': 'reads the dashboard as it was built',
  'test/admin/snapshot-limits.test.ts': 'holds thousands of snapshots and callers',
  'test/admin/views/pages.test.ts': 'reads the dashboard as it was built',
  'test/testing/judged-tenant.test.ts': 'has its simulators listen on ports',
  'test/scenario/lint/mutated-scenarios.test.ts': 'tries thousands of changed scenarios',
  'test/storage/persistence/large-state.test.ts': 'saves states of 100 MB',
};

const known = new Map<string, boolean>();

/** Returns true if a file, or a file of `test` that it imports, does what {@link leftOut} matches. */
function isLeftOut(file: string): boolean {
  const before = known.get(file);
  if (before !== undefined) return before;
  known.set(file, false);
  const text = readFileSync(file, 'utf8');
  const imported = [...text.matchAll(/ from '(\.[^']+)'/g)].map(([, path = '']) => join(dirname(file), path));
  const found = leftOut.test(text) || imported.some((path) => path.startsWith('test/') && isLeftOut(path));
  known.set(file, found);
  return found;
}

export const unitFiles = (): string[] =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((name) => join('test', name))
    .filter((file) => file.endsWith('.test.ts') && !(file in leftOutByName) && !isLeftOut(file));
