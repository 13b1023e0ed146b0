import { expect, it } from 'vitest';
import { assumptions } from '../../src/resources/assumptions.ts';
import { errors, rules, transitions } from './covered.ts';
import { declaredFields, servedBy } from './matching.ts';
import { isPartOne } from './part-one.ts';
import { places } from './places.ts';
import { endpoints as endpointRows } from './spec/endpoints.ts';
import { errors as errorRows } from './spec/errors.ts';
import { fieldTables } from './spec/fields.ts';
import { rules as ruleRows } from './spec/rules.ts';
import { transitions as transitionRows } from './spec/transitions.ts';

const partOne = <Row extends { readonly part: number }>(rows: readonly Row[]): Row[] =>
  rows.filter(({ part }) => part === 1);

const served = partOne(endpointRows).filter((row) => servedBy(row)).length;
const fieldRows = partOne(fieldTables).flatMap(({ table, fields }) =>
  fields.filter(({ name }) => !name.includes('.')).map(({ name }) => ({ table, name })),
);
const declared = fieldRows.filter(({ table, name }) => {
  const place = places[table];
  return place && name in declaredFields(place);
}).length;
const readings = assumptions
  .filter(({ id }) => isPartOne(id))
  .reduce((sum, { variants }) => sum + 1 + Object.keys(variants).length, 0);

const counts = [
  ['endpoints', served, partOne(endpointRows).length],
  ['fields', declared, fieldRows.length],
  ['rules', Object.keys(rules).length, partOne(ruleRows).length],
  ['transitions', Object.keys(transitions).length, partOne(transitionRows).length],
  ['errors', Object.keys(errors).length, partOne(errorRows).length],
] as const;

it('covers every row of part 1', () => {
  const line = counts.map(([name, done, all]) => `${done}/${all} ${name}`).join(', ');
  process.stdout.write(`conformance: ${line}, ${readings} readings of assumptions\n`);
  expect(counts.filter(([, done, all]) => done !== all)).toEqual([]);
});
