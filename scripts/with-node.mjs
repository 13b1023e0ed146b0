/**
 * `node scripts/with-node.mjs <version> <command> [arguments]`: runs a command with another Node first on PATH, as
 * `22` or `22.20.0`. npm fetches it into a folder below the temporary one, and keeps it there.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const [version, command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error('usage: node scripts/with-node.mjs <version> <command> [arguments]');
  process.exit(2);
}

/** Names the package that has nothing but the program; the one named `node` fetches it by a script. */
const platform = process.platform === 'win32' ? 'win' : process.platform;
const name = `node-${platform}-${process.arch}`;
const folder = join(tmpdir(), `loyalty-sim-with-node-${version}`);
const bin = join(folder, 'node_modules', name, 'bin');

if (!existsSync(bin)) {
  const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--silent', `${name}@${version}`];
  const { status } = spawnSync('npm', install, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0 || !existsSync(bin)) {
    console.error(`npm can't install ${name}@${version}, so there is no Node ${version} to run ${command} with.`);
    process.exit(1);
  }
}

const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
const running = spawnSync('node', ['--version'], { env, encoding: 'utf8' }).stdout.trim();
console.log(`== Node ${running}: ${[command, ...args].join(' ')}`);
const { status, error } = spawnSync(command, args, { env, stdio: 'inherit' });
if (error) console.error(`${command} can't be run: ${error.message}`);
process.exitCode = status ?? 1;
