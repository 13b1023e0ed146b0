/** Makes text that somebody sent, or that stands in a file, safe to show. */

/** Matches characters that steer a terminal, that XML forbids, or that reorder text. Line ends and tabs stay. */
export const controlCharacters =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;

/** Shows signs that do something else than to be read: `\u202e`. */
export const escapeControls = (text: string, unwanted = controlCharacters): string =>
  text.replaceAll(unwanted, (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);

/** Matches what else ends a line or moves within it. */
const lineBreaks = /[\t\n\u2028\u2029]/g;

/** Makes a text one line, so that what somebody sent cannot look like a line of ours, or like a command of a CI system. */
export const escapeLineBreaks = (text: string): string =>
  escapeControls(text, lineBreaks).replaceAll('\\u000a', '\\n').replaceAll('\\u0009', '\\t');
