import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync('docs/contributing.md', 'utf8');

/** Returns the texts in backticks in the first column of the tables below a heading. */
const firstColumn = (heading: string): string[] =>
  [...(page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(/^\| `([^`]+)`/gm)].map(
    ([, text = '']) => text,
  );

describe('docs/contributing.md', () => {
  it('names every part of a noun', () => {
    const source = readFileSync('src/service/resource/resource.ts', 'utf8');
    const parts = [...source.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name);
    expect(parts.length).toBeGreaterThan(10);
    expect(firstColumn('Add a noun').filter((text) => !text.includes('/'))).toEqual(parts);
  });
});

it.each([...page.matchAll(/^## (Add .*)$/gm)].map(([, heading = '']) => heading))('%s: its files exist', (heading) => {
  const paths = firstColumn(heading).filter((path) => path.includes('/') && !/[<*{]/.test(path));
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});
