import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Bundles a TypeScript file of the repository, and returns its exports. */
export async function importTypeScript(entry) {
  // Within the folder, so that what is not bundled is found; a name of its own, so that two runs don't meet.
  const bundled = `node_modules/.cache/loyalty-sim/${basename(entry, '.ts')}-${process.pid}.mjs`;
  await build({
    entryPoints: [entry],
    outfile: bundled,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'error',
  });
  try {
    return await import(pathToFileURL(bundled).href);
  } finally {
    rmSync(bundled);
  }
}
