import { InputError } from '../core/lib/input-error.ts';
import { diagnosticsError, errorAt } from '../core/validation/diagnostic.ts';
import { locateOffsets } from '../storage/files/file-diagnostics.ts';
import { locatePaths, jsonDiagnostics } from '../storage/files/json-locations.ts';
import type { TextLocation } from '../storage/files/json-locations.ts';
import type { JsonPath } from '../core/validation/diagnostic.ts';
import { readTextFile } from '../platform/read-file.ts';

/** Holds a config file as it was read. */
export interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Returns the location of a value in the file. */
  readonly locate: (path: JsonPath) => TextLocation;
}

/** Reads a config file. Throws `InputError` with file, line and column when it isn't a JSON object. */
export function readConfigFile(path: string): ConfigFile {
  const text = readText(path);
  const diagnostics = locateOffsets({ name: path, text }, jsonDiagnostics(text));
  if (diagnostics.length > 0) throw diagnosticsError(diagnostics);
  const values: unknown = JSON.parse(text);
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    const message = 'must be an object of options, such as {"port": 4010}';
    throw diagnosticsError([{ ...errorAt([], message), file: path, line: 1, column: 1 }]);
  }
  const locate = (at: JsonPath): TextLocation => locatePaths(text, [at])[0] ?? { line: 1, column: 1 };
  // Any object of JSON is a record.
  return { path, values: values as Record<string, unknown>, locate };
}

function readText(path: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    throw new InputError(`The config file ${path} can't be read: ${error instanceof Error ? error.message : error}.`);
  }
}
