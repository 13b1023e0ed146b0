import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('the generated files are what the code makes now (else: npm run generate)', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/generate.mjs', '--check'], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
