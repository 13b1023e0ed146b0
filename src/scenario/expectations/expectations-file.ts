/** Reads expectations from a file of their own. */
import { InputError } from '../../core/lib/input-error.ts';
import { formatDiagnostics } from '../../storage/files/file-diagnostics.ts';
import type { Expectation } from './expectation-schema.ts';
import { isObject } from '../../core/validation/lenient-parse.ts';
import { validateScenarioFields } from '../validate.ts';
import { scenarioSchema } from '../scenario-schema.ts';
import { parseSource, readSource } from '../../storage/files/source-text.ts';

/** One expectation, a list of them, or a scenario that has some. Throws `InputError` with a line for each mistake. */
export function loadExpectations(path: string): Expectation[] {
  const file = readSource(path);
  const { data, faults, offsetOf } = parseSource(file);
  if (faults.length > 0) throw new InputError(formatDiagnostics(file, faults).join('\n'));
  const { scenario, depth } = asScenario(data);
  const wrong = validateScenarioFields(scenario).map(({ path: inner, message }) => {
    const own = inner.slice(depth);
    return { path: own, message, offset: offsetOf(own) };
  });
  if (wrong.length > 0) throw new InputError(formatDiagnostics(file, wrong).join('\n'));
  const { expectations = [] } = scenarioSchema.parse(scenario);
  if (expectations.length > 0) return expectations;
  throw new InputError(`${path}: has no expectations; write one, a list of them, or a scenario that has some`);
}

interface AsScenario {
  readonly scenario: unknown;
  /** How many parts of a path the file doesn't have. */
  readonly depth: number;
}

function asScenario(data: unknown): AsScenario {
  if (Array.isArray(data)) return { scenario: { expectations: data }, depth: 1 };
  if (isObject(data) && ['expectations', 'rules', 'steps'].some((name) => name in data))
    return { scenario: data, depth: 0 };
  return { scenario: { expectations: [data] }, depth: 2 };
}
