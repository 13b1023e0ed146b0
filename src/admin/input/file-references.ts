/** Files that a call names. Whoever calls is never told what stands in one that is wrong, nor whether there is one: the log is. */
import { InputError, OptionError } from '../../core/exchange/api-error.ts';
import type { ApiError } from '../../core/exchange/api-error.ts';
import { invalidFieldError } from '../../service/errors/catalog.ts';
import { isFixturePath } from '../../storage/fixtures/fixture-files.ts';
import type { AdminContext } from './admin-context.ts';

export type WarningLog = Pick<AdminContext, 'note'>;

const kinds = {
  fixture: 'a .json file, a folder of them, or one that comes along: default, empty',
  scenario: 'a .yaml or .json file, or one that comes along',
} as const;

interface Unusable {
  /** Where it is named. */
  readonly field: string;
  readonly kind: keyof typeof kinds;
  readonly named: string;
}

export function unusableReference({ field, kind, named }: Unusable): ApiError {
  const why = `the simulator's log says why, and so does: loyalty-sim validate ${named}`;
  return invalidFieldError(field, `"${named}" can't be used as ${kinds[kind]}; ${why}`);
}

/** What isn't could look like another line of the log. */
export const isSingleLine = (named: string): boolean => !/\p{Cc}/u.test(named);

/** Sets a tenant up, perhaps from a fixture that the call names. */
export function withSetupErrors<Result>(
  { note }: WarningLog,
  fixtures: string | undefined,
  work: () => Result,
): Result {
  const refused = unusableReference({ field: 'fixtures', kind: 'fixture', named: fixtures ?? 'default' });
  if (fixtures !== undefined && !(isSingleLine(fixtures) && isFixturePath(fixtures))) {
    note(`fixtures: a call named ${JSON.stringify(fixtures)}, which is no .json file and no folder.`);
    throw refused;
  }
  try {
    return work();
  } catch (error) {
    if (error instanceof OptionError) throw invalidFieldError(error.option, error.reason);
    if (!(error instanceof InputError)) throw error;
    note(error.message);
    throw refused;
  }
}
