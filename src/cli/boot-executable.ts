/**
 * Runs the command from an executable that holds Node and the package (scripts/executables.mjs), so that neither is
 * needed next to it. Its files are read from a folder below the executable, which no disk can have.
 */
import fs from 'node:fs';
import http from 'node:http';
import nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { getAsset, getRawAsset } from 'node:sea';
import { Script } from 'node:vm';
import { keptHeadLength } from '../package/kept-code.ts';
import { openPacked, withPackedFolder } from '../package/packed-files.ts';

const folder = join(process.execPath, 'package');
const main = join(folder, 'dist', 'main.cjs');
// Nothing writes to it: it is the executable itself in memory.
const files = openPacked(JSON.parse(getAsset('index.json', 'utf8')), getRawAsset('files') as ArrayBuffer);
const packedFs = withPackedFolder(fs, folder, files);
const loaded = new Map<string, { exports: unknown }>();
const ownRequire = nodeModule.createRequire(process.execPath);

/** Loads what is packed next to dist/main.cjs, and Node's own modules. */
function requirePacked(name: string): unknown {
  if (name === 'fs' || name === 'node:fs') return packedFs;
  if (name === 'module' || name === 'node:module') return { ...nodeModule, createRequire: () => requirePacked };
  const file = name === 're2js' ? 'dist/chunks/re2js.cjs' : `dist/${name.replace(/^\.\//, '')}`;
  return files.has(file) ? loadChunk(file) : ownRequire(name);
}

function loadChunk(file: string): unknown {
  const known = loaded.get(file);
  if (known) return known.exports;
  const loading = { exports: {} };
  loaded.set(file, loading);
  const filename = join(folder, file);
  const wrapped = `(function(exports,require,module,__filename,__dirname){${files.read(file).toString('utf8')}\n})`;
  const chunk = new Script(wrapped, { filename }).runInThisContext();
  chunk(loading.exports, requirePacked, loading, filename, dirname(filename));
  return loading.exports;
}

/** Writes fixtures, scenarios, clients and docs to a folder, for people to read and to copy from. */
function unpack(target: string | undefined): number {
  if (target === undefined) {
    process.stderr.write('error: name the folder to unpack to, as: unpack loyalty-sim-files\n');
    return 2;
  }
  const shown = files.names.filter((name) => !name.startsWith('dist/'));
  try {
    for (const name of shown) {
      const path = join(target, name);
      fs.mkdirSync(dirname(path), { recursive: true });
      // Nothing of somebody else is overwritten.
      fs.writeFileSync(path, files.read(name), { flag: 'wx' });
    }
  } catch (error) {
    process.stderr.write(`error: ${target} can't be filled: ${error instanceof Error ? error.message : error}\n`);
    return 2;
  }
  process.stdout.write(`${shown.length} files are in ${target}\n`);
  return 0;
}

function run(): void {
  // The build leaves ASCII alone in it, which Latin-1 reads without decoding.
  const source = files.read('dist/main.cjs').toString('latin1');
  const kept = `dist/main.cjs.${process.versions.v8}-${process.arch}`;
  // No other text can stand in the same executable.
  const cachedData = files.has(kept) ? files.read(kept).subarray(keptHeadLength) : undefined;
  const script = new Script(source, { filename: main, ...(cachedData && { cachedData }) });
  script.runInThisContext()(requirePacked, dirname(main));
}

/**
 * Asks a simulator on this machine whether it responds, for images that have no curl. Any response will do: without an
 * admin key the control API rejects those who come from elsewhere, and so all.
 */
function checkHealth(port = process.env['LOYALTY_SIM_PORT'] ?? '4010'): void {
  const request = http.get(`http://127.0.0.1:${port}/__admin/health`, { timeout: 2000 }, (response) => {
    process.exitCode = (response.statusCode ?? 500) < 500 ? 0 : 1;
    response.resume();
  });
  request.on('timeout', () => request.destroy(new Error('it does not respond within 2 s')));
  request.on('error', ({ message }) => {
    process.stderr.write(`error: port ${port}: ${message}\n`);
    process.exitCode = 1;
  });
}

const [command, argument] = process.argv.slice(2);
if (command === 'unpack') process.exitCode = unpack(argument);
else if (command === 'healthcheck') checkHealth(argument);
else run();
