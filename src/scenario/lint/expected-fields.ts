import { errorAt } from '../../core/validation/diagnostic.ts';
import type { Diagnostic } from '../../core/validation/diagnostic.ts';
import { isObject } from '../../core/validation/lenient-parse.ts';
import { compileJsonPath } from '../../matching/json-path.ts';
import { lintPatternCount, lintValueMatcher } from './match-diagnostics.ts';

/** Reports what is wrong with expected fields by JSON path; of any other value, only what its matchers hold. */
export function lintExpectedFields(fields: unknown): Diagnostic[] {
  const tooMany = lintPatternCount(fields);
  if (tooMany.length > 0) return tooMany;
  const found = lintValueMatcher(fields, false);
  if (!isObject(fields) || found.length > 0) return found;
  return Object.keys(fields)
    .filter((text) => compileJsonPath(text) === undefined)
    .map((text) => errorAt([text], 'is not a path: write it as contact.email, items[0].sku or [*].id'));
}
