import type { FixtureSection } from './resource/fixture-section.ts';
import { fromResources } from './resources.ts';

/** Lists the sections of a fixture file in the order in which they are loaded. */
export const fixtureSections: readonly FixtureSection[] = inLoadOrder(fromResources((noun) => noun.fixtures));

/** Moves each section behind those that it is loaded after, and leaves all others where they are. */
function inLoadOrder(sections: readonly FixtureSection[]): FixtureSection[] {
  const ordered: FixtureSection[] = [];
  const place = (section: FixtureSection): void => {
    if (ordered.includes(section)) return;
    for (const earlier of sections) if (section.after?.includes(earlier.name)) place(earlier);
    ordered.push(section);
  };
  const waiting = sections.filter(({ after }) => after !== undefined);
  for (const section of sections) if (!waiting.includes(section)) place(section);
  for (const section of waiting) place(section);
  return ordered;
}
