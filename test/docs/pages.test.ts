/** Every link of a page leads somewhere, every table can be read, and the README leads to every page. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const pages = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

const prose = (page: string): string => readFileSync(page, 'utf8').replaceAll(/```.*?```/gs, '');

/** The targets of a page's links into the project, from its root. */
const targetsOf = (page: string): string[] =>
  [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !target.includes('://'))
    .map((target) => (target.startsWith('#') ? `${page}${target}` : normalize(join(dirname(page), target))));

/** As GitHub makes them of headings; and those that are written down. */
function anchorsOf(page: string): string[] {
  const headings = [...prose(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  const written = [...prose(page).matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return [...headings, ...written];
}

const leadsSomewhere = (target: string): boolean => {
  const [path = '', anchor] = target.split('#');
  return existsSync(path) && (anchor === undefined || anchorsOf(path).includes(anchor));
};

it.each(pages)('%s has no link that leads nowhere', (page) => {
  expect(targetsOf(page).filter((target) => !leadsSomewhere(target))).toEqual([]);
});

// What is measured is written by the bench.
it.each(pages.filter((page) => page !== 'docs/performance.md'))(
  '%s has no table that a terminal can not show',
  (page) => {
    const rows = prose(page)
      .split('\n')
      .filter((line) => line.startsWith('|'));
    expect(rows.filter((row) => row.length > 155)).toEqual([]);
  },
);

describe('the documentation', () => {
  it('names a source for each word of the glossary', () => {
    const rows = prose('docs/glossary.md')
      .split('\n')
      .filter((line) => /^\| [^-]/.test(line))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    expect(rows.length).toBeGreaterThan(60);
    expect(rows.filter((cells) => cells.length !== 5 || !/\w/.test(cells[3] ?? ''))).toEqual([]);
  });

  it('leads from the README to every page', () => {
    const linked = new Set(targetsOf('README.md').map((target) => target.split('#')[0]));
    const unlinked = pages.filter((page) => dirname(page) === 'docs' && !linked.has(page));
    expect(unlinked).toEqual([]);
  });
});
