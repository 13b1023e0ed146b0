/** Makes a set-up's client a program that can be started: copied beside its libraries, and compiled where needed. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, delimiter, extname, join } from 'node:path';
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

const run = (command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): void => {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...env } });
};

const jars = [
  'okhttp',
  'okio',
  'httpclient',
  'httpcore',
  'commons-logging',
  'httpclient5',
  'httpcore5',
  'httpcore5-h2',
  'slf4j-api',
];
const classPath = ['.', ...jars.map((name) => `/usr/share/java/${name}.jar`)].join(delimiter);
const quickStart = [
  '--add-opens=java.base/java.net=ALL-UNNAMED',
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  '-Xmx128m',
];

const kinds: Readonly<Record<string, Kind>> = {
  '.mjs': script(process.execPath, 'worker.mjs'),
  // Debian's own, which has Debian's packages.
  '.py': script('/usr/bin/python3', 'worker.py'),
  '.php': script('php', 'worker.php'),
  '.rb': script('ruby', 'worker.rb'),
  '.pl': script('perl', 'worker.pl'),
  '.sh': script('bash', 'worker.sh'),
  '.go': {
    worker: 'worker.go',
    build: (folder, client) =>
      run('go', ['build', '-o', 'program', 'worker.go', client], folder, {
        GO111MODULE: 'off',
        GOPATH: '/usr/share/gocode',
        GOCACHE: join(cache, 'go'),
      }),
    start: (folder, _client, mode) => ({ command: join(folder, 'program'), args: [mode] }),
  },
  '.java': {
    worker: 'Worker.java',
    build: (folder, client) => run('javac', ['-cp', classPath, 'Worker.java', client], folder),
    start: (folder, client, mode) => {
      const path = classPath.replace('.', folder);
      return { command: 'java', args: [...quickStart, '-cp', path, 'Worker', basename(client, '.java'), mode] };
    },
  },
  '.cs': {
    worker: 'Worker.cs',
    build: (folder, client) => run('mcs', ['-out:program.exe', '-r:System.Net.Http', 'Worker.cs', client], folder),
    start: (folder, _client, mode) => ({ command: 'mono', args: [join(folder, 'program.exe'), mode] }),
  },
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
