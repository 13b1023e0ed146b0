import fs from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPacked, withPackedFolder } from '../../src/package/packed-files.ts';

const contents = { 'package.json': '{"version":"9"}', 'docs/a.md': 'ä', 'docs/deep/b.md': '' };
const block = Buffer.concat(Object.values(contents).map((text) => Buffer.from(text)));
const index = { 'package.json': [0, 15], 'docs/a.md': [15, 2], 'docs/deep/b.md': [17, 0] } as const;
const folder = join(process.execPath, 'package');
const packed = withPackedFolder(fs, folder, openPacked(index, new Uint8Array(block).buffer));

describe("the executable's file system", () => {
  it('reads packed files as those of a disk', () => {
    expect(packed.readFileSync(join(folder, 'docs', 'a.md'), 'utf8')).toBe('ä');
    expect(packed.readFileSync(join(folder, 'package.json'), { encoding: 'latin1' })).toBe('{"version":"9"}');
    expect(packed.readFileSync(join(folder, 'docs', 'a.md'))).toEqual(Buffer.from('ä'));
    expect(packed.readFileSync(join(folder, 'docs', 'deep', 'b.md'), 'utf8')).toBe('');
  });

  it('lists and describes them', () => {
    expect(packed.readdirSync(folder)).toEqual(['docs', 'package.json']);
    expect(packed.readdirSync(join(folder, 'docs'))).toEqual(['a.md', 'deep']);
    expect(packed.readdirSync(folder, { recursive: true })).toEqual([
      `docs${sep}a.md`,
      `docs${sep}deep${sep}b.md`,
      'package.json',
    ]);
    const [file, docs] = [packed.statSync(join(folder, 'docs', 'a.md')), packed.statSync(join(folder, 'docs'))];
    expect([file.size, file.isFile(), docs.isDirectory(), docs.isFile()]).toEqual([2, true, true, false]);
  });

  it('has no other files there, and leaves the disk alone', () => {
    const none = join(folder, 'docs', 'none.md');
    expect([packed.existsSync(none), packed.statSync(none, { throwIfNoEntry: false })]).toEqual([false, undefined]);
    expect(() => packed.readFileSync(none)).toThrow('ENOENT');
    expect(() => packed.statSync(none)).toThrow('ENOENT');
    expect(() => packed.readdirSync(none)).toThrow('ENOENT');
    expect(packed.readFileSync('package.json', 'utf8')).toBe(fs.readFileSync('package.json', 'utf8'));
    expect(packed.existsSync(`${folder}-other`)).toBe(false);
  });
});
