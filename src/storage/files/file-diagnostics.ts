/** Locates diagnostics in the files that they are about. */
import type { Diagnostic, JsonPath } from '../../core/validation/diagnostic.ts';
import { finish } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { locatePathsInSteps, locatorOf } from './json-locations.ts';
import type { TextDiagnostic, TextLocation } from './json-locations.ts';

export interface SourceFile {
  /** Names the file as its user did. */
  readonly name: string;
  readonly text: string;
}

/** Returns diagnostics of a JSON file with their lines and columns, in the order of their places. */
export const locateInJson = (file: SourceFile, diagnostics: readonly Diagnostic[]): Diagnostic[] =>
  finish(locateInJsonInSteps(file, diagnostics));

/** Does the same for a file that may be long. */
export function* locateInJsonInSteps(
  { name, text }: SourceFile,
  diagnostics: readonly Diagnostic[],
): Steps<Diagnostic[]> {
  const unplaced = diagnostics.filter(({ line }) => line === undefined);
  const paths = unplaced.map(({ path }) => path);
  // A text that is not valid JSON has places of its own, and can't be walked.
  const locations = paths.length === 0 ? [] : yield* locatePathsInSteps(text, paths);
  const byDiagnostic = new Map(unplaced.map((one, i) => [one, locations[i]] as const));
  return inOrder(diagnostics.map((one) => ({ ...one, file: name, ...byDiagnostic.get(one) })));
}

/** Returns diagnostics with the places that `locate` finds for their paths, in the order of these places. */
export const locateDiagnostics = (
  file: string,
  diagnostics: readonly Diagnostic[],
  locate: (path: JsonPath) => TextLocation,
): Diagnostic[] => inOrder(diagnostics.map((one) => ({ ...one, file, ...locate(one.path) })));

/** Returns diagnostics whose offsets are known with the lines and columns of these, in their order. */
export function locateOffsets({ name, text }: SourceFile, diagnostics: readonly TextDiagnostic[]): Diagnostic[] {
  const locationOf = locatorOf(text);
  return inOrder(diagnostics.map(({ offset, ...one }) => ({ ...one, file: name, ...locationOf(offset) })));
}

const inOrder = (diagnostics: readonly Diagnostic[]): Diagnostic[] =>
  diagnostics.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
