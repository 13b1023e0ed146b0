import { expect, it } from 'vitest';
import { assumptions } from '../../src/resources/assumptions.ts';
import { errors, rules, transitions } from './covered.ts';
import { endpointsNotYet } from './divergences.ts';
import { isDue } from './due.ts';
import { declaredFields, servedBy } from './matching.ts';
import { places } from './places.ts';
import { endpoints as endpointRows } from './spec/endpoints.ts';
import { errors as errorRows } from './spec/errors.ts';
import { fieldTables } from './spec/fields.ts';
import { rules as ruleRows } from './spec/rules.ts';
import { transitions as transitionRows } from './spec/transitions.ts';

const served = endpointRows.filter((row) => servedBy(row)).length;
const fieldRows = fieldTables.flatMap(({ table, fields }) =>
  fields.filter(({ name }) => !name.includes('.')).map(({ name }) => ({ table, name })),
);
const declared = fieldRows.filter(({ table, name }) => {
  const place = places[table];
  return place && name in declaredFields(place);
}).length;
const readings = assumptions
  .filter(({ id }) => isDue(id))
  .reduce((sum, { variants }) => sum + 1 + Object.keys(variants).length, 0);

const notYet = (rows: readonly { readonly id: string }[]): number => rows.filter(({ id }) => !isDue(id)).length;

/** What is there, what there is to be, and how much of it is known to be missing. */
const counts = [
  ['endpoints', served, endpointRows.length, endpointsNotYet.length],
  ['fields', declared, fieldRows.length, fieldRows.filter(({ table }) => !isDue(table)).length],
  ['rules', Object.keys(rules).length, ruleRows.length, notYet(ruleRows)],
  ['transitions', Object.keys(transitions).length, transitionRows.length, notYet(transitionRows)],
  ['errors', Object.keys(errors).length, errorRows.length, notYet(errorRows)],
] as const;

it('covers every row but those known to be missing', () => {
  const line = counts.map(([name, done, all]) => `${done}/${all} ${name}`).join(', ');
  process.stdout.write(`conformance: ${line}, ${readings} readings of assumptions\n`);
  expect(counts.filter(([, done, all, missing]) => done !== all - missing)).toEqual([]);
});
