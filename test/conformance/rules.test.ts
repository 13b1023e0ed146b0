import { describe, expect, it } from 'vitest';
import { errors, rules, transitions } from './covered.ts';
import { errors as errorRows } from './spec/errors.ts';
import { rules as ruleRows } from './spec/rules.ts';
import { transitions as transitionRows } from './spec/transitions.ts';

const tables = [
  { name: 'rules', rows: ruleRows.map(({ id, part, text }) => ({ id, part, text })), covered: rules },
  {
    name: 'transitions',
    rows: transitionRows.map(({ id, part, trigger }) => ({ id, part, text: trigger })),
    covered: transitions,
  },
  {
    name: 'errors',
    rows: errorRows.map(({ id, part, condition }) => ({ id, part, text: condition })),
    covered: errors,
  },
];

describe.each(tables)('$name', ({ rows, covered }) => {
  const partOne = rows.filter(({ part }) => part === 1);
  const cases = new Map(Object.entries(covered));

  it('has a case for every row of part 1, and no other', () => {
    expect([...cases.keys()].toSorted()).toEqual(partOne.map(({ id }) => id).toSorted());
  });

  it.each(partOne)('$id: $text', async ({ id }) => {
    const shown = cases.get(id);
    if (typeof shown === 'function') await shown();
    else expect(shown?.guidance).not.toBe('');
  });
});
