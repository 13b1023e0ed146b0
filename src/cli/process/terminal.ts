/** The only place that writes to the terminal. */
import { isColorDisabled } from '../../config/config.ts';
import { escapeControls, controlCharacters } from '../../core/lib/escape-controls.ts';
import { redact, redactAll } from '../format/redact.ts';

type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan';

const codes: Readonly<Record<Style, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 };

// A reader who left early (`| head -1`) ends neither the simulator nor a verb half way.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

// What was sent or stands in a file must not steer the terminal, nor turn the order of its letters.
// oxlint-disable-next-line no-control-regex
const controlCharactersExceptStyles = new RegExp(`(?!\\u001b\\[(?:0|1|2|3[1-6])m)${controlCharacters.source}`, 'g');

/** Whether anybody still reads what is printed. */
export const isStdoutOpen = (): boolean => process.stdout.writable;

/** One line of result. */
export const printResult = (line: string): void => void process.stdout.write(`${escapeControls(line)}\n`);

interface AnswerForm {
  readonly json?: boolean | undefined;
  readonly showPersonalData?: boolean | undefined;
}

/**
 * What a verb found: as one line of JSON when that is asked for, else in lines for people. Personal numbers and keys
 * are taken out, since what is printed ends up in logs, unless they are asked for.
 */
export function printResponse({ json, showPersonalData }: AnswerForm, answer: unknown, lines: readonly string[]): void {
  const [shown, text] = showPersonalData ? [answer, lines] : [redactAll(answer), lines.map(redact)];
  for (const line of json ? [JSON.stringify(shown)] : text) printResult(line);
}

/** Done when all that was printed is with its reader, or the reader has left: a pipe takes long texts bit by bit. */
export const stdoutFlushed = (): Promise<void> => new Promise((resolve) => process.stdout.write('', () => resolve()));

const waiting: string[] = [];

/** One of many lines for the person at the terminal: written together with its neighbours, in order. */
export function printLog(line: string): void {
  if (waiting.push(line) === 1) setImmediate(flushLog);
}

/** Writes the lines that wait. */
export function flushLog(): void {
  if (waiting.length > 0) printNote(waiting.splice(0).join('\n'));
}

const isColoured = process.stderr.isTTY && !isColorDisabled();

/** One line for the person at the terminal. */
export const printNote = (line: string): void =>
  void process.stderr.write(
    `${escapeControls(line, isColoured ? controlCharactersExceptStyles : controlCharacters)}\n`,
  );

/** Colours a text for standard error, where that is a terminal. */
export const styled = (style: Style, text: string): string =>
  isColoured ? `\u001b[${codes[style]}m${text}\u001b[0m` : text;
