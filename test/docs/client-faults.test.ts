import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('says what clients see of faults (else: node scripts/client-faults.mjs)', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/client-faults.mjs', '--check'], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
