import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FileLock } from '../../../src/storage/persistence/file-lock.ts';
import { folderWith, tidyFolders } from '../../support/folders.ts';
import { replaceFs } from '../../support/replace-fs.ts';

afterAll(tidyFolders);

/** Takes the lock of the file that each line names, says whether it has it, and keeps it. */
const program = `
import { createInterface } from 'node:readline';
import { FileLock } from './file-lock.mjs';
for await (const file of createInterface({ input: process.stdin })) {
  let said = 'taken';
  try { FileLock.take(file); } catch (error) { said = error.name; }
  process.stdout.write(said + '\\n');
}
`;

let folder = '';

beforeAll(async () => {
  folder = folderWith({});
  const outfile = join(folder, 'file-lock.mjs');
  const entryPoints = ['src/storage/persistence/file-lock.ts'];
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  writeFileSync(join(folder, 'program.mjs'), program);
});

function startContender(): { ask: (file: string) => Promise<string>; end: () => Promise<unknown> } {
  const child = spawn(process.execPath, [join(folder, 'program.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'exit');
  return {
    ask: async (file) => {
      child.stdin.write(`${file}\n`);
      return String((await lines.next()).value);
    },
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
}

const stale = JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), started: null });

it('of several processes that find a lock left behind, one takes it over', async () => {
  const contenders = [startContender(), startContender(), startContender()];
  for (let round = 0; round < 150; round++) {
    const file = join(folder, `state-${round}.json`);
    writeFileSync(`${file}.lock`, stale);
    // As a process that was killed while it took the lock over would leave it.
    if (round % 3 === 0) writeFileSync(`${file}.lock.lock`, stale);
    const said = await Promise.all(contenders.map(({ ask }) => ask(file)));
    expect([round, said.toSorted()]).toEqual([round, ['InUseError', 'InUseError', 'taken']]);
    expect(existsSync(`${file}.lock.lock`)).toBe(false);
    expect(readFileSync(`${file}.lock`, 'utf8')).not.toBe(stale);
  }
  await Promise.all(contenders.map(({ end }) => end()));
});

describe('a lock', () => {
  const { linkSync } = fs;
  afterEach(() => replaceFs({ linkSync }));

  it('names its owner from the first moment: a process may be killed at any', () => {
    const file = join(folder, 'first-moment.json');
    const seen: unknown[] = [];
    replaceFs({
      linkSync: (from: string, to: string) => {
        seen.push([readFileSync(from, 'utf8'), existsSync(to)]);
        linkSync(from, to);
      },
    });
    const lock = FileLock.take(file);
    expect(seen).toEqual([[readFileSync(`${file}.lock`, 'utf8'), false]]);
    expect(readdirSync(folder).filter((name) => name.startsWith('first-moment'))).toEqual(['first-moment.json.lock']);
    lock.release();
  });

  it('is taken by one on a file system that has no links', () => {
    const file = join(folder, 'no-links.json');
    replaceFs({
      linkSync: () => {
        throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' });
      },
    });
    const lock = FileLock.take(file);
    expect(JSON.parse(readFileSync(`${file}.lock`, 'utf8'))).toMatchObject({ pid: process.pid });
    lock.release();
    writeFileSync(`${file}.lock`, JSON.stringify({ pid: 1, host: 'elsewhere', started: null }));
    expect(() => FileLock.take(file)).toThrow(/in use: .* by process 1 on elsewhere/);
    expect(readdirSync(folder).filter((name) => name.startsWith('no-links'))).toEqual(['no-links.json.lock']);
  });
});
