import { renameSync } from 'node:fs';
import { isWindows } from './platform.ts';
import type { Platform } from './platform.ts';

/** Windows says these while another program, mostly a virus scanner or an indexer, has one of the files open. */
const heldCodes = ['EACCES', 'EBUSY', 'EPERM'];

/** Sets the pauses between the attempts, in ms: a scanner needs a file for less than a second. */
const pauses = [5, 10, 20, 40, 80, 160, 320];

interface ReplaceOptions {
  readonly platform?: Platform;
  readonly rename?: (from: string, to: string) => void;
  readonly pause?: (milliseconds: number) => void;
}

/**
 * Renames a file over another in one step. Neither may be open here: Windows renames no file over an open one. Tries
 * again there while another program holds one of them.
 */
export function replaceFile(
  from: string,
  to: string,
  { platform = process.platform, rename = renameSync, pause = pauseSync }: ReplaceOptions = {},
): void {
  for (const milliseconds of isWindows(platform) ? pauses : []) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      if (!isHeld(error)) throw error;
      pause(milliseconds);
    }
  }
  rename(from, to);
}

const isHeld = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && heldCodes.includes(String(error.code));

/** Waits without giving other work its turn: what is renamed must not change meanwhile. */
const pauseSync = (milliseconds: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
