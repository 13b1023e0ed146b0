import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { expandFiles } from '../../src/cli/flags/file-arguments.ts';
import { openReadyFile } from '../../src/cli/process/ready-file.ts';
import { filesOfPattern, withoutShellQuotes } from '../../src/platform/file-patterns.ts';
import { replaceFile } from '../../src/platform/replace-file.ts';
import { folderWith, tidyFolders } from '../support/folders.ts';

afterEach(tidyFolders);

const failing = (codes: string[], attempts: string[]) => (from: string, to: string) => {
  attempts.push(`${from} → ${to}`);
  const code = codes.shift();
  if (code !== undefined) throw Object.assign(new Error(code), { code });
};

describe('a file that replaces another', () => {
  it.each(['EPERM', 'EBUSY', 'EACCES'])('waits on Windows for a program that holds one of them: %s', (code) => {
    const [attempts, pauses]: [string[], number[]] = [[], []];
    const rename = failing([code, code, code], attempts);
    replaceFile('a', 'b', { platform: 'win32', rename, pause: (ms) => pauses.push(ms) });
    expect([attempts, pauses]).toEqual([Array.from({ length: 4 }, () => 'a → b'), [5, 10, 20]]);
  });

  it('gives up on Windows after less than a second', () => {
    const pauses: number[] = [];
    const rename = failing(
      Array.from({ length: 20 }, () => 'EPERM'),
      [],
    );
    expect(() => replaceFile('a', 'b', { platform: 'win32', rename, pause: (ms) => pauses.push(ms) })).toThrow('EPERM');
    expect(pauses.reduce((sum, ms) => sum + ms)).toBeLessThan(1000);
  });

  it.each([
    { platform: 'win32', code: 'ENOSPC' },
    { platform: 'linux', code: 'EPERM' },
  ] as const)('tries $code once on $platform', ({ platform, code }) => {
    const attempts: string[] = [];
    const pause = () => attempts.push('pause');
    expect(() => replaceFile('a', 'b', { platform, rename: failing([code], attempts), pause })).toThrow(code);
    expect(attempts).toEqual(['a → b']);
  });
});

describe('a pattern of files', () => {
  const names = ['b.yaml', 'A.YAML', 'c.yml', '.hidden.yaml', 'x[1].yaml'];
  const namesIn = () => names;

  it.each([
    { platform: 'linux', pattern: './s/*.yaml', files: ['./s/b.yaml', './s/x[1].yaml'] },
    { platform: 'win32', pattern: 's\\*.yaml', files: ['s\\A.YAML', 's\\b.yaml', 's\\x[1].yaml'] },
    { platform: 'win32', pattern: 's/?.y*ml', files: ['s/A.YAML', 's/b.yaml', 's/c.yml'] },
    { platform: 'linux', pattern: 'x[1]*', files: ['x[1].yaml'] },
    { platform: 'linux', pattern: '.h*', files: ['.hidden.yaml'] },
  ] as const)('$pattern on $platform', ({ platform, pattern, files }) => {
    expect(filesOfPattern(pattern, { platform, namesIn }).files).toEqual(files);
  });

  it('loses the quotes that only cmd.exe passes on', () => {
    expect([withoutShellQuotes("'a*'", 'win32'), withoutShellQuotes("'a*'", 'linux')]).toEqual(['a*', "'a*'"]);
  });

  it('takes a file of just that name as it is', () => {
    const folder = folderWith({ 'a?.yaml': '', 'ab.yaml': '' });
    const named = (name: string) =>
      expandFiles('run', [join(folder, name)]).map((file) => file.slice(folder.length + 1));
    expect([named('a?.yaml'), named('*.yaml'), named('none.json')]).toEqual([
      ['a?.yaml'],
      ['a?.yaml', 'ab.yaml'],
      ['none.json'],
    ]);
  });

  it.each([
    { pattern: 'none/*.yaml', says: 'run: there is no folder none/' },
    { pattern: '*/a*.yaml', says: 'only the last part of a path may hold a star' },
    { pattern: 'no-such-*.file', says: 'run: no file matches "no-such-*.file"' },
  ])('that finds nothing says so: $pattern', ({ pattern, says }) => {
    expect(() => expandFiles('run', [pattern])).toThrow(says);
  });
});

const readyFile = () => join(folderWith(), 'ready.json');
const lineOf = (pid: number) => JSON.stringify({ event: 'ready', pid });

describe('a ready file', () => {
  it('of a process that was killed is gone before the next one is ready', () => {
    const file = readyFile();
    openReadyFile(file).write(lineOf(0x7fff_fffe));
    openReadyFile(file);
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });

  it('of a process that runs is kept until the next one is ready', () => {
    const file = readyFile();
    openReadyFile(file).write(lineOf(process.ppid));
    const next = openReadyFile(file);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ event: 'ready', pid: process.ppid });
    next.write(lineOf(process.pid));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ event: 'ready', pid: process.pid });
    next.remove();
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });
});
