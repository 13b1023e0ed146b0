/** Reads and writes the baseline file of `conformance`. */
import { existsSync, writeFileSync } from 'node:fs';
import { InputError } from '../../core/lib/input-error.ts';
import { diagnosticsError, errorAt } from '../../core/validation/diagnostic.ts';
import { locateInJson, locateOffsets } from '../../storage/files/file-diagnostics.ts';
import { jsonDiagnostics } from '../../storage/files/json-locations.ts';
import type { JsonPath } from '../../core/validation/diagnostic.ts';
import { baselineSchema } from '../../explore/conformance/baseline.ts';
import type { Baseline } from '../../explore/conformance/baseline.ts';
import { readTextFile } from '../../platform/read-file.ts';

const none: Baseline = { knownFailures: {} };

interface BaselineFlags {
  readonly baseline?: string | undefined;
  readonly updateBaseline?: boolean | undefined;
}

/** Returns the baseline, empty without a file. Throws `InputError` that names every mistake with its location. */
export function readBaseline({ baseline: file, updateBaseline }: BaselineFlags): Baseline {
  if (file === undefined && updateBaseline) throw new InputError('--update-baseline: name the file with --baseline');
  if (file === undefined) return none;
  if (!existsSync(file)) {
    if (updateBaseline) return none;
    throw new InputError(`--baseline: there is no file ${file}; run with --update-baseline to create it`);
  }
  return parse(
    file,
    withBaselineErrors(file, 'read', () => readTextFile(file)),
  );
}

function parse(file: string, text: string): Baseline {
  const source = { name: file, text };
  const diagnostics = locateOffsets(source, jsonDiagnostics(text));
  if (diagnostics.length > 0) throw diagnosticsError(diagnostics);
  const read = baselineSchema.safeParse(JSON.parse(text));
  if (read.success) return read.data;
  // Keys of JSON are texts and numbers.
  const wrong = read.error.issues.map(({ path, message }) => errorAt(path as JsonPath, message));
  throw diagnosticsError(locateInJson(source, wrong));
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
