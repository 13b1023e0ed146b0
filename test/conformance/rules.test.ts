import { describe, expect, it } from 'vitest';
import { errors, rules, transitions } from './covered.ts';
import { isDue } from './due.ts';
import { errors as errorRows } from './spec/errors.ts';
import { rules as ruleRows } from './spec/rules.ts';
import { transitions as transitionRows } from './spec/transitions.ts';

const tables = [
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
  const due = rows.filter(({ id }) => isDue(id));
  const cases = new Map(Object.entries(covered));

  it('has a case for every row, and no other', () => {
    expect([...cases.keys()].toSorted()).toEqual(due.map(({ id }) => id).toSorted());
  });

  it.each(due)('$id: $text', async ({ id }) => {
    const shown = cases.get(id);
    if (typeof shown === 'function') await shown();
    else expect(shown?.guidance).not.toBe('');
  });
});
