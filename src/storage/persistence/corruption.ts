import { InputError } from '../../core/lib/input-error.ts';

/** Locates a line in a saved file. */
export interface FileLocation {
  readonly file: string;
  readonly line?: number;
}

/** Names a place for a person. */
export const linePlace = ({ file, line }: FileLocation): string => (line === undefined ? file : `${file}:${line}`);

/** Names the command that takes what is whole; the log stands next to the file that `--data` names. */
const repairCommand = ({ file }: FileLocation): string => `loyalty-sim repair --data ${file.replace(/\.log$/, '')}`;

/** Says that a saved file is damaged. */
export class DamagedFileError extends InputError {
  /** Says where and what, without the advice. */
  readonly damage: string;

  constructor(location: FileLocation, what: string, advice: string) {
    const damage = `${linePlace(location)}: ${what}`;
    super(`${damage}. ${advice}`);
    this.damage = damage;
  }
}

/** Creates the error for a saved file that is not as it was written; the file is not changed. */
export function corrupt(location: FileLocation, message: string): DamagedFileError {
  return new DamagedFileError(
    location,
    message,
    `The file is left as it is: put a good copy in its place, run \`${repairCommand(location)}\`, which shows what is lost and takes what is whole, or move it (and its .log) away to start from the fixtures again.`,
  );
}

/** Creates the error for a line that can be read, and is not the one that was written there. */
export function edited(location: FileLocation, state: 'changed' | 'moved'): DamagedFileError {
  const what =
    state === 'changed'
      ? 'this line is not as it was written: it was edited by hand, or damaged'
      : 'other lines stood before this one when it was written: some are missing, or have changed places';
  return new DamagedFileError(
    location,
    what,
    `If you edited the file, start once with --accept-edits. If not, put a good copy in its place, or run \`${repairCommand(location)}\`, which shows what is lost and takes what is whole.`,
  );
}

/** Returns the message of anything that was thrown. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns the operating system's code for an error, such as ENOENT. */
export const systemErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;
