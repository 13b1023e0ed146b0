import { InputError } from '../../core/lib/input-error.ts';

/** A place in a saved file. */
export interface FileLocation {
  readonly file: string;
  readonly line?: number;
}

/** What to throw when a saved file isn't as it was written; it is left as it is. */
export function corrupt({ file, line }: FileLocation, message: string): InputError {
  const place = line === undefined ? file : `${file}:${line}`;
  return new InputError(
    `${place}: ${message}. The file is left as it is: put a good copy in its place, or move it (and its .log) away to start anew from the fixtures.`,
  );
}

/** What the operating system said of a file, in a few words. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The operating system's word for what went wrong, as ENOENT. */
export const systemErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;
