/** Puts the libraries of the atlas into a folder below the temporary one, where they are no part of the project. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Setup } from './setup.ts';

/** Holds what is installed and built; it stays there between runs. */
export const cache = process.env['RETRY_ATLAS_CACHE'] ?? join(tmpdir(), 'loyalty-sim-atlas');

/** Installs what is missing, as far as this machine lets. */
export function install(setups: readonly Setup[]): void {
  installFromNpm(setups);
  installFromDebian(setups);
}

function installFromNpm(setups: readonly Setup[]): void {
  const dependencies: Record<string, string> = Object.assign({}, ...setups.map((one) => one.install.npm ?? {}));
  const wanted = `${JSON.stringify({ private: true, type: 'module', dependencies }, undefined, 2)}\n`;
  const manifest = join(cache, 'package.json');
  if (existsSync(manifest) && readFileSync(manifest, 'utf8') === wanted) return;
  const folder = join(cache, `next-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), wanted);
  const flags = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--silent', '--ignore-scripts'];
  const { status } = spawnSync('npm', flags, {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) return;
  cpSync(folder, cache, { recursive: true, verbatimSymlinks: true });
}

function installFromDebian(setups: readonly Setup[]): void {
  const present = debianVersions();
  const missing = new Set(setups.flatMap((one) => one.install.debian ?? []).filter((name) => !present.has(name)));
  if (missing.size === 0 || present.size === 0 || process.getuid?.() !== 0) return;
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
  // One that this release of Debian does not have keeps all others from being installed.
  if (!isInstalled([...missing])) for (const name of missing) isInstalled([name]);
}

function isInstalled(names: readonly string[]): boolean {
  const { status } = spawnSync('apt-get', ['install', '-qq', '-y', '--no-install-recommends', ...names], {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}

/** The versions of Debian's packages that are installed; none on another system. */
function debianVersions(): ReadonlyMap<string, string> {
  const { status, stdout } = spawnSync('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status} ${Version}\n'], {
    encoding: 'utf8',
  });
  const rows = status === 0 ? stdout.split('\n').map((line) => line.split(' ')) : [];
  return new Map(
    rows.filter(([, state]) => state === 'installed').map(([name = '', , version = '']) => [name, version]),
  );
}

/** The versions of the libraries that this machine has, by set-up. */
export function versionsOf(setups: readonly Setup[]): ReadonlyMap<string, string> {
  const debian = debianVersions();
  const found = setups
    .filter(({ install: { debian: needed = [] } }) => needed.every((name) => debian.has(name)))
    .map((setup) => [setup.id, versionOf(setup, debian)] as const);
  return new Map(found.flatMap(([id, version]) => (version === undefined ? [] : [[id, version]])));
}

function versionOf({ version, install: { npm = {} } }: Setup, debian: ReadonlyMap<string, string>): string | undefined {
  if ('debian' in version) return numberIn(debian.get(version.debian) ?? '');
  if ('command' in version) return printedVersion(version.command);
  const manifest = join(cache, 'node_modules', version.npm, 'package.json');
  if (!existsSync(manifest)) return undefined;
  const { version: found }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'));
  return found === npm[version.npm] ? found : undefined;
}

function printedVersion([program = '', ...args]: readonly string[]): string | undefined {
  try {
    return numberIn(execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch {
    return undefined;
  }
}

/** The number of a version, without the epoch and the revision of Debian. */
const numberIn = (text: string): string | undefined => /\d+(?:\.\d+)+/.exec(text.replace(/^\d+:/, ''))?.[0];
