import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { folderWith, tidyFolders } from '../support/folders.ts';

afterEach(tidyFolders);

describe('the built command', () => {
  it('runs the command as it is, not the kept code of another text of the same length', () => {
    const folder = folderWith({});
    mkdirSync(join(folder, 'dist'));
    copyFileSync('package.json', join(folder, 'package.json'));
    for (const name of readdirSync('dist').filter((one) => /^(?:cli\.cjs|main\.cjs)/.test(one)))
      copyFileSync(join('dist', name), join(folder, 'dist', name));
    const main = join(folder, 'dist', 'main.cjs');
    const text = readFileSync(main, 'latin1');
    const changed = text.replaceAll('A local simulator of a retail', 'Another program, for a retail');
    expect([changed.length, changed === text]).toEqual([text.length, false]);
    writeFileSync(main, changed, 'latin1');
    const help = execFileSync(process.execPath, [join(folder, 'dist', 'cli.cjs'), '--help'], { encoding: 'utf8' });
    expect(help).toContain('Another program, for a retail');
  });
});
