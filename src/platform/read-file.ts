import { readFileSync, statSync } from 'node:fs';

/**
 * Reads the text of a file that somebody named, without the byte order mark that Windows editors write. Throws an `Error`
 * for a folder, and for a named pipe: it would hold up the process, and no signal would end it, until somebody writes to it. What
 * a shell gives in place of a file, as `<(command)`, is read.
 */
export function readTextFile(path: string): string {
  const found = statSync(path);
  if (found.isDirectory()) throw new Error('it is a folder; name a file');
  if (found.isFIFO() && !/^\/(dev|proc)\//.test(path)) throw new Error('it is a named pipe; name a file');
  return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
}
