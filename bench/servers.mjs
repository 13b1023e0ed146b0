/** Starts what is measured: the bare server, and the command out of the packed package. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './folder.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

export const bareServer = [fileURLToPath(new URL('bare.mjs', import.meta.url))];

/** Runs the same server, which also parses what it gets. */
export const parsingServer = [...bareServer, '--parse'];

/** Packs the package and unpacks it elsewhere; returns the folder. Another checkout than this one may be packed. */
export function unpackPackage(checkout = root) {
  const folder = temporaryFolder();
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: checkout,
  });
  const [{ filename }] = Object.values(JSON.parse(packed));
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder]);
  return join(folder, 'package');
}

const git = (...args) => execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });

/** Checks out a commit next to this one, builds it, and returns the folder of its package. */
export function unpackRevision(revision) {
  const checkout = join(temporaryFolder(), 'checkout');
  git('worktree', 'add', '--detach', checkout, revision);
  try {
    // The packages are those of this checkout: only what is our own is compared.
    symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] });
    return unpackPackage(checkout);
  } finally {
    git('worktree', 'remove', '--force', checkout);
  }
}

/** Returns the arguments that start the packed command. */
export const simServer = (folder, ...options) => [
  join(folder, 'dist/cli.cjs'),
  'start',
  '--port',
  '0',
  '--json',
  '--log',
  'silent',
  ...options,
];

/** Passes on what a process needs to run; certificates, Node's options and proxies would change what is measured. */
export const environment = Object.fromEntries(
  ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'SystemRoot'].flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  ),
);

/** Starts a server; resolves with its process and its port once it listens. */
export async function startServer(args) {
  process.setMaxListeners(0);
  const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  // Also when measuring fails.
  process.once('exit', () => child.kill('SIGKILL'));
  const line = await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it was ready`)));
  });
  const { port } = JSON.parse(line);
  if (port === undefined) throw new Error(`the server is not ready: ${line}`);
  return { child, port, stop: () => stop(child) };
}

/** Returns the resident memory of a process in MB, now or at its highest (`VmHWM`); only Linux tells. */
export function residentMemory(pid, which = 'VmRSS') {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${which}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

function stop(child) {
  return new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGTERM');
  });
}
