import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Replaces functions of the file system, for all that import them. */
export function replaceFs(replaced: object): void {
  Object.assign(fs, replaced);
  syncBuiltinESMExports();
}
