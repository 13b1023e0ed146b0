/** A fixture file as a tenant's first state. */
import { Clock } from '../core/clock.ts';
import { guid } from '../core/ids.ts';
import { emptyState } from '../core/state.ts';
import type { State } from '../core/state.ts';
import type { Settings } from '../core/tenant-options.ts';
import type { FixtureContext } from '../resources/fixture.ts';
import { fixtureSections } from '../resources/fixture-sections.ts';
import { readCheckedFixture } from './checked-fixture.ts';
import { readFixtureFiles } from './fixture-files.ts';
import type { FixtureFile } from './fixture-files.ts';
import { gatherSections } from './fixture-parts.ts';
import type { GatheredSection } from './fixture-parts.ts';
import { issueProblems } from './issue-problems.ts';
import { parsePath } from './json-places.ts';
import { plainWords } from './plain-words.ts';
import { problemsError } from './problems.ts';
import type { Problem } from './problems.ts';
import { dateFrom } from './relative-dates.ts';

/**
 * Reads a fixture: a JSON file, a folder of them, or `default` or `empty`. Relative dates count from the
 * moment that the settings' clock shows. Throws `InputError` with a line for each thing wrong in it.
 */
export function readFixtures(path = 'default', settings: Pick<Settings, 'seed' | 'clock'>): State {
  const now = new Clock(settings.clock).now();
  const checked = path === 'default' ? readCheckedFixture(now) : undefined;
  if (checked)
    return loadSections(withoutPlaces(checked), new Map(Object.entries(checked)), { seed: settings.seed, now });
  const files = readFixtureFiles(path);
  for (const { data } of files) dateFrom(data, now);
  const { sections, problems } = gatherSections(files, fixtureSections);
  const contents = new Map<string, unknown>();
  for (const section of sections) {
    const parsed = section.of.schema.safeParse(section.content, { error: plainWords, jitless: isSmall(files) });
    if (parsed.success) contents.set(section.of.name, parsed.data);
    else problems.push(...issueProblems(section, parsed.error.issues));
  }
  if (problems.length > 0) throw problemsError(problems);
  return loadSections(sections, contents, { seed: settings.seed, now });
}

/** Sections that were found valid before; nobody asks where in a file they stand. */
const withoutPlaces = (contents: Readonly<Record<string, unknown>>): LoadedSection[] =>
  fixtureSections.flatMap((of) => (of.name in contents ? [{ of, locate: nowhere }] : []));

function nowhere(): never {
  throw new Error('the checked fixture is not valid; build again');
}

type LoadedSection = Pick<GatheredSection, 'of' | 'locate'>;

/** Whether compiling the schemas would cost more than it saves. */
const isSmall = (files: readonly FixtureFile[]): boolean =>
  files.reduce((length, { text }) => length + text.length, 0) < 1_000_000;

/** Thrown where a section can't go on; what is wrong has been noted. */
class Stopped extends Error {}

function loadSections(
  sections: readonly LoadedSection[],
  contents: ReadonlyMap<string, unknown>,
  { seed, now }: { readonly seed: number; readonly now: number },
): State {
  const problems: Problem[] = [];
  let ids = 0;
  let state = emptyState;
  try {
    for (const section of sections) {
      const report: FixtureContext['report'] = (path, message) => {
        problems.push({ ...section.locate(parsePath(path)), message });
      };
      const fail: FixtureContext['fail'] = (path, message) => {
        report(path, message);
        throw new Stopped();
      };
      const context: FixtureContext = { now, newId: () => guid(seed, 'fixture', ++ids), report, fail };
      // Parsed by the section's own schema, in `readFixtures`.
      state = section.of.load(state, contents.get(section.of.name) as never, context);
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  if (problems.length > 0) throw problemsError(problems);
  return state;
}
