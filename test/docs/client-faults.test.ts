import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

describe('docs/faults.md', () => {
  it('says what clients see of faults (else: node scripts/client-faults.mjs)', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/client-faults.mjs', '--check'], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});
