/** Files that a call names. Whoever calls is never told what stands in one that is wrong, nor whether there is one: the log is. */
import { InputError, OptionError } from '../../core/errors.ts';
import type { Refusal } from '../../core/errors.ts';
import { invalidField } from '../../resources/refusals.ts';
import { mayBeFixture } from '../../storage/fixture-files.ts';
import type { Control } from './control.ts';

export type Log = Pick<Control, 'note'>;

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

export function unusable({ field, kind, named }: Unusable): Refusal {
  const why = `the simulator's log says why, and so does: loyalty-sim validate ${named}`;
  return invalidField(field, `"${named}" can't be used as ${kinds[kind]}; ${why}`);
}

/** What isn't could look like another line of the log. */
export const isOneLine = (named: string): boolean => !/\p{Cc}/u.test(named);

/** Sets a tenant up, perhaps from a fixture that the call names. */
export function settingUp<Result>({ note }: Log, fixtures: string | undefined, work: () => Result): Result {
  const refused = unusable({ field: 'fixtures', kind: 'fixture', named: fixtures ?? 'default' });
  if (fixtures !== undefined && !(isOneLine(fixtures) && mayBeFixture(fixtures))) {
    note(`fixtures: a call named ${JSON.stringify(fixtures)}, which is no .json file and no folder.`);
    throw refused;
  }
  try {
    return work();
  } catch (error) {
    if (error instanceof OptionError) throw invalidField(error.option, error.reason);
    if (!(error instanceof InputError)) throw error;
    note(error.message);
    throw refused;
  }
}
