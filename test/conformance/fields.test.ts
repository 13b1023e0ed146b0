import { expect, it } from 'vitest';
import { fieldAdditions } from './divergences.ts';
import { isDue } from './due.ts';
import { declaredFields, hasType } from './matching.ts';
import type { Place } from './matching.ts';
import { places } from './places.ts';
import { fieldTables } from './spec/fields.ts';
import type { FieldRow, FieldTable } from './spec/fields.ts';

const tables = fieldTables.filter(({ table }) => isDue(table));

function placeOf({ table }: FieldTable): Place {
  const place = places[table];
  if (!place) throw new Error(`no place is known for the table ${table}`);
  return place;
}

/** The field of a row, which may be one of another's: `metaData.displayText`. */
function declared(table: FieldTable, { name }: FieldRow) {
  const place = placeOf(table);
  const [last = '', ...outer] = name.split('.').toReversed();
  const at = [place.at, ...outer.toReversed()].filter((step) => step !== undefined).join('.');
  return declaredFields({ ...place, at })[last];
}

it.each(tables)('declares the fields of $table with their types', (table) => {
  const wrong = table.fields.filter((row) => {
    const field = declared(table, row);
    return !field || !hasType(field, row.type);
  });
  expect(wrong).toEqual([]);
});

it.each(tables)('declares no field that $table lacks', (table) => {
  const known = new Set(table.fields.map(({ name }) => name.split('.')[0]));
  const added = Object.keys(declaredFields(placeOf(table))).filter((name) => !known.has(name));
  const allowed = fieldAdditions.filter((name) => name.startsWith(`${table.table}.`));
  expect(added.map((name) => `${table.table}.${name}`)).toEqual(allowed);
});

it('accepts the match key types of the specification', () => {
  const { matchKeyType } = declaredFields({ endpoint: 'receipts.create', of: 'body', at: 'contact' });
  const row = fieldTables.find(({ table }) => table === 'ReceiptContact')?.fields.find(({ type }) => type === 'enum');
  expect(matchKeyType?.enum).toEqual(row?.note?.replace('.', '').split(', '));
});
