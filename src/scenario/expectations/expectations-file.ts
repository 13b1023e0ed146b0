/** Reads expectations from a file of their own. */
import { InputError } from '../../core/lib/input-error.ts';
import { diagnosticsError } from '../../core/validation/diagnostic.ts';
import type { JsonPath } from '../../core/validation/diagnostic.ts';
import { locateDiagnostics, locateOffsets } from '../../storage/files/file-diagnostics.ts';
import { locatorOf } from '../../storage/files/json-locations.ts';
import type { Expectation } from './expectation-schema.ts';
import { isObject } from '../../core/validation/lenient-parse.ts';
import { validateScenarioFields } from '../validate.ts';
import { scenarioSchema } from '../scenario-schema.ts';
import { parseSource, readSource } from '../../storage/files/source-text.ts';

/** Reads one expectation, a list of them, or a scenario that has some. Throws `InputError` with a line for each mistake. */
export function loadExpectations(path: string): Expectation[] {
  const file = readSource(path);
  const { data, diagnostics, offsetOf } = parseSource(file);
  if (diagnostics.length > 0) throw diagnosticsError(locateOffsets(file, diagnostics));
  const { scenario, depth } = asScenario(data);
  const wrong = validateScenarioFields(scenario).map((one) => ({ ...one, path: one.path.slice(depth) }));
  const locationOf = locatorOf(file.text);
  const locate = (at: JsonPath) => locationOf(offsetOf(at));
  if (wrong.length > 0) throw diagnosticsError(locateDiagnostics(path, wrong, locate));
  const { expectations = [] } = scenarioSchema.parse(scenario);
  if (expectations.length > 0) return expectations;
  throw new InputError(`${path}: has no expectations; write one, a list of them, or a scenario that has some`);
}

interface AsScenario {
  readonly scenario: unknown;
  /** Counts the leading parts of a path that the file does not have. */
  readonly depth: number;
}

function asScenario(data: unknown): AsScenario {
  if (Array.isArray(data)) return { scenario: { expectations: data }, depth: 1 };
  if (isObject(data) && ['expectations', 'rules', 'steps'].some((name) => name in data))
    return { scenario: data, depth: 0 };
  return { scenario: { expectations: [data] }, depth: 2 };
}
