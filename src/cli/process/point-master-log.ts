/** Logs what a point master does: to the terminal for a person or a program, and to a file. */
import { createWriteStream, openSync } from 'node:fs';
import { InputError } from '../../core/lib/input-error.ts';
import { serializeEntry, formatEntry } from '../../point-master/event-log.ts';
import type { PointMasterLogEntry } from '../../point-master/event-log.ts';
import { printLog, printNote, styled } from './terminal.ts';

type LogForm = 'pretty' | 'json' | 'silent';

interface LogFile {
  readonly write: (entry: PointMasterLogEntry) => void;
  readonly close: () => Promise<void>;
}

const isBad = (entry: PointMasterLogEntry): boolean =>
  entry.event === 'rejected' ||
  entry.event === 'fault' ||
  ('outcome' in entry && ['failed', 'contradicted'].includes(entry.outcome));

export const pointMasterLoggers: Readonly<Record<LogForm, (entry: PointMasterLogEntry) => void>> = {
  pretty: (entry) => printLog(isBad(entry) ? styled('yellow', formatEntry(entry)) : formatEntry(entry)),
  json: (entry) => printLog(JSON.stringify(serializeEntry(entry))),
  silent: () => {},
};

/** Opens a file that entries are appended to, a line of JSON each. Throws an `InputError` when it can't be written. */
export function openLogFile(path: string | undefined): LogFile {
  if (path === undefined) return { write: () => {}, close: async () => {} };
  const stream = createWriteStream(path, { fd: openToAppend(path) });
  let isBroken = false;
  stream.on('error', (error) => {
    if (!isBroken) printNote(styled('red', `--log-file: ${path} can no longer be written: ${error.message}`));
    isBroken = true;
  });
  return {
    write: (entry) => {
      if (!isBroken) stream.write(`${JSON.stringify(serializeEntry(entry))}\n`);
    },
    close: () => new Promise((resolve) => (isBroken ? resolve() : stream.end(() => resolve()))),
  };
}

function openToAppend(path: string): number {
  try {
    // For its owner alone: it holds data of contacts.
    return openSync(path, 'a', 0o600);
  } catch (error) {
    throw new InputError(
      `--log-file: ${path} can't be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
