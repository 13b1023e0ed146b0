/** Reads the pages of the package for agents. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../package/package-info.ts';

/** Describes a file that agents can read. */
export interface DocsFile {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  readonly read: () => string;
}

const skill = 'agents.md';

/** Returns the skill text first, then the other pages and the built-in scenarios. */
export function docsFiles(): DocsFile[] {
  const pages = namesIn('docs', '.md').toSorted((a, b) => Number(b === skill) - Number(a === skill));
  return [
    ...pages.map((name) =>
      fileAt(join('docs', name), {
        name,
        mimeType: 'text/markdown',
        description: name === skill ? 'Read this first: how to work with the simulator' : 'A page of the documentation',
      }),
    ),
    fileAt('llms.txt', {
      name: 'llms.txt',
      mimeType: 'text/markdown',
      description: 'Names the pages, and what they say',
    }),
    ...namesIn('scenarios', '.yaml').map((name) =>
      fileAt(join('scenarios', name), { name, mimeType: 'application/yaml', description: 'A built-in scenario' }),
    ),
  ];
}

const namesIn = (folder: string, ending: string): string[] =>
  existsSync(join(packageFolder, folder))
    ? readdirSync(join(packageFolder, folder))
        .filter((name) => name.endsWith(ending))
        .toSorted()
    : [];

const fileAt = (path: string, about: Pick<DocsFile, 'name' | 'description' | 'mimeType'>): DocsFile => ({
  ...about,
  uri: `loyalty-sim://${path.replaceAll('\\', '/')}`,
  read: () => readFileSync(join(packageFolder, path), 'utf8'),
});

/** Returns what the page on the verdict says of a rule; nothing for what is no rule. */
export function sectionOfRule(rule: string): string[] {
  const lines = readFileSync(join(packageFolder, 'docs', 'verdict.md'), 'utf8').split('\n');
  const heading = rule === 'state' ? '## The same work without faults' : `### ${rule} `;
  const start = lines.findIndex((line) => line.startsWith(heading));
  if (start < 0) return [];
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('##'));
  return lines.slice(start, length < 0 ? undefined : start + 1 + length);
}
