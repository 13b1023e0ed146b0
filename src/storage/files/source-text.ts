/** Reads the text of a scenario file, YAML or JSON. */
import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { InputError } from '../../core/lib/input-error.ts';
import { finish } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { jsonDiagnosticsInSteps } from './json-locations.ts';
import type { SourceFile } from './file-diagnostics.ts';
import { parseYaml, unparsableText } from './yaml-document.ts';
import type { ParsedText } from './yaml-document.ts';
import { findTooMuch, tokenizeYaml } from './yaml-tokens.ts';

/** Limits a scenario file to more than anybody writes. */
export const maxScenarioBytes = 1_000_000;

// Finds files that are not text, or are in UTF-16.
// oxlint-disable-next-line no-control-regex
const nonTextCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/;

/** Reads a file. Throws `InputError` when it is missing, too large, or not a text in UTF-8. */
export function readSource(path: string): SourceFile {
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new InputError(`scenario: ${path} is no file; name a YAML or JSON file`);
    if (found.size > maxScenarioBytes)
      throw new InputError(`scenario: ${path} has ${found.size} bytes; at most ${maxScenarioBytes} are read`);
    const bytes = readFileSync(path);
    if (!isUtf8(bytes)) throw new InputError(`scenario: ${path} is no text in UTF-8; save it as one`);
    // A byte order mark at the start, which Windows editors write, is no part of the text.
    return { name: path, text: bytes.toString('utf8').replace(/^\uFEFF/, '') };
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`scenario: ${path} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Parses YAML or JSON; JSON is checked by its own, stricter rules too. */
export const parseSource = (file: SourceFile): ParsedText => finish(parseSourceInSteps(file));

/** Does the same for a file that others should not wait for. */
export function* parseSourceInSteps({ name, text }: SourceFile): Steps<ParsedText> {
  const nonTextAt = text.search(nonTextCharacter);
  if (nonTextAt >= 0) return unparsableText(nonTextAt, `holds ${characterName(text, nonTextAt)}, which no text has`);
  const tokens = yield* tokenizeYaml(text);
  const excess = yield* findTooMuch(tokens);
  if (excess) return unparsableText(excess.offset, excess.message);
  const parsed = yield* parseYaml(text, tokens);
  yield;
  // YAML accepts what JSON does not: comments, strings without quotes.
  const diagnostics = name.endsWith('.json') ? yield* jsonDiagnosticsInSteps(text) : [];
  return diagnostics.length > 0 ? { ...parsed, data: undefined, diagnostics } : parsed;
}

const characterName = (text: string, offset: number): string =>
  `the control character U+${text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0')}`;
