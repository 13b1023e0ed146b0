import { describe, expect, it } from 'vitest';
import { assumptions } from '../../src/service/assumptions/catalog.ts';
import { errors, rules, transitions } from './covered.ts';
import { endpointsCalled, fieldTablesSent } from './divergences.ts';
import { servedBy } from './matching.ts';
import { declaredField } from './places.ts';
import { endpoints as endpointRows } from './spec/endpoints.ts';
import { errors as errorRows } from './spec/errors.ts';
import { fieldTables } from './spec/fields.ts';
import { limits } from './spec/limits.ts';
import { rules as ruleRows } from './spec/rules.ts';
import { transitions as transitionRows } from './spec/transitions.ts';

const called: ReadonlySet<string> = new Set(endpointsCalled);
const sent = new Set(fieldTablesSent);

const fieldRows = fieldTables.flatMap((table) => table.fields.map((row) => ({ table, row })));
const readings = assumptions.reduce((sum, { variants }) => sum + 1 + Object.keys(variants).length, 0);

const countCovered = (rows: readonly { readonly id: string }[], covered: object): number =>
  rows.filter(({ id }) => id in covered).length;

/** What has a test by its name, and what the specification has. Field tables and limits are gone through row by row. */
const counts = [
  ['endpoints', endpointRows.filter((row) => servedBy(row) || called.has(row.id)).length, endpointRows.length],
  [
    'fields',
    fieldRows.filter(({ table, row }) => sent.has(table.table) || declaredField(table, row)).length,
    fieldRows.length,
  ],
  ['rules', countCovered(ruleRows, rules), ruleRows.length],
  ['transitions', countCovered(transitionRows, transitions), transitionRows.length],
  ['errors', countCovered(errorRows, errors), errorRows.length],
  ['limits', limits.length, limits.length],
] as const;

describe('the conformance suite', () => {
  it('covers every row of the specification', () => {
    const line = counts.map(([name, done, all]) => `${done}/${all} ${name}`).join(', ');
    process.stdout.write(`conformance: ${line}, ${readings} readings of assumptions\n`);
    expect(counts.filter(([, done, all]) => done !== all)).toEqual([]);
  });
});
