import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assumptions } from '../../src/service/assumptions/catalog.ts';
import { sources } from './sources.ts';

const refusalsSource = {
  path: 'src/service/errors/catalog.ts',
  text: readFileSync('src/service/errors/catalog.ts', 'utf8'),
};

/** Where an assumption's reading is asked for: `assumption('A-24')`, `assumptions['A-24']`. */
const isRead = (id: string): boolean =>
  sources.some(({ text }) => new RegExp(`assumption(?:\\(|s\\[)'${id}'`).test(text));

describe('the simulator', () => {
  it('mentions no assumption that the registry lacks', () => {
    const known = new Set<string>(assumptions.map(({ id }) => id));
    const mentioned = [...sources, refusalsSource].flatMap(({ path, text }) =>
      [...text.matchAll(/\bA-\d\d\b/g)].map(([id]) => ({ path, id })),
    );
    expect(mentioned.filter(({ id }) => !known.has(id))).toEqual([]);
  });

  it('reads every assumption that has variants', () => {
    const switchable = assumptions.filter(({ variants }) => Object.keys(variants).length > 0);
    expect(switchable.map(({ id }) => id).filter((id) => !isRead(id))).toEqual([]);
  });

  it('knows the rows of the registry by their numbers, without a gap', () => {
    const numbers = assumptions.map((_, i) => `A-${String(i + 1).padStart(2, '0')}`);
    expect(assumptions.map(({ id }) => id)).toEqual(numbers);
  });
});
