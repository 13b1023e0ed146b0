import { fixtureSections } from '../../src/service/fixture-sections.ts';
import { page } from './page.ts';
import { code, table } from './table.ts';

/** Returns docs/fixtures.md. */
export const fixturesPage = (): string =>
  page('fixtures', 'the sections of fixtures (src/service/<noun>/fixture.ts)', {
    sections: table(
      ['Section', 'Holds'],
      fixtureSections.map(({ name, description }) => [code(name), description]),
    ),
  });
