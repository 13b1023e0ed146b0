/** The sections of a fixture, put together from its files. */
import { didYouMean } from '../core/warning.ts';
import type { FixtureSection } from '../resources/fixture.ts';
import type { FixtureFile } from './fixture-files.ts';
import type { JsonPath } from './json-places.ts';
import type { Problem, SourceFile } from './problems.ts';

/** A section with all that the files hold of it: lists are joined. */
export interface GatheredSection {
  readonly of: FixtureSection;
  readonly content: unknown;
  /** Which file a path of the whole is in, and where in it: `contacts[41]` may be `contacts[1]` of the second. */
  readonly locate: (path: JsonPath) => { readonly file: SourceFile; readonly path: JsonPath };
}

interface Part {
  readonly file: FixtureFile;
  readonly content: unknown;
}

interface Gathered {
  readonly sections: GatheredSection[];
  readonly problems: Problem[];
}

/** The sections that there are, in the order they are to be loaded, and what stands where no section should. */
export function gatherSections(files: readonly FixtureFile[], known: readonly FixtureSection[]): Gathered {
  const names = known.map(({ name }) => name);
  const problems = files.flatMap((file) => strangers(file, names));
  if (problems.length > 0) return { sections: [], problems };
  const sections = known.flatMap((of): GatheredSection[] => {
    const parts = files.flatMap((file): Part[] => {
      const content = Object.entries(file.data ?? {}).find(([name]) => name === of.name);
      return content ? [{ file, content: content[1] }] : [];
    });
    const second = parts.slice(1).find(({ content }) => !Array.isArray(content));
    if (second) {
      problems.push({ file: second.file, path: [of.name], message: `stands in ${parts[0]?.file.name} already` });
    }
    const [file] = files;
    if (parts.length > 0) return [joinParts(of, parts)];
    return of.absent === undefined || !file ? [] : [{ of, content: of.absent, locate: (path) => ({ file, path }) }];
  });
  return { sections, problems };
}

/** What is at the top of a file and is no section. */
function strangers(file: FixtureFile, names: readonly string[]): Problem[] {
  if (typeof file.data !== 'object' || file.data === null || Array.isArray(file.data)) {
    return [{ file, path: [], message: 'must be an object with sections such as retailer, contacts, receipts' }];
  }
  return Object.keys(file.data)
    .filter((name) => name !== '$schema' && !names.includes(name))
    .map((name) => ({ file, path: [name], message: `is not a section of a fixture${sectionHint(name, names)}` }));
}

const sectionHint = (name: string, names: readonly string[]): string =>
  didYouMean(name, names) || `; the sections are ${names.join(', ')}`;

function joinParts(of: FixtureSection, parts: readonly Part[]): GatheredSection {
  const [first, ...others] = parts;
  const content = others.length === 0 ? first?.content : parts.flatMap((part) => part.content);
  return { of, content, locate: (path) => locateIn(parts, path) };
}

function locateIn(parts: readonly Part[], path: JsonPath): { file: SourceFile; path: JsonPath } {
  const [name, index, ...rest] = path;
  let before = 0;
  for (const { file, content } of parts) {
    const length = Array.isArray(content) ? content.length : 1;
    if (typeof index !== 'number' || index < before + length) {
      return { file, path: typeof index === 'number' && name !== undefined ? [name, index - before, ...rest] : path };
    }
    before += length;
  }
  throw new Error(`no part of the fixture holds ${path.join('.')}`);
}
