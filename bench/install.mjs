/** Measures what an installation in an empty folder brings. */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from './folder.mjs';
import { round } from './numbers.mjs';

const mostMegabytes = 11;

/** Installs the package that was unpacked into this folder, and weighs it with all that it depends on. */
export async function install(unpacked) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const tarball = readdirSync(dirname(unpacked)).find((name) => name.endsWith('.tgz'));
  const args = ['install', join(dirname(unpacked), tarball), '--prefer-offline', '--no-audit', '--no-fund'];
  execFileSync('npm', args, { cwd: folder, stdio: 'ignore' });
  const names = readdirSync(join(folder, 'node_modules'), { recursive: true });
  const files = names.map((name) => statSync(join(folder, 'node_modules', name))).filter((one) => one.isFile());
  const packages = names.filter((name) => /^(?:@[^/]+\/)?[\w-]+\/package\.json$/.test(name));
  const megabytes = files.reduce((sum, { size }) => sum + size, 0) / 1e6;
  return [
    {
      what: 'installed in an empty folder',
      sim: `${round(megabytes)} MB, ${packages.length} packages, ${files.length} files`,
      asked: `≤ ${mostMegabytes} MB`,
      isReached: megabytes <= mostMegabytes,
    },
  ];
}
