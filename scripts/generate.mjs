/** Writes the files that are made from the code; with --check, says which of them are stale and writes nothing. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { importTypeScript } from './import-typescript.mjs';

const isStale = ([path, content]) => !existsSync(path) || readFileSync(path, 'utf8') !== content;

function write([path, content]) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  console.log(`wrote ${path}`);
}

const { files } = await importTypeScript('scripts/generated/files.ts');
const stale = Object.entries(files)
  .map(([path, make]) => [path, make()])
  .filter(isStale);

if (!process.argv.includes('--check')) {
  for (const file of stale) write(file);
} else if (stale.length > 0) {
  const names = stale.map(([path]) => path).join(', ');
  console.error(`stale: ${names}. Run "npm run generate" and commit what it writes.`);
  process.exitCode = 1;
}
