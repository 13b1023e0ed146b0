/** The sections of a fixture file, in the order they are loaded. */
import type { FixtureSection } from './fixture.ts';

export const fixtureSections: readonly FixtureSection[] = [];
