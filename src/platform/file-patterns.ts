/** Expands file patterns, which cmd.exe and PowerShell pass on as they are, and so does any shell that finds quotes. */
import { readdirSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { isWindows } from './platform.ts';
import type { Platform } from './platform.ts';

interface PatternOptions {
  readonly platform?: Platform;
  /** Returns the names in a folder, or nothing where there is none. */
  readonly namesIn?: (folder: string) => readonly string[] | undefined;
}

/** Holds what a pattern stands for; undefined where its folder is not there. */
export type PatternFiles = { readonly folder: string; readonly files: readonly string[] | undefined };

/** True for a path whose last part has a star or a question mark, which no file of Windows has. */
export const isPattern = (path: string): boolean => /[*?]/.test(path);

/** Takes off the quotes that a line of a POSIX shell has around a pattern, and that cmd.exe passes on. */
export const withoutShellQuotes = (word: string, platform: Platform = process.platform): string =>
  isWindows(platform) ? (/^'(.*)'$/s.exec(word)?.[1] ?? word) : word;

/** Returns the files that match a pattern, in order; its last part may hold stars and question marks. */
export function filesOfPattern(
  pattern: string,
  { platform = process.platform, namesIn = namesOf }: PatternOptions = {},
): PatternFiles {
  const path = isWindows(platform) ? win32 : posix;
  // The folder as it was written, with its last slash, so that the names found look like the pattern.
  const name = path.basename(pattern);
  const start = pattern.slice(0, pattern.length - name.length);
  const names = namesIn(start === '' ? '.' : start);
  const matches = matcherOf(name, isWindows(platform));
  return {
    folder: start,
    files: names
      ?.filter((one) => matches.test(one))
      .toSorted()
      .map((one) => `${start}${one}`),
  };
}

/** As a shell does, a star at the start leaves out hidden files. */
const matcherOf = (name: string, isCaseless: boolean): RegExp => {
  const text = name.replaceAll(/[.*+?^${}()|[\]\\]/g, (sign) =>
    sign === '*' ? '.*' : sign === '?' ? '.' : `\\${sign}`,
  );
  return new RegExp(`^${/^[*?]/.test(name) ? String.raw`(?!\.)` : ''}${text}$`, isCaseless ? 'is' : 's');
};

function namesOf(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}
