import { closeSync, fsyncSync, openSync } from 'node:fs';
import { isWindows } from './platform.ts';
import type { Platform } from './platform.ts';

/** Forces the names in a folder to the disk: after a rename, the old file would else be there after a power failure. */
export function syncFolder(folder: string, platform: Platform = process.platform): void {
  // Windows opens no folders, and journals names by itself.
  if (isWindows(platform)) return;
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
