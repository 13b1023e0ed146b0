/** Scenarios as callers give them: whole, or by the name of a file or of one that comes along. */
import * as z from 'zod';
import { InputError } from '../../core/exchange/api-error.ts';
import { requiredText } from '../../core/validation/field-types.ts';
import { invalidFieldError } from '../../service/errors/catalog.ts';
import { scenarioInput } from '../../scenario/validate.ts';
import type { ScenarioSpec } from '../../scenario/scenario-schema.ts';
import { isSingleLine, unusableReference } from './file-references.ts';
import type { WarningLog } from './file-references.ts';

export const scenarioReference = z.union([requiredText, scenarioInput], {
  error: 'must be a scenario, a file that holds one, or the name of one',
});

export const scenarioReferenceText = 'a scenario, its file, or its name if it comes along';

const isFileName = (named: string): boolean => isSingleLine(named) && /\.(?:ya?ml|json)$/.test(named);

/** What is given, read from its file when it is named; `field` is where it stands in the body. */
export async function resolveScenarioReference(
  { note }: WarningLog,
  given: string | ScenarioSpec,
  field: string,
): Promise<ScenarioSpec> {
  if (typeof given !== 'string') return given;
  const [{ loadScenarios }, { isScenarioName }] = await Promise.all([
    import('../../scenario/load.ts'),
    import('../../scenario/built-in.ts'),
  ]);
  try {
    if (isScenarioName(given) || isFileName(given)) return loadScenarios([given]).written;
    throw new InputError(`scenario: a call named ${JSON.stringify(given)}, which is no .yaml or .json file.`);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (isScenarioName(given)) throw invalidFieldError(field, error.message);
    note(error.message);
    throw unusableReference({ field, kind: 'scenario', named: given });
  }
}
