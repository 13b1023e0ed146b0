/** Starts what is measured: the bare server, and the command out of the packed package. */
import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './folder.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

export const bareServer = [fileURLToPath(new URL('bare.mjs', import.meta.url))];

/** Packs the package and unpacks it elsewhere; returns the folder. */
export function unpackPackage() {
  const folder = temporaryFolder();
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
  });
  const [{ filename }] = Object.values(JSON.parse(packed));
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder]);
  return join(folder, 'package');
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
  const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it was ready`)));
  });
  const { port } = JSON.parse(line);
  return { child, port, stop: () => stop(child) };
}

function stop(child) {
  return new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGTERM');
  });
}
