import { describe, expect, it } from 'vitest';
import { errors, rules, transitions } from './covered.ts';
import type { Guidance } from './covered.ts';
import { errors as errorRows } from './spec/errors.ts';
import { rules as ruleRows } from './spec/rules.ts';
import { transitions as transitionRows } from './spec/transitions.ts';
import type { Case } from './world.ts';

interface Rows {
  readonly name: string;
  readonly rows: readonly { readonly id: string; readonly text: string }[];
  readonly covered: Readonly<Record<string, Case | Guidance>>;
}

const tables: readonly Rows[] = [
  { name: 'rules', rows: ruleRows.map(({ id, text }) => ({ id, text })), covered: rules },
  {
    name: 'transitions',
    rows: transitionRows.map(({ id, trigger }) => ({ id, text: trigger })),
    covered: transitions,
  },
  {
    name: 'errors',
    rows: errorRows.map(({ id, condition }) => ({ id, text: condition })),
    covered: errors,
  },
];

describe.each(tables)('$name', ({ rows, covered }) => {
  const cases = new Map(Object.entries(covered));

  it('has a case for every row, and no other', () => {
    expect([...cases.keys()].toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  });

  it.each(rows)('$id: $text', async ({ id }) => {
    const shown = cases.get(id);
    if (typeof shown === 'function') await shown();
    else expect(shown?.guidance).not.toBe('');
  });
});
