/** Tells a person what is wrong with a file they wrote, and where. */
import { InputError } from '../../core/lib/input-error.ts';
import { formatPath } from '../../core/validation/unknown-fields.ts';
import { locationAt, locatePaths } from './json-locations.ts';
import type { JsonPath } from './json-locations.ts';

export interface SourceFile {
  /** As the person named it. */
  readonly name: string;
  readonly text: string;
}

export interface FileDiagnostic {
  readonly file: SourceFile;
  readonly path: JsonPath;
  readonly message: string;
  /** Its place in the text, when it is known and isn't that of the path. */
  readonly offset?: number;
}

const maxShown = 20;

/** One line for each problem: `shop.json:12:7: contacts[3].email: must be an e-mail address, not "foo"`. */
export function diagnosticsError(problems: readonly FileDiagnostic[]): InputError {
  const shown = problems.slice(0, maxShown);
  const lines = [...new Set(shown.map(({ file }) => file))].flatMap((file) =>
    formatDiagnostics(
      file,
      shown.filter((problem) => problem.file === file),
    ),
  );
  const others = problems.length - shown.length;
  if (others > 0) lines.push(`and ${others} more ${others === 1 ? 'problem' : 'problems'}`);
  return new InputError(lines.join('\n'));
}

/** A line for each, in the order of their places. */
export function formatDiagnostics(
  { name, text }: SourceFile,
  problems: readonly Omit<FileDiagnostic, 'file'>[],
): string[] {
  const unplaced = problems.filter(({ offset }) => offset === undefined);
  const found =
    unplaced.length === 0
      ? []
      : locatePaths(
          text,
          unplaced.map(({ path }) => path),
        );
  const places = new Map(unplaced.map((problem, i) => [problem, found[i]] as const));
  return problems
    .map((problem) => ({ ...problem, place: places.get(problem) ?? locationAt(text, problem.offset ?? 0) }))
    .toSorted((a, b) => a.place.line - b.place.line || a.place.column - b.place.column)
    .map(({ place, path, message }) => {
      const where = path.length === 0 ? '' : `${formatPath(path)}: `;
      return `${name}:${place.line}:${place.column}: ${where}${message}`;
    });
}
