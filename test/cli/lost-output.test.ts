import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const full = '/dev/full';

describe.skipIf(!existsSync(full))('a command whose output finds no room', () => {
  it.each([['openapi'], ['generate', '--contacts', '500']])('fails: %s', (...args) => {
    const stdout = openSync(full, 'w');
    const ended = spawnSync(process.execPath, [resolve('dist/cli.cjs'), ...args], {
      stdio: ['ignore', stdout, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(stdout);
    expect([ended.status, ended.stderr]).toEqual([
      2,
      "error: Standard output can't be written: ENOSPC: no space left on device, write.\n",
    ]);
  });
});
