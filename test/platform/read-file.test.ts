import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTextFile } from '../../src/platform/read-file.ts';
import { folderWith } from '../support/folders.ts';

const folder = folderWith({ 'a.json': '\uFEFF{}' });

describe('the text of a file that somebody named', () => {
  it('has no byte order mark', () => {
    expect(readTextFile(join(folder, 'a.json'))).toBe('{}');
  });

  it('is not looked for in a folder', () => {
    expect(() => readTextFile(folder)).toThrow('it is a folder; name a file');
  });

  it.skipIf(process.platform === 'win32')('is not waited for at a named pipe, which would hold up the process', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', pipe]);
    expect(() => readTextFile(pipe)).toThrow('it is a named pipe; name a file');
  });
});
