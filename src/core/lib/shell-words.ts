/** Writes words for a shell, so that a line can be pasted. */

/** Names a kind of shell by its rules for quotes. */
export type Shell = 'posix' | 'cmd' | 'powershell';

const plainWord = /^[\w@+=:,./-]+$/;

/** Quotes a word so that this shell passes it on as it is. */
export function quoteWord(word: string, shell: Shell): string {
  if (plainWord.test(word)) return word;
  return shell === 'posix' ? `'${word.replaceAll("'", String.raw`'\''`)}'` : quoteForWindows(word);
}

/** Matches what a terminal would carry out when it is pasted; a line break only where it does not end the line. */
const unpastable = { posix: /(?![\t\n])\p{Cc}/u, cmd: /\p{Cc}/u, powershell: /\p{Cc}/u };

/** Matches what cmd.exe, and PowerShell after `--%`, take for a variable, in quotes as well. */
const variable = /%[^%]+%/;

/** Matches an address: between two of its escapes stands the name of no variable. */
const address = /^https?:\/\//;

/**
 * Tells whether a line for this shell can hold a word: pasting it must never carry out a part of it, nor put something
 * else in its place.
 */
export const isPastable = (word: string, shell: Shell): boolean =>
  !unpastable[shell].test(word) && (shell === 'posix' || address.test(word) || !variable.test(word));

/**
 * Quotes a word for a program of Windows. A quotation mark is doubled, not escaped by a backslash: cmd.exe counts the
 * marks, and with an even number nothing inside has a meaning of its own.
 */
export const quoteForWindows = (word: string): string =>
  `"${word
    .split('"')
    .map((part) => `${part}${backslashesAtEnd(part)}`)
    .join('""')}"`;

/** Returns the backslashes that end a text; a pattern would try each of those in it. */
function backslashesAtEnd(part: string): string {
  let from = part.length;
  while (part[from - 1] === '\\') from--;
  return part.slice(from);
}

/** Returns a curl line for a shell. PowerShell has another `curl` of its own, and changes quotes unless given `--%`. */
export function curlLine(args: readonly string[], shell: Shell): string {
  const program = { posix: 'curl', cmd: 'curl', powershell: 'curl.exe --%' }[shell];
  return [program, ...args.map((word) => quoteWord(word, shell))].join(' ');
}
