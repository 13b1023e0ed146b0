/** Writes the files that are made from the code; with --check, says which of them are stale and writes nothing. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

// Within the folder, so that what is not bundled is found; a name of its own, so that two runs don't meet.
const bundled = `node_modules/.cache/loyalty-sim/generated-${process.pid}.mjs`;

async function loadFiles() {
  await build({
    entryPoints: ['scripts/generated/files.ts'],
    outfile: bundled,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'error',
  });
  try {
    return (await import(pathToFileURL(bundled).href)).files;
  } finally {
    rmSync(bundled);
  }
}

const isStale = ([path, content]) => !existsSync(path) || readFileSync(path, 'utf8') !== content;

function write([path, content]) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  console.log(`wrote ${path}`);
}

const files = await loadFiles();
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
