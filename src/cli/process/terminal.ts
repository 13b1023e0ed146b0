/** Writes to the terminal, which nothing else does. */
import { InputError } from '../../core/lib/input-error.ts';
import { isColorDisabled } from '../../config/config.ts';
import { escapeControls, escapeLineBreaks, controlCharacters } from '../../core/lib/escape-controls.ts';
import { redact, redactAll } from '../../core/exchange/redact.ts';

type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan';

const codes: Readonly<Record<Style, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 };

let outputFailure: Error | undefined;

// A reader who left early (`| head -1`) ends neither the simulator nor a command half way.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE' && error.code !== 'EOF') outputFailure ??= error;
});
process.stderr.on('error', () => {});

// Data of requests and files must not control the terminal, nor reverse the order of its letters.
// oxlint-disable-next-line no-control-regex
const controlCharactersExceptStyles = new RegExp(`(?!\\u001b\\[(?:0|1|2|3[1-6])m)${controlCharacters.source}`, 'g');

/** True while standard output has a reader. */
export const isStdoutOpen = (): boolean => process.stdout.writable;

/** Prints a line of the result. */
export const printResult = (line: string): void => void process.stdout.write(`${escapeControls(line)}\n`);

interface OutputForm {
  readonly json?: boolean | undefined;
  readonly showPersonalData?: boolean | undefined;
}

/**
 * Prints the result of a command: one line of JSON with `--json`, or lines for people. Personal numbers and keys are
 * redacted, because output ends up in logs, unless `--show-personal-data` is set.
 */
export function printResponse(
  { json, showPersonalData }: OutputForm,
  response: unknown,
  lines: readonly string[],
): void {
  const [shown, text] = showPersonalData ? [response, lines] : [redactAll(response), lines.map(redact)];
  for (const line of json ? [JSON.stringify(shown)] : text.map(escapeLineBreaks)) printResult(line);
}

/** Resolves when the reader has all output, or has left: a pipe takes long texts bit by bit. */
export const stdoutFlushed = (): Promise<void> => new Promise((resolve) => process.stdout.write('', () => resolve()));

/** Throws `InputError` when output was lost, as on a full disk, although its reader has not left. */
export function requireOutput(): void {
  if (outputFailure) throw new InputError(`Standard output can't be written: ${outputFailure.message}.`);
}

const pendingLines: string[] = [];

/** Prints a line of the log; lines are written in batches, in order. */
export function printLog(line: string): void {
  if (pendingLines.push(escapeLineBreaks(line)) === 1) setImmediate(flushLog);
}

/** Writes the pending lines of the log. */
export function flushLog(): void {
  if (pendingLines.length > 0) printNote(pendingLines.splice(0).join('\n'));
}

/** Holds the line that tells how far we are, while a terminal shows it. */
let status = '';

const isTerminal = process.stderr.isTTY;
const eraseLine = '\r\u001b[K';

/** Shows a line on a terminal in the place of the one before; an empty one removes it. */
export function showStatus(line: string): void {
  if (!isTerminal) return;
  status = escapeControls(line).slice(0, process.stderr.columns - 1);
  process.stderr.write(`${eraseLine}${status}`);
}

/** Returns true when standard error is a terminal, on which a line can be shown in the place of another. */
export const canShowStatus = (): boolean => isTerminal;

// An old console of Windows, and a terminal that calls itself dumb, show the codes of colours as letters.
const isColoured = process.stderr.isTTY && !isColorDisabled() && process.stderr.hasColors();

/** Prints a line on standard error. */
export const printNote = (line: string): void =>
  void process.stderr.write(
    `${status === '' ? '' : eraseLine}${escapeControls(line, isColoured ? controlCharactersExceptStyles : controlCharacters)}\n${status}`,
  );

/** Prints lines on standard error, each as one, whatever data it shows. */
export function printLines(lines: readonly string[]): void {
  for (const line of lines) printNote(escapeLineBreaks(line));
}

/** Colours a text for standard error, where that is a terminal. */
export const styled = (style: Style, text: string): string =>
  isColoured ? `\u001b[${codes[style]}m${text}\u001b[0m` : text;
