import { readFileSync } from 'node:fs';
import { InputError } from '../core/lib/input-error.ts';
import { locationAt, locatePaths, jsonDiagnostics } from '../storage/files/json-locations.ts';
import type { JsonPath } from '../storage/files/json-locations.ts';

/** A config file as it was read. */
export interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** `file:line:column` of something in it. */
  readonly locationOf: (path: JsonPath) => string;
}

/** Reads a config file. Throws `InputError` with file, line and column when it isn't a JSON object. */
export function readConfigFile(path: string): ConfigFile {
  const text = readText(path);
  const faults = jsonDiagnostics(text).map(({ offset, message, path: at }) => {
    const { line, column } = locationAt(text, offset);
    return `${path}:${line}:${column}: ${at.length > 0 ? `${at.join('.')} ` : ''}${message}`;
  });
  if (faults.length > 0) throw new InputError(faults.join('\n'));
  const values: unknown = JSON.parse(text);
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new InputError(`${path}:1:1: expected an object of options, as {"port": 4010}`);
  }
  const locationOf = (at: JsonPath): string => {
    const [place] = locatePaths(text, [at]);
    return `${path}:${place?.line ?? 1}:${place?.column ?? 1}`;
  };
  // Any object of JSON is a record.
  return { path, values: values as Record<string, unknown>, locationOf };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new InputError(`The config file ${path} can't be read: ${error instanceof Error ? error.message : error}.`);
  }
}
