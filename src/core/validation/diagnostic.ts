/** Defines the one form in which everything wrong with somebody's input is reported: a file, a flag, a request, an option. */
import { InputError } from '../lib/input-error.ts';
import { formatPath } from './unknown-fields.ts';

/** Leads to a value by the names and indexes around it. */
export type JsonPath = readonly (string | number)[];

export interface Diagnostic {
  /** Says whether the input can't be used, or only may not do what its author meant. */
  readonly severity: 'error' | 'warning';
  /** Leads to the value within its file or body; a flag or an environment variable is a path of one name. */
  readonly path: JsonPath;
  readonly message: string;
  /** Names the file as its user did, or another source such as `scenario`. */
  readonly file?: string;
  /** Counts from 1, as column does. */
  readonly line?: number;
  readonly column?: number;
}

export const errorAt = (path: JsonPath, message: string): Diagnostic => ({ severity: 'error', path, message });

export const warningAt = (path: JsonPath, message: string): Diagnostic => ({ severity: 'warning', path, message });

/** Returns a function that moves diagnostics of an inner value to their place in the value around it. */
export const under =
  (...outer: JsonPath) =>
  (inner: Diagnostic): Diagnostic => ({ ...inner, path: [...outer, ...inner.path] });

/** Returns one line: `shop.json:12:7: contacts[3].email: must be an e-mail address, not "foo"`. */
export function formatDiagnostic({ file, line, column, path, message }: Diagnostic): string {
  const position = line === undefined ? '' : `:${line}:${column ?? 1}`;
  return [...(file === undefined ? [] : [`${file}${position}`]), formatPath(path), message]
    .filter((part) => part !== '')
    .join(': ');
}

/** Says why input can't be used, by what is wrong with it. */
class DiagnosticsError extends InputError {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join('\n'));
    this.diagnostics = diagnostics;
  }
}

/** Returns what an error says is wrong with a file, or something else that was read. */
export const diagnosticsOf = (error: InputError): readonly Diagnostic[] =>
  error instanceof DiagnosticsError
    ? error.diagnostics
    : error.message.split('\n').map((message) => errorAt([], message));

/** Returns an error with a line for each diagnostic; `omitted` says how many more there are, or at least, where not all were counted. */
export function diagnosticsError(diagnostics: readonly Diagnostic[], omitted = 0, isCounted = true): InputError {
  const more = `${omitted} more ${omitted === 1 ? 'problem' : 'problems'}`;
  const last = omitted > 0 ? [errorAt([], isCounted ? `and ${more}` : `and at least ${more}`)] : [];
  return new DiagnosticsError([...diagnostics, ...last]);
}

/** Parses `contacts[3].email`. */
export function parseJsonPath(text: string): JsonPath {
  return [...text.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([name, index]) => (index === undefined ? name : Number(index)));
}
