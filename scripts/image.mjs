/**
 * `npm run test:image`: builds the Dockerfile with buildah and runs it with podman, both of Debian, on a base of three of
 * Debian's packages in the place of the distroless one. Says what is not there.
 */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** Lists what distroless/cc holds for a program in C++, too. */
const packages = ['libc6', 'libstdc++6', 'libgcc-s1'];
const missing = ['buildah', 'podman', 'runc', 'dpkg-deb', 'apt-get'].filter(
  (name) => spawnSync(name, ['--version']).error !== undefined,
);
const folder = mkdtempSync(join(tmpdir(), 'loyalty-sim-image-'));
const places = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];

function run(file, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(file, args, { encoding: 'utf8', ...options });
  if (status !== 0) throw new Error(`${file} ${args.join(' ')}: ${error?.message ?? stdout + stderr}`);
  return stdout;
}

const podman = (...args) => run('podman', [...places, '--cgroup-manager', 'cgroupfs', ...args]);

function makeBase() {
  const root = join(folder, 'base');
  mkdirSync(join(root, 'tmp'), { recursive: true });
  run('apt-get', ['download', '-qq', ...packages], { cwd: folder });
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.deb')))
    run('dpkg-deb', ['-x', name, root], { cwd: folder });
  mkdirSync(join(root, 'etc'), { recursive: true });
  writeFileSync(join(root, 'etc/passwd'), 'nonroot:x:65532:65532:nonroot:/:/sbin/nologin\n');
  run('tar', ['-C', root, '-cf', join(folder, 'base.tar'), '.']);
  podman('import', '--quiet', join(folder, 'base.tar'), 'localhost/base');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Restricts a container as a cluster does that trusts nobody: nothing can be written but the volume, and no right is
 * left.
 */
const strict = ['--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges', '--volume', 'kept:/data'];
// Some machines allow no higher limits than these.
const here = ['--runtime', 'runc', '--network', 'host', '--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1000:1000'];

async function start(port) {
  const env = ['--env', `LOYALTY_SIM_PORT=${port}`];
  podman(
    'run',
    '--detach',
    '--name',
    'sim',
    ...here,
    ...strict,
    ...env,
    'localhost/loyalty-sim',
    'start',
    '--data',
    'state.json',
  );
  while (podman('logs', 'sim') === '') await pause(50);
}

async function count(port) {
  const response = await fetch(`http://127.0.0.1:${port}/api/v3/contacts/count`, { headers: { connection: 'close' } });
  return response.json();
}

const report = (what) => console.log(`✓ ${what}`);

async function main() {
  run(process.execPath, ['scripts/executables.mjs', 'linux-x64']);
  makeBase();
  run('buildah', [
    ...places,
    'bud',
    '--quiet',
    '--isolation',
    'chroot',
    '--build-arg',
    'BASE=localhost/base',
    '--format',
    'docker',
    '--tag',
    'loyalty-sim',
    '.',
  ]);
  const [{ Size: size, Config: config }] = JSON.parse(podman('image', 'inspect', 'localhost/loyalty-sim'));
  assert.equal(config.User, '65532:65532');
  report(`is built: ${Math.round(size / 1e6)} MB, with a user of its own`);
  const port = await freePort();
  await start(port);
  assert.equal(await count(port), 40);
  report('serves, with a read-only file system and no rights');
  podman('healthcheck', 'run', 'sim');
  report('is healthy by its own check');
  assert.match(podman('top', 'sim', 'huser'), /65532/);
  report('runs as nobody');
  const made = await fetch(`http://127.0.0.1:${port}/api/v3/contacts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ email: 'kept@example.com' }),
  });
  assert.equal(made.status, 201);
  podman('stop', '--time', '10', 'sim');
  assert.equal(podman('inspect', '--format', '{{.State.ExitCode}}', 'sim').trim(), '0');
  report('stops by SIGTERM, with exit code 0');
  podman('rm', 'sim');
  await start(port);
  assert.equal(await count(port), 41);
  report('has its data again from the volume');
  podman('rm', '--force', 'sim');
}

if (missing.length > 0)
  console.log(`Nothing is run: there is no ${missing.join(', no ')}; Debian has packages of these names.`);
else {
  try {
    await main();
  } finally {
    spawnSync('podman', [...places, '--cgroup-manager', 'cgroupfs', 'rm', '--force', '--all']);
    rmSync(folder, { recursive: true, force: true });
  }
}
