import { InputError } from '../../core/lib/input-error.ts';

/** Locates a line in a saved file. */
export interface FileLocation {
  readonly file: string;
  readonly line?: number;
}

/** Creates the error for a saved file that is not as it was written; the file is not changed. */
export function corrupt({ file, line }: FileLocation, message: string): InputError {
  const place = line === undefined ? file : `${file}:${line}`;
  return new InputError(
    `${place}: ${message}. The file is left as it is: put a good copy in its place, or move it (and its .log) away to start from the fixtures again.`,
  );
}

/** Returns the message of anything that was thrown. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns the operating system's code for an error, such as ENOENT. */
export const systemErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;
