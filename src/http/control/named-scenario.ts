/** Scenarios as callers give them: whole, or by the name of a file or of one that comes along. */
import * as z from 'zod';
import { InputError } from '../../core/errors.ts';
import { requiredText } from '../../resources/formats.ts';
import { invalidField } from '../../resources/refusals.ts';
import { sentScenario } from '../../scenario/reading.ts';
import type { WrittenScenario } from '../../scenario/scenario-schema.ts';

export const namedScenario = z.union([requiredText, sentScenario], {
  error: 'must be a scenario, a file that holds one, or the name of one',
});

export const namedScenarioMeaning = 'a scenario, its file, or its name if it comes along';

/** What is given, read from its file when it is named; `field` is where it stands in the body. */
export async function readScenario(given: string | WrittenScenario, field: string): Promise<WrittenScenario> {
  if (typeof given !== 'string') return given;
  const { loadScenarios } = await import('../../scenario/load.ts');
  try {
    return loadScenarios([given]).written;
  } catch (error) {
    if (error instanceof InputError) throw invalidField(field, error.message);
    throw error;
  }
}
