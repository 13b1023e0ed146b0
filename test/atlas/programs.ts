/** Makes a set-up's client a program that can be started: copied beside its libraries, and compiled where needed. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cache } from './install.ts';
import type { Setup } from './setup.ts';

export type Mode = 'byDefault' | 'recipe';

/** A program that sends the requests that it is told of by its input. */
export interface Worker {
  readonly command: string;
  readonly args: readonly string[];
}

interface Kind {
  readonly worker: string;
  /** Compiles the two files in a folder. */
  readonly build?: (folder: string, client: string) => void;
  readonly start: (folder: string, client: string, mode: Mode) => Worker;
}

/** Starts a script by its interpreter. */
const script = (interpreter: string, worker: string): Kind => ({
  worker,
  start: (folder, client, mode) => ({ command: interpreter, args: [join(folder, worker), join(folder, client), mode] }),
});

const kinds: Readonly<Record<string, Kind>> = {
  '.mjs': script(process.execPath, 'worker.mjs'),
  // Debian's own, which has Debian's packages.
  '.py': script('/usr/bin/python3', 'worker.py'),
};

/** The path of a file beside this one; the atlas is run from the root of the project when it is bundled. */
export const pathOf = (name: string): string => {
  const beside = fileURLToPath(new URL(name, import.meta.url));
  return existsSync(beside) ? beside : join('test/atlas', name);
};

/** Returns how to start a set-up's program. It is made once, and kept for as long as its files stay the same. */
export function prepare({ file }: Setup): (mode: Mode) => Worker {
  const kind = kinds[extname(file)];
  if (!kind) throw new Error(`nothing runs ${file}`);
  const sources = [pathOf(`workers/${kind.worker}`), pathOf(`clients/${file}`)];
  const hash = createHash('sha256');
  for (const source of sources) hash.update(readFileSync(source));
  const folder = join(cache, 'programs', hash.digest('hex').slice(0, 16));
  const client = basename(file);
  if (!existsSync(folder)) {
    const next = `${folder}-${process.pid}`;
    mkdirSync(next, { recursive: true });
    for (const source of sources) cpSync(source, join(next, basename(source)));
    kind.build?.(next, client);
    if (existsSync(folder)) rmSync(next, { recursive: true });
    else renameSync(next, folder);
  }
  return (mode) => kind.start(folder, client, mode);
}
