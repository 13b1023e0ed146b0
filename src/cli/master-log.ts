/** Writes down what a point master does: for a person or a program at the terminal, and in a file. */
import { createWriteStream, openSync } from 'node:fs';
import { InputError } from '../core/errors.ts';
import { jsonEntry, prettyEntry } from '../master/log.ts';
import type { LogEntry } from '../master/log.ts';
import { printLog, printNote, styled } from './print.ts';

type Form = 'pretty' | 'json' | 'silent';

interface LogFile {
  readonly write: (entry: LogEntry) => void;
  readonly close: () => Promise<void>;
}

const isBad = (entry: LogEntry): boolean =>
  entry.event === 'refused' ||
  entry.event === 'fault' ||
  ('outcome' in entry && ['failed', 'contradicted'].includes(entry.outcome));

export const masterLog: Readonly<Record<Form, (entry: LogEntry) => void>> = {
  pretty: (entry) => printLog(isBad(entry) ? styled('yellow', prettyEntry(entry)) : prettyEntry(entry)),
  json: (entry) => printLog(JSON.stringify(jsonEntry(entry))),
  silent: () => {},
};

/** A file that entries are added to, a line of JSON each. Throws an `InputError` when it can't be written. */
export function logFile(path: string | undefined): LogFile {
  if (path === undefined) return { write: () => {}, close: async () => {} };
  const stream = createWriteStream(path, { fd: openToAppend(path) });
  let isBroken = false;
  stream.on('error', (error) => {
    if (!isBroken) printNote(styled('red', `--log-file: ${path} can't be written any more: ${error.message}`));
    isBroken = true;
  });
  return {
    write: (entry) => {
      if (!isBroken) stream.write(`${JSON.stringify(jsonEntry(entry))}\n`);
    },
    close: () => new Promise((resolve) => (isBroken ? resolve() : stream.end(() => resolve()))),
  };
}

function openToAppend(path: string): number {
  try {
    // For its owner alone: it tells of contacts.
    return openSync(path, 'a', 0o600);
  } catch (error) {
    throw new InputError(
      `--log-file: ${path} can't be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
