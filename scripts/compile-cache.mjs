/**
 * Runs dist/main.cjs once as a user would, and keeps what V8 compiled on the way next to it (src/cli/boot.ts), behind the
 * checksum of the text (src/package/kept-code.ts). The build calls it; `--keep` does the same with another release of Node
 * than that which built. With `--run` it is that run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** Code is kept for the V8 and the kind of processor that made it; src/cli/boot.ts looks for the same name. */
const keptName = (filename) => `${filename}.${process.versions.v8}-${process.arch}`;

/** Stands in stack traces of the kept code: who built it lies elsewhere. */
const shownName = 'loyalty-sim/dist/main.cjs';

/** Makes the kept code. Without it the command starts all the same, only later. */
export async function keepCompiled(filename) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LOYALTY_SIM_')));
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--run', resolve(filename)], {
    // Where no config file lies.
    cwd: tmpdir(),
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(child.stdout, 'data'), ended.then(() => ['{}'])]);
  const { url } = JSON.parse(String(line));
  if (url !== undefined) {
    await call(url);
    child.kill('SIGTERM');
  }
  const [code] = await ended;
  if (code !== 0) console.error('The command could not be run to keep its compiled code; it will start more slowly.');
}

/** Keeps what a first look-up needs as well. What a first write needs more takes 39 KB, and as long to compile. */
async function call(url) {
  await fetch(`${url}/api/v3/contacts/id?email=nobody@example.com`, { headers: { connection: 'close' } });
}

function run(filename) {
  const text = readFileSync(filename);
  const script = new Script(text.toString('latin1'), { filename: shownName });
  const checksum = Buffer.alloc(8);
  checksum.writeUInt32LE(crc32(text));
  process.on('exit', () => {
    // V8 takes code back under the flags alone that it was kept under: as the command starts (src/cli/process/heap-growth.ts).
    setFlagsFromString('--heap-growing-percent=0');
    setFlagsFromString('--semi-space-growth-factor=2');
    writeFileSync(keptName(filename), Buffer.concat([checksum, script.createCachedData()]));
  });
  process.argv = [process.execPath, filename, 'start', '--port', '0', '--json'];
  script.runInThisContext()(createRequire(filename), dirname(filename));
}

if (process.argv[2] === '--run') run(process.argv[3]);
if (process.argv[2] === '--keep') await keepCompiled(process.argv[3]);
