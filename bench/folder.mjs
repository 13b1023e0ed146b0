import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a temporary folder that goes with the process. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'loyalty-sim-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
