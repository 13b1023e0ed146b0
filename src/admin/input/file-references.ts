/** Resolves files that a call names. The response never says what an invalid file holds or whether it exists; the log does. */
import * as z from '../../core/validation/deferred-zod.ts';
import { InputError, OptionError } from '../../core/lib/input-error.ts';
import { finishInTurns } from '../../core/time/steps.ts';
import type { ApiError } from '../../core/exchange/api-error.ts';
import { invalidFieldError } from '../../service/errors/catalog.ts';
import { requiredText, upTo } from '../../core/validation/field-types.ts';
import type { ScenarioSpec } from '../../scenario/scenario-schema.ts';
import { scenarioInput } from '../../scenario/validate.ts';
import { isFixturePath } from '../../storage/fixtures/fixture-files.ts';
import type { AdminContext } from './admin-context.ts';

type WarningLog = Pick<AdminContext, 'warn'>;

const kinds = {
  fixture: 'a .json file, a folder of them, or a built-in fixture: default, empty',
  scenario: 'a .yaml or .json file, or a built-in scenario',
} as const;

interface Unusable {
  /** Names the field of the body that holds the reference. */
  readonly field: string;
  readonly kind: keyof typeof kinds;
  readonly named: string;
}

function unusableReference({ field, kind, named }: Unusable): ApiError {
  const why = `the simulator's log says why, and so does: loyalty-sim validate ${named}`;
  return invalidFieldError(field, `"${named}" can't be used as ${kinds[kind]}; ${why}`);
}

/** False for a name with control characters, which could forge a line of the log. */
const isSingleLine = (named: string): boolean => !/\p{Cc}/u.test(named);

/** Runs work that sets a tenant up; its errors become errors of the fixture that the call names. */
export async function withSetupErrors<Result>(
  { warn }: WarningLog,
  fixtures: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const refused = unusableReference({ field: 'fixtures', kind: 'fixture', named: fixtures ?? 'default' });
  if (fixtures !== undefined && !(isSingleLine(fixtures) && isFixturePath(fixtures))) {
    warn(`fixtures: a call named ${JSON.stringify(fixtures)}, which is no .json file and no folder.`);
    throw refused;
  }
  try {
    return await work();
  } catch (error) {
    if (error instanceof OptionError) throw invalidFieldError(error.option, error.reason);
    if (!(error instanceof InputError)) throw error;
    warn(error.message);
    throw refused;
  }
}

/** Accepts a name of a length that a file can have. */
const scenarioName = requiredText.max(...upTo(4096, 'characters'));

export const scenarioReference = z.union([scenarioName, scenarioInput], {
  error: 'must be a scenario, a file that holds one, or the name of one',
});

export const scenarioReferenceText = 'a scenario, its file, or the name of a built-in scenario';

const isFileName = (named: string): boolean => isSingleLine(named) && /\.(?:ya?ml|json)$/.test(named);

/** Returns the scenario that a call sends, read from its file if it is a name; `field` is its place in the body. */
export async function resolveScenarioReference(
  { warn }: WarningLog,
  given: string | ScenarioSpec,
  field: string,
): Promise<ScenarioSpec> {
  if (typeof given !== 'string') return given;
  const [{ loadScenariosInSteps }, { isScenarioName }] = await Promise.all([
    import('../../scenario/load.ts'),
    import('../../scenario/built-in.ts'),
  ]);
  try {
    if (isScenarioName(given) || isFileName(given)) return (await finishInTurns(loadScenariosInSteps([given]))).spec;
    throw new InputError(`scenario: a call named ${JSON.stringify(given)}, which is no .yaml or .json file.`);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (isScenarioName(given)) throw invalidFieldError(field, error.message);
    warn(error.message);
    throw unusableReference({ field, kind: 'scenario', named: given });
  }
}
