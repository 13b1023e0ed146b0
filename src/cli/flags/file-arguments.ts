import { existsSync } from 'node:fs';
import { InputError } from '../../core/lib/input-error.ts';
import { filesOfPattern, isPattern, withoutShellQuotes } from '../../platform/file-patterns.ts';

/** Returns the files that arguments stand for; the last part of a path may hold stars. Throws `InputError` for one without a file. */
export const expandFiles = (argument: string, given: readonly string[]): string[] =>
  given
    .map((word) => withoutShellQuotes(word))
    .flatMap((path) => (isPattern(path) && !existsSync(path) ? expand(argument, path) : [path]));

function expand(argument: string, pattern: string): readonly string[] {
  const { folder, files } = filesOfPattern(pattern);
  if (isPattern(folder)) {
    throw new InputError(`${argument}: "${pattern}": only the last part of a path may hold a star`);
  }
  if (!files) throw new InputError(`${argument}: there is no folder ${folder}`);
  if (files.length === 0) throw new InputError(`${argument}: no file matches "${pattern}"`);
  return files;
}
