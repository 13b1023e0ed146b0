import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './package-info.ts';

const codeFile = /\.(?:c|m)?js$/;

/** Returns a digest of the code of this package as it was built, which tells two builds of one version apart. */
export function buildDigest(): string {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  const folder = join(packageFolder, 'dist');
  // Code that runs from its source has no build.
  if (!existsSync(folder)) return hash.digest('hex');
  for (const name of readdirSync(folder, { recursive: true }).map(String).toSorted()) {
    if (!codeFile.test(name) || name.startsWith('dashboard')) continue;
    hash.update(`${name}\n`).update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex');
}
