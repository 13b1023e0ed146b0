/** Scenarios as callers give them: whole, or by the name of a file or of one that comes along. */
import * as z from 'zod';
import { InputError } from '../../core/errors.ts';
import { requiredText } from '../../resources/formats.ts';
import { invalidField } from '../../resources/refusals.ts';
import { sentScenario } from '../../scenario/reading.ts';
import type { WrittenScenario } from '../../scenario/scenario-schema.ts';
import { isOneLine, unusable } from './named-files.ts';
import type { Log } from './named-files.ts';

export const namedScenario = z.union([requiredText, sentScenario], {
  error: 'must be a scenario, a file that holds one, or the name of one',
});

export const namedScenarioMeaning = 'a scenario, its file, or its name if it comes along';

const isFileName = (named: string): boolean => isOneLine(named) && /\.(?:ya?ml|json)$/.test(named);

/** What is given, read from its file when it is named; `field` is where it stands in the body. */
export async function readScenario(
  { note }: Log,
  given: string | WrittenScenario,
  field: string,
): Promise<WrittenScenario> {
  if (typeof given !== 'string') return given;
  const [{ loadScenarios }, { isScenarioName }] = await Promise.all([
    import('../../scenario/load.ts'),
    import('../../scenario/shipped.ts'),
  ]);
  try {
    if (isScenarioName(given) || isFileName(given)) return loadScenarios([given]).written;
    throw new InputError(`scenario: a call named ${JSON.stringify(given)}, which is no .yaml or .json file.`);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (isScenarioName(given)) throw invalidField(field, error.message);
    note(error.message);
    throw unusable({ field, kind: 'scenario', named: given });
  }
}
