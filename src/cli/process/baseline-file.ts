/** The baseline of `conformance` as a file. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { InputError } from '../../core/lib/input-error.ts';
import { formatPath } from '../../core/validation/unknown-fields.ts';
import { locationAt, locatePaths, jsonDiagnostics } from '../../storage/files/json-locations.ts';
import type { JsonPath } from '../../storage/files/json-locations.ts';
import { baselineSchema } from '../../explore/conformance/baseline.ts';
import type { Baseline } from '../../explore/conformance/baseline.ts';

const none: Baseline = { knownFailures: {} };

interface BaselineFlags {
  readonly baseline?: string | undefined;
  readonly updateBaseline?: boolean | undefined;
}

/** Nothing is known without a file. Throws `InputError` that names every mistake in it, and its place. */
export function readBaseline({ baseline: file, updateBaseline }: BaselineFlags): Baseline {
  if (file === undefined && updateBaseline) throw new InputError('--update-baseline: name the file with --baseline');
  if (file === undefined) return none;
  if (!existsSync(file)) {
    if (updateBaseline) return none;
    throw new InputError(`--baseline: there is no file ${file}; run with --update-baseline to have it written`);
  }
  return parse(
    file,
    withBaselineErrors(file, 'read', () => readFileSync(file, 'utf8')),
  );
}

function parse(file: string, text: string): Baseline {
  const faults = jsonDiagnostics(text).map(({ offset, message }) => {
    const { line, column } = locationAt(text, offset);
    return `${file}:${line}:${column}: ${message}`;
  });
  if (faults.length > 0) throw new InputError(faults.join('\n'));
  const read = baselineSchema.safeParse(JSON.parse(text));
  if (read.success) return read.data;
  const lines = read.error.issues.map(({ path, message }) => {
    // Keys of JSON are texts and numbers.
    const [place] = locatePaths(text, [path as JsonPath]);
    return `${file}:${place?.line ?? 1}:${place?.column ?? 1}: ${formatPath(path as JsonPath)} ${message}`.trimEnd();
  });
  throw new InputError(lines.join('\n'));
}

export const writeBaseline = (file: string, baseline: Baseline): void =>
  withBaselineErrors(file, 'written', () => writeFileSync(file, `${JSON.stringify(baseline, null, 2)}\n`));

function withBaselineErrors<Result>(file: string, what: 'read' | 'written', work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`--baseline: ${file} can't be ${what}: ${reason}`);
  }
}
